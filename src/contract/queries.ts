/** Queries: read a connected system in its own language, page by page or as a whole. */
import Type, { type Static } from 'typebox'
import { Id, IdParams, NullableString, Row, Success } from './common.ts'
import { ExplorerPresetDefinition } from './explorer-presets.ts'
import { FormulaGuard } from './formula.ts'
import { operation, ref } from './operation.ts'
import { CutValue, QueryField } from './query-values.ts'

const closed = { additionalProperties: false } as const
export const QueryParams = Type.Object({ id: Id, queryId: Type.String({ minLength: 1, maxLength: 100 }) })

const page = {
  offset: Type.Integer({ minimum: 0, description: 'Number of the first of these rows in the complete result' }),
  rows: Type.Array(Row, { description: 'Can be fewer than `page_size` before the end' }),
  cut: Type.Array(ref(CutValue), { description: 'Values that are too long for a page; see `getQueryCell`' }),
  nextCursor: { ...NullableString, description: 'Of the next page; null: these are the last rows' },
  row_count: Type.Integer({ description: 'Rows that are known so far; all of them if `complete`' }),
  complete: Type.Boolean({ description: 'Whether the system has given its last row' }),
  first_row: Type.Integer({
    description:
      'Number of the first row that can still be read. More than 0 only for results of more than 2 GiB, and where the server’s disk is nearly full',
  }),
}
export const QueryPage = Type.Object(page, { $id: 'QueryPage' })
export type QueryPage = Static<typeof QueryPage>

export const QueryResult = Type.Object(
  {
    query_id: Type.String({ description: 'Of the held result. It works for the user who ran the query' }),
    statement: Type.String({ description: 'What was sent to the system' }),
    fields: Type.Array(ref(QueryField)),
    duration_ms: Type.Integer({ description: 'Until these rows were there' }),
    ...page,
  },
  { $id: 'QueryResult' },
)
export type QueryResult = Static<typeof QueryResult>

/** What is asked of a connector. */
export const AskedQuery = {
  definition: ref(ExplorerPresetDefinition),
  resource: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'For `visual`: the table, collection, entity set, or file; for HTTP a path. As `listResources` names it.',
      examples: ['orders'],
    }),
  ),
  parameters: Type.Optional(
    Type.Record(Type.String({ pattern: '^\\w+$' }), Type.Unknown(), {
      description:
        'Values for `:name` of a query, or for `{{name}}` of the parameters of the definition. They are bound, never put into the text',
    }),
  ),
}

const PageSize = Type.Integer({ minimum: 1, maximum: 5000, default: 100, description: 'Rows of a page, at most' })
export const mostTimeoutSeconds = 3600
const far = ['CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'] as const
export const gone = {
  CONFLICT:
    'The result is no longer held: it was cancelled, not used for five minutes, or its executor ended. Run the query again.',
} as const

export const queryConnector = operation({
  id: 'queryConnector',
  method: 'POST',
  path: '/api/connectors/{id}/query',
  tag: 'Queries',
  summary: 'Run a query that only reads; get its first rows',
  description:
    'Conditions (`visual`) become a statement in the language of the system; `raw` is sent as it is. `insert`, `update`, and `delete` are refused. The result is held until it is cancelled, or no page was asked for in five minutes. If the client disconnects before the first page, the query is cancelled. Sessions at the system are read-only; statements that write are refused.',
  security: 'caller',
  params: IdParams,
  body: Type.Object(
    {
      ...AskedQuery,
      page_size: Type.Optional(PageSize),
      timeout_s: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostTimeoutSeconds,
          default: 300,
          description: 'How long the system may take without giving a row',
        }),
      ),
    },
    closed,
  ),
  responses: { 200: ref(QueryResult) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...far],
  messages: gone,
})

export const getQueryPage = operation({
  id: 'getQueryPage',
  method: 'GET',
  path: '/api/connectors/{id}/query/{queryId}',
  tag: 'Queries',
  summary: 'Get rows of a result',
  description:
    'Rows that were read can be read again, in any order. A later `row` has the server read on until it is there.',
  security: 'caller',
  params: QueryParams,
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`nextCursor` of an earlier page' })),
      row: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'Number of the first row in the complete result, from 0; instead of `cursor`',
        }),
      ),
      page_size: Type.Optional(PageSize),
    },
    closed,
  ),
  responses: { 200: ref(QueryPage) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...far],
  messages: gone,
})

export const getQueryCell = operation({
  id: 'getQueryCell',
  method: 'GET',
  path: '/api/connectors/{id}/query/{queryId}/cell',
  tag: 'Queries',
  summary: 'Get one value in full',
  description: 'For values that pages shorten (`cut`). The body is the value in JSON, in the form of its type.',
  security: 'caller',
  params: QueryParams,
  query: Type.Object(
    {
      row: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Number of the row in the complete result, from 0',
      }),
      field: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Number of the field, from 0' }),
    },
    closed,
  ),
  responses: {},
  streams: { 200: 'application/json' },
  lines: Type.Unknown({ description: 'The value' }),
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...far],
  messages: gone,
})

export const cancelQuery = operation({
  id: 'cancelQuery',
  method: 'POST',
  path: '/api/connectors/{id}/query/{queryId}/cancel',
  tag: 'Queries',
  summary: 'End a query and what the system does for it',
  description: 'Also its exports. A query that has ended stays ended.',
  security: 'caller',
  params: QueryParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})

export const exportTypes = {
  csv: 'text/csv; charset=utf-8',
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const
type ExportFormat = keyof typeof exportTypes

export const exportQuery = operation({
  id: 'exportQuery',
  method: 'POST',
  path: '/api/connectors/{id}/query/{queryId}/export',
  tag: 'Queries',
  summary: 'Run the query again and download its complete result',
  description:
    'Sent as it is read, as fast as the client takes it. If the system fails before the last row, the connection is broken off, so that a partial file is never mistaken for a complete one. Fields that share a name are numbered: `id`, `id_2`. In CSV, NULL is an empty field, empty text is `""`, and bytes are hexadecimal after `\\x`. Parquet and Excel files are made before their first byte is sent; a sheet of Excel holds 1,048,575 rows.',
  security: 'caller',
  params: QueryParams,
  body: Type.Object(
    {
      format: Type.Enum(Object.keys(exportTypes) as ExportFormat[]),
      delimiter: Type.Optional(
        Type.Enum([',', ';', '\t', '|'], { default: ',', description: 'Between the fields of CSV' }),
      ),
      header: Type.Optional(
        Type.Boolean({ default: true, description: 'Whether the first line of CSV has the names' }),
      ),
      formula_guard: Type.Optional(FormulaGuard),
    },
    closed,
  ),
  responses: {},
  streams: { 200: Object.values(exportTypes).map((type) => type.split(';', 1)[0]!) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', ...far],
  messages: gone,
})
