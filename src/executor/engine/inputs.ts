import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import type { TaskSource } from '../../language/task/sources/source.types.ts'
import { openSource } from '../sources/registry.ts'
import { readCastFailure } from './cast-faults.ts'
import { EngineError, asEngineError, verbatim } from './errors.ts'
import type { RejectedRow, StageContext } from './lane.types.ts'
import { requireSameRows } from './row-accounts.ts'
import { createSourceChecks } from './source-checks.ts'
import { tableStream, typed, type RowStream } from './stream.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

type PutDown = RowStream & { table: string }

/** A task's inputs, each put down as a table of the session when a step first asks for it. */
export interface Inputs {
  readonly names: readonly string[]
  get(name: string, context: StageContext): Promise<PutDown>
}

export interface InputOptions {
  /** Previews read no more rows than this. */
  limit: number | null
  /** Where rows go that an input cannot read. */
  reject(key: string, entries: readonly RejectedRow[]): Promise<void>
  rejectQuery(key: string, query: string): Promise<number>
}

export function createInputs({ inputs }: Pick<PipelineTask, 'inputs'>, options: InputOptions): Inputs {
  const ready = new Map<string, Promise<PutDown>>()
  return {
    names: Object.keys(inputs),
    get(asked, context) {
      const source = Object.hasOwn(inputs, asked) ? inputs[asked] : undefined
      if (!source) {
        throw new EngineError('TASK_INVALID', runMessage('input_unknown', { input: asked }), {
          hint: runMessage('input_unknown_fix'),
        })
      }
      const known = ready.get(asked) ?? putDown(asked, source, context, options)
      ready.set(asked, known)
      return known
    },
  }
}

/** What an input does counts for nobody's rows: it has its own place in log and rejects. */
async function putDown(
  asked: string,
  source: TaskSource,
  asking: StageContext,
  { limit, reject, rejectQuery }: InputOptions,
): Promise<PutDown> {
  const { session } = asking
  const key = `inputs.${asked}`
  const checks = createSourceChecks()
  const ofInput = (remark: Message): Message => runMessage('of_input', { input: asked, remark })
  const context: StageContext = {
    ...asking,
    state: null,
    cursor: null,
    tracked: null,
    inputs: [],
    saveState: () => undefined,
    beforeCommit: checks.add,
    reached: () => undefined,
    log: (level, message) => asking.log(level, `Input ${asked}: ${message}`),
    logRejects: (message) => asking.logRejects(`Input ${asked}: ${message}`),
    note: (message) => asking.note(ofInput(message)),
    warn: (message) => asking.warn(ofInput(typeof message === 'string' ? verbatim(message) : message)),
    reject: (query) => rejectQuery(key, query),
    rejectEntries: (entries) => reject(key, entries),
    consume: async (_stream, work) => (await work()).value,
    async materialise(stream) {
      const table = session.newName('input')
      const rows = await session.createTable(table, stream.sql)
      if (stream.rows !== null) requireSameRows(stream.rows, rows, 'The rows of an input')
      return tableStream(table, stream.columns, rows)
    },
  }
  try {
    const began = performance.now()
    const stream = typed(await openSource(source, context, { limit }))
    const rows = await context.materialise(stream)
    await checks.hold()
    asking.log(
      'info',
      `Input ${asked}: ${(rows.rows ?? 0).toLocaleString('en')} rows (${Math.round(performance.now() - began)} ms)`,
    )
    return rows
  } catch (thrown) {
    const error = await checks.explain(readCastFailure(asEngineError(thrown)))
    if (error.code === 'CANCELLED') throw error
    throw new EngineError(error.code, runMessage('in_input', { input: asked, cause: error.reason }), {
      hint: error.fix,
      stage: asking.stage,
      misread: error.misread,
      cause: error.cause,
    })
  } finally {
    checks.end()
  }
}
