import { inFile } from './results.ts'
import type { ResultRequest } from '../results.types.ts'
import type { CallIo } from '../../worker-protocol.ts'

/** DuckDB's plan of a query, in JSON, with the checks and the session of a query. */
export async function explainDuckDb(request: ResultRequest, analyze: boolean, io: CallIo): Promise<string> {
  let plan = ''
  await inFile(request, io, async (session, sql) => {
    const [[, text] = []] = await session.rows(`EXPLAIN (${analyze ? 'ANALYZE, ' : ''}FORMAT JSON) ${sql}`)
    plan = String(text)
  })
  return plan
}
