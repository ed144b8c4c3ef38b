/** Result sessions: an executor keeps one connection and one cursor open, and delivers rows in numbered chunks. */
import Type, { type Static } from 'typebox'
import { AnyObject } from './common.ts'
import { CallError } from './executor-calls.ts'
import { Accepted, BoundConnector, ExecutorHeaders } from './executor-protocol.ts'
import { operation, ref } from './operation.ts'
import { CutValue, QueryField } from './query-values.ts'

const closed = { additionalProperties: false } as const

/** Bytes of the rows in one chunk, at most. */
export const mostChunkBytes = 4 * 1_048_576
/** Chunks of one session that the control plane has taken and nobody has read; more are not sent. */
export const mostChunks = 2
/** What one executor holds open at a time. */
export const mostResults = 4

/** What the rows of the chunks are: arrays in JSON, a line each, or the bytes of a file. */
export const ResultFormat = Type.Union([
  Type.Object({ kind: Type.Literal('rows') }, closed),
  Type.Object({ kind: Type.Literal('ndjson') }, closed),
  Type.Object({ kind: Type.Literal('json') }, closed),
  Type.Object(
    { kind: Type.Literal('csv'), delimiter: Type.String(), header: Type.Boolean(), formula_guard: Type.Boolean() },
    closed,
  ),
  Type.Object({ kind: Type.Literal('parquet') }, closed),
  Type.Object({ kind: Type.Literal('xlsx') }, closed),
])
export type ResultFormat = Static<typeof ResultFormat>

export const ResultPlan = Type.Object(
  {
    result_id: Type.String(),
    connector: ref(BoundConnector),
    query: Type.String(),
    parameters: AnyObject,
    format: ResultFormat,
    timeout_ms: Type.Integer({ description: 'How long the system may take without giving a row' }),
  },
  { $id: 'ResultPlan' },
)
export type ResultPlan = Static<typeof ResultPlan>

/** The first line of a chunk, in JSON; its rows follow. Not among the OpenAPI document's schemas, as no body is just this. */
export const ChunkHead = Type.Object(
  {
    seq: Type.Integer({ minimum: 1, description: 'Counted from 1' }),
    rows: Type.Integer({ minimum: 0 }),
    start: Type.Optional(
      Type.Object({ fields: Type.Array(QueryField), statement: Type.String() }, { description: 'In the first' }),
    ),
    cut: Type.Optional(Type.Array(CutValue)),
    cell: Type.Optional(
      Type.Object(
        { row: Type.Integer({ minimum: 0 }), field: Type.Integer({ minimum: 0 }) },
        { description: 'The bytes are the next piece of this value of `cut`, in JSON. It comes before its row' },
      ),
    ),
    total: Type.Optional(Type.Integer({ description: 'In the last: all rows of the result' })),
    error: Type.Optional(CallError),
  },
  closed,
)
export type ChunkHead = Static<typeof ChunkHead>

const ResultParams = Type.Object({ resultId: Type.String({ maxLength: 100 }) })
export const chunkType = 'application/octet-stream'

export const postResultChunk = operation({
  id: 'postResultChunk',
  method: 'POST',
  path: '/api/executor/results/{resultId}/chunks',
  tag: 'Executor Callbacks',
  summary: 'Deliver the next rows of a result session',
  description:
    'A line with the ChunkHead, then the rows. 404: no one wants them, and the session ends. Instead of the executor key, its HMAC-SHA-256 over the result’s id is accepted, in hexadecimal.',
  security: 'executor',
  params: ResultParams,
  headers: ExecutorHeaders,
  body: Type.String({ description: 'ChunkHead, line feed, rows' }),
  bodyTypes: [chunkType],
  bodyLimit: mostChunkBytes + 1_048_576,
  responses: { 200: ref(Accepted) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
})

export const attendResult = operation({
  id: 'attendResult',
  method: 'POST',
  path: '/api/executor/results/{resultId}/attend',
  tag: 'Executor Callbacks',
  summary: 'Wait until rows of a result session have been read',
  description: 'Answers when more than `seen` chunks have been read, or after a while. 404: the session is to end.',
  security: 'executor',
  params: ResultParams,
  headers: ExecutorHeaders,
  body: Type.Object({ seen: Type.Integer({ minimum: 0 }) }, closed),
  responses: { 200: Type.Object({ read: Type.Integer({ description: 'Chunks that have been read' }) }) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
