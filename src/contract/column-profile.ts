/** What the values of one column of a result are. */
import Type, { type Static } from 'typebox'
import { Nullable } from './common.ts'
import { operation, ref } from './operation.ts'
import { QueryParams, gone } from './queries.ts'
import { type ValueType, valueTypes } from './query-values.ts'

const closed = { additionalProperties: false } as const
const Count = (description: string) => Type.Integer({ minimum: 0, description })

export const ProfileValue = Type.Object(
  {
    type: Type.Enum(Object.keys(valueTypes) as ValueType[], { description: 'The form of `value`, as in `QueryField`' }),
    value: Type.Unknown(),
    cut: Type.Boolean({ description: 'Whether these are only the first characters of a long value' }),
  },
  { $id: 'ProfileValue' },
)
export type ProfileValue = Static<typeof ProfileValue>

/** Characters that values of a profile have at most; a multiple of four, so that shortened base64 stays such. */
export const mostProfileCharacters = 1000
export const mostTopValues = 10

export const ColumnProfile = Type.Object(
  {
    rows: Count('Rows of the result'),
    nulls: Count('Rows whose value is NULL'),
    distinct: Count('Different values, as the system compares them; NULL isn’t one'),
    ordered: Type.Boolean({ description: 'Whether the system orders values of this type' }),
    min: { ...Nullable(ref(ProfileValue)), description: 'null if there is no value, or they aren’t ordered' },
    max: Nullable(ref(ProfileValue)),
    top: Type.Array(Type.Object({ value: ref(ProfileValue), rows: Count('Rows with this value') }), {
      maxItems: mostTopValues,
      description: 'The most frequent values; empty if no value occurs twice',
    }),
    statements: Type.Array(Type.String(), { description: 'What was sent to the system' }),
  },
  { $id: 'ColumnProfile' },
)
export type ColumnProfile = Static<typeof ColumnProfile>

/** Types of connectors whose system profiles the complete result. */
export const profiledTypes: readonly string[] = ['postgres', 'mysql', 'sqlite', 'duckdb', 'file', 's3', 'sftp']

export const profileColumn = operation({
  id: 'profileColumn',
  method: 'POST',
  path: '/api/connectors/{id}/query/{queryId}/profile',
  tag: 'Queries',
  summary: 'Count the values of a column over the complete result',
  description:
    'For PostgreSQL, MySQL, MariaDB, SQLite, DuckDB, and files. Runs two statements around the query of a held result, in the same read-only session as every query: the rows are those that the system has now. Only for queries that begin with SELECT, WITH, VALUES, or TABLE. If the client disconnects, the statements are cancelled.',
  security: 'caller',
  params: QueryParams,
  body: Type.Object(
    {
      field: Type.Integer({ minimum: 0, maximum: 100_000, description: 'Number of the field, from 0' }),
      timeout_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 600, default: 30 })),
    },
    closed,
  ),
  responses: { 200: ref(ColumnProfile) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
  messages: gone,
})
