/** Plans: how a system would run a query, in one form for all. */
import Type, { type Static } from 'typebox'
import { IdParams, NullableInteger, NullableNumber } from './common.ts'
import { operation, ref } from './operation.ts'
import { AskedQuery } from './queries.ts'

const closed = { additionalProperties: false } as const

export const PlanNode = Type.Object(
  {
    parent: { ...NullableInteger, description: 'Index in `nodes`; null: a root. Parents come before their children' },
    node: Type.String({ description: 'What is done, as the system calls it', examples: ['Seq Scan'] }),
    detail: Type.Array(Type.String(), { description: 'On what, by which condition, and so on' }),
    rows: { ...NullableNumber, description: 'Rows that the system expects' },
    cost: { ...NullableNumber, description: 'In the system’s own unit, with what is below' },
    actual_rows: { ...NullableNumber, description: 'Rows that came, over all loops; only if `analyzed`' },
    time_ms: { ...NullableNumber, description: 'Time, over all loops; only if `analyzed`' },
  },
  { $id: 'PlanNode' },
)
export type PlanNode = Static<typeof PlanNode>

export const QueryPlan = Type.Object(
  {
    statement: Type.String({ description: 'The query that was explained' }),
    analyzed: Type.Boolean({ description: 'Whether the query was run and measured' }),
    time_includes_children: Type.Boolean({ description: 'Whether `time_ms` has the time of what is below' }),
    nodes: Type.Array(ref(PlanNode)),
    raw: Type.String({ description: 'The plan as the system writes it; at most 1,000,000 characters' }),
  },
  { $id: 'QueryPlan' },
)
export type QueryPlan = Static<typeof QueryPlan>

/** Systems that explain; `analyze`: that also measure. */
export const explainable: Readonly<Record<string, { analyze: boolean }>> = {
  postgres: { analyze: true },
  mysql: { analyze: true },
  sqlite: { analyze: false },
  duckdb: { analyze: true },
  mongodb: { analyze: true },
}

export const explainQuery = operation({
  id: 'explainQuery',
  method: 'POST',
  path: '/api/connectors/{id}/explain',
  tag: 'Queries',
  summary: 'Get the plan of a query',
  description:
    'For PostgreSQL, MySQL, MariaDB, SQLite, DuckDB, and MongoDB. With `analyze`, the query is run in the same read-only session as every query, and each step has what it took; SQLite and MySQL (unlike MariaDB) can’t do that. Statements that write are never run.',
  security: 'caller',
  params: IdParams,
  body: Type.Object(
    {
      ...AskedQuery,
      analyze: Type.Optional(Type.Boolean({ default: false, description: 'Run the query and measure each step' })),
      timeout_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 600, default: 60 })),
    },
    closed,
  ),
  responses: { 200: ref(QueryPlan) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
})
