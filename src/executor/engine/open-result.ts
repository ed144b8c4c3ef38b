import type { ResultPlan } from '../../contract/executor-results.ts'
import type { Binds } from '../../language/task/task.types.ts'
import { resultStreamer } from '../connectors/results.ts'
import type { ResultIo } from '../worker-protocol.ts'
import { callFailure } from './calls.ts'
import { asEngineError } from './errors.ts'
import { createResultWriter } from './result-writer.ts'

/** Runs a query that only reads, and sends its rows. Throws `CallFailure`. */
export async function openResult(plan: ResultPlan, io: ResultIo): Promise<void> {
  const { connector, query, format } = plan
  // JSON, as it came with the request.
  const request = { connector, query, parameters: plan.parameters as Binds, timeoutMs: plan.timeout_ms }
  const writer = createResultWriter(format, io.send)
  try {
    await resultStreamer(request)(request, writer, io)
    await writer.finish()
  } catch (thrown) {
    throw callFailure(asEngineError(thrown), 'result')
  } finally {
    writer.stop()
  }
}
