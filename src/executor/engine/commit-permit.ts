import type { SourceState } from '../../contract/executor-protocol.ts'
import type { TaskTarget } from '../../language/task/targets/target.types.ts'
import type { RunIo } from '../worker-protocol.ts'
import { cancelled } from './duckdb.ts'
import { EngineError } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** A run's leave to do what cannot be taken back. */
export interface CommitPermit {
  /** Once it was given, it stays given. Throws `CANCELLED` when the run is to stop. */
  ask(): Promise<void>
  /** What is told of a failure after `ask`: a commit whose answer is lost may have taken effect. */
  explain(error: EngineError): EngineError
}

/** `state`: what the run saves once it has committed, as far as it is known then. */
export function createCommitPermit(
  io: Pick<RunIo, 'permit' | 'signal'>,
  repeatable: boolean,
  state: () => SourceState | null = () => null,
): CommitPermit {
  let given: Promise<void> | null = null
  const request = async (): Promise<void> => {
    if (io.signal.aborted) throw cancelled()
    await io.permit?.(repeatable, repeatable ? null : state()).catch((error: unknown) => {
      throw io.signal.aborted ? cancelled() : error
    })
  }
  return {
    ask: () => (given ??= request()),
    explain(error) {
      if (given === null || repeatable || error.code !== 'CONNECTION_FAILED') return error
      const message = runMessage('connection_lost_in_commit', { cause: error.message })
      return new EngineError('OUTCOME_UNKNOWN', message, {
        hint: runMessage('check_target_first'),
        stage: error.stage,
        cause: error,
      })
    },
  }
}

/** Writing the same rows again gives the same result. HTTP requests carry an `Idempotency-Key` that says so. */
export function isRepeatable(target: TaskTarget): boolean {
  return (target.kind !== 'table' && target.kind !== 'collection') || target.mode !== 'append'
}
