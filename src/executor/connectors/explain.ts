import type { QueryPlan } from '../../contract/explain.ts'
import type { CallWork } from '../worker-protocol.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Binds } from '../../language/task/task.types.ts'
import { EngineError } from '../engine/errors.ts'
import type { CallIo } from '../worker-protocol.ts'
import { explainDuckDb } from './duckdb/explain.ts'
import { duckDbPlan, mongoPlan, mysqlPlan, postgresPlan, sqlitePlan } from './explain/plan-nodes.ts'
import { explainMongo } from './mongodb/explain.ts'
import { mustBeginWith, notAllowed, outlineOf } from './read-only.ts'
import { resultSystem } from './results.ts'
import type { ResultRequest } from './results.types.ts'

type Explain = (
  request: ResultRequest,
  analyze: boolean,
  io: CallIo,
) => Promise<Omit<QueryPlan, 'statement' | 'analyzed'>>
const reading = ['select', 'with', 'values', 'table'] as const

/** The plan of a query; whatever it does, it does in a session that only reads, and after the checks of every query. */
export async function explainQuery(
  { connector, query, parameters, analyze, timeout_ms }: Extract<CallWork, { kind: 'explain' }>,
  io: CallIo,
): Promise<QueryPlan> {
  const explain = Object.hasOwn(systems, connector.type) ? systems[connector.type] : undefined
  if (!explain)
    throw new EngineError(
      'CONNECTOR_UNSUITABLE',
      runMessage('explain_unsupported', { connector: connector.name, type: connector.type }),
      { hint: runMessage('connector_not_queryable_fix', { types: Object.keys(systems) }) },
    )
  // JSON, as it came with the request.
  const request = { connector, query, parameters: parameters as Binds, timeoutMs: timeout_ms }
  const { raw, ...plan } = await explain(request, analyze, io)
  return { statement: query, analyzed: analyze, ...plan, raw: raw.slice(0, 1_000_000) }
}

const systems: Record<string, Explain> = {
  async postgres(request, analyze, io) {
    const outline = outlineOf(request.query, 'postgres')
    mustBeginWith(reading, outline)
    // PostgreSQL makes the table of a SELECT INTO even when it explains it in a session that only reads; it would be rolled back.
    if (outline.words.includes('into'))
      throw notAllowed(runMessage('query_begins_with', { allowed: ['SELECT', 'WITH', 'VALUES', 'TABLE'] }))
    const options = analyze ? 'ANALYZE, FORMAT JSON' : 'FORMAT JSON'
    const [[raw] = []] = await rowsOf({ ...request, query: `EXPLAIN (${options}) ${request.query}` }, io)
    return { nodes: postgresPlan(JSON.parse(String(raw))), raw: String(raw), time_includes_children: true }
  },
  async mysql(request, analyze, io) {
    mustBeginWith(reading, outlineOf(request.query, 'mysql'))
    if (analyze) await mustMeasure(request, io)
    const query = `${analyze ? 'ANALYZE' : 'EXPLAIN'} FORMAT=JSON ${request.query}`
    const [[raw] = []] = await rowsOf({ ...request, query }, io)
    return { nodes: mysqlPlan(JSON.parse(String(raw))), raw: String(raw), time_includes_children: true }
  },
  async sqlite(request, analyze, io) {
    mustBeginWith(reading, outlineOf(request.query, 'sqlite'))
    if (analyze) throw withoutMeasures('SQLite')
    const rows = await rowsOf({ ...request, query: `EXPLAIN QUERY PLAN ${request.query}` }, io)
    const plain = rows.map((row) => row.map(plainOf))
    return {
      nodes: sqlitePlan(plain),
      raw: plain.map(([id, parent, , detail]) => `${String(id)} ${String(parent)} ${String(detail)}`).join('\n'),
      time_includes_children: false,
    }
  },
  async duckdb(request, analyze, io) {
    const raw = await explainDuckDb(request, analyze, io)
    return { nodes: duckDbPlan(JSON.parse(raw)), raw, time_includes_children: false }
  },
  async mongodb(request, analyze, io) {
    const raw = await explainMongo(request, analyze, io)
    return { nodes: mongoPlan(JSON.parse(raw)), raw, time_includes_children: true }
  },
}

/** A value of a column without a type, which says itself what it is. */
const plainOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? Object.values(value)[0] : value

async function rowsOf(request: ResultRequest, io: CallIo): Promise<unknown[][]> {
  const rows: unknown[][] = []
  const sink = { start: () => undefined, row: (values: readonly unknown[]) => (rows.push([...values]), null) }
  await resultSystem(request).stream(request, sink, io)
  return rows
}

function withoutMeasures(system: string): EngineError {
  return new EngineError('CONNECTOR_UNSUITABLE', runMessage('explain_without_measures', { system }), {
    hint: runMessage('explain_without_measures_fix'),
  })
}

/** MySQL itself measures in another form, as text. */
async function mustMeasure(request: ResultRequest, io: CallIo): Promise<void> {
  const [[version] = []] = await rowsOf({ ...request, query: 'SELECT version()', parameters: {} }, io)
  if (!/mariadb/i.test(String(version))) throw withoutMeasures('MySQL')
}
