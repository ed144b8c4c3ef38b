import type { ResultPlan } from '../../contract/executor-results.ts'
import type { Binds } from '../../language/task/task.types.ts'
import { resultSystem } from '../connectors/results.ts'
import type { ResultIo } from '../worker-protocol.ts'
import { callFailure } from './calls.ts'
import { asEngineError } from './errors.ts'
import { createResultFile } from './result-file.ts'
import { createResultSpool } from './result-spool.ts'
import { createResultWriter } from './result-writer.ts'

/** Runs a query that only reads, and sends its rows. Throws `CallFailure`. */
export async function openResult(plan: ResultPlan, io: ResultIo): Promise<void> {
  const { connector, query, format } = plan
  // JSON, as it came with the request.
  const request = { connector, query, parameters: plan.parameters as Binds, timeoutMs: plan.timeout_ms }
  const system = asFailure(() => resultSystem(request))
  const spool = system.holdsFile ? createResultSpool(io) : null
  const send = spool?.send ?? io.send
  const writer =
    format.kind === 'parquet' || format.kind === 'xlsx'
      ? createResultFile(format.kind, { ...io, send })
      : createResultWriter(format, send)
  try {
    await system.stream(request, writer, io)
    await writer.finish()
    await spool?.drained()
  } catch (thrown) {
    const error = asEngineError(thrown)
    throw callFailure(error, 'result', placeIn(query, (await system.mistakeAt?.(error, query)) ?? null))
  } finally {
    await writer.stop()
    await spool?.close()
  }
}

function asFailure<T>(work: () => T): T {
  try {
    return work()
  } catch (thrown) {
    throw callFailure(asEngineError(thrown), 'result')
  }
}

/** Line and column, from 1. */
function placeIn(text: string, offset: number | null): { line: number; column: number } | undefined {
  if (offset === null) return undefined
  const lines = text.slice(0, offset).split('\n')
  return { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
}
