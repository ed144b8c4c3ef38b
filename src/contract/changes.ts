/** Changes of data in connected systems: reviewed first, sent when they are confirmed. */
import Type, { type Static } from 'typebox'
import { IdParams, Nullable, NullableInteger, NullableString, NullableTimestamp } from './common.ts'
import { ExplorerPresetDefinition } from './explorer-presets.ts'
import { operation, ref } from './operation.ts'

const closed = { additionalProperties: false } as const

/** Rows of a table by column, in the forms of the types; the one of a collection is `document`. */
const Values = (description: string) =>
  Type.Record(Type.String({ maxLength: 1000 }), Type.Unknown(), { maxProperties: 2000, description })
const Original = Values(
  'The row as it was read, with its key. Omitted columns are not compared. Collections: `document`',
)

export const RowEdit = Type.Union(
  [
    Type.Object({ kind: Type.Literal('insert'), values: Values('Omitted columns get their defaults') }, closed),
    Type.Object(
      {
        kind: Type.Literal('update'),
        original: Original,
        values: Values('What changes. Collections: `document`, which replaces the old one'),
      },
      closed,
    ),
    Type.Object({ kind: Type.Literal('delete'), original: Original }, closed),
  ],
  { $id: 'RowEdit' },
)
export type RowEdit = Static<typeof RowEdit>

export const mostEdits = 1000

const ChangeStatement = Type.Object(
  {
    statement: Type.String({ description: 'As it is sent' }),
    values: Type.Array(
      Type.Object({
        name: Type.String({ description: 'The column, or the `:name`' }),
        type: Type.String({ description: 'The type of the column, as the system calls it; empty if it has no name' }),
        value: Type.Unknown({ description: 'In the form of its type' }),
      }),
      { description: 'What is bound, in order' },
    ),
    rows: Type.Integer({ minimum: 0, description: 'Rows that the statement touches, by a count query' }),
    changed: {
      ...NullableInteger,
      description:
        'Rows that the system reports as changed. Null before it was sent, and where the system reports all statements together. Fewer than `rows`: a trigger skipped rows, or values stayed as they were',
    },
    edit: { ...NullableInteger, description: 'Index in `edits`' },
  },
  { $id: 'ChangeStatement' },
)
export type ChangeStatement = Static<typeof ChangeStatement>

export const changeConflicts = ['gone', 'changed', 'ambiguous', 'differs'] as const

/** How an executor reports on changes. */
export const ChangesReport = Type.Object(
  {
    outcome: Type.Enum(['reviewed', 'written', 'conflict', 'partly', 'unknown']),
    statements: Type.Array(ref(ChangeStatement)),
    rows: Type.Integer(),
    changed: NullableInteger,
    transaction: Type.Boolean(),
    digest: Type.String(),
    conflicts: Type.Array(
      Type.Object({
        edit: NullableInteger,
        problem: Type.Enum([...changeConflicts]),
        fields: Type.Array(Type.String()),
      }),
    ),
    problem: NullableString,
  },
  { $id: 'ChangesReport' },
)
export type ChangesReport = Static<typeof ChangesReport>

export const ChangesResult = Type.Object(
  {
    state: Type.Enum(['review', 'written'], { description: 'review: nothing was sent yet' }),
    statements: Type.Array(ref(ChangeStatement), { description: 'In the order in which they are sent' }),
    rows: Type.Integer({ description: 'Rows that the statements touch' }),
    changed: { ...NullableInteger, description: 'Rows that the system reports as changed; null before it was sent' },
    transaction: Type.Boolean({
      description: 'Whether the system writes all or nothing. If not, earlier statements stay when a later one fails',
    }),
    confirmation: Nullable(
      Type.String({ description: 'Sends these changes when it is given with the same body. Works once' }),
    ),
    expires_at: { ...NullableTimestamp, description: 'Of the confirmation' },
    connector_name_required: Type.Boolean({
      description: 'Whether `connector_name` must be given: the connector is marked production',
    }),
    duration_ms: Type.Integer(),
  },
  { $id: 'ChangesResult' },
)
export type ChangesResult = Static<typeof ChangesResult>

/** What an executor is to write. */
export const PlannedChanges = Type.Union(
  [
    Type.Object({ kind: Type.Literal('edits'), resource: Type.String(), edits: Type.Array(ref(RowEdit)) }),
    Type.Object({
      kind: Type.Literal('builder'),
      resource: Type.String(),
      action: Type.Enum(['insert', 'update', 'delete']),
      definition: ref(ExplorerPresetDefinition),
      parameters: Type.Record(Type.String(), Type.Unknown()),
    }),
    Type.Object({
      kind: Type.Literal('raw'),
      query: Type.String(),
      parameters: Type.Record(Type.String(), Type.Unknown()),
    }),
  ],
  { $id: 'PlannedChanges' },
)
export type PlannedChanges = Static<typeof PlannedChanges>

export const changeConnectorData = operation({
  id: 'changeConnectorData',
  method: 'POST',
  path: '/api/connectors/{id}/changes',
  tag: 'Queries',
  summary: 'Review changes of data, then send them',
  description:
    'Without `confirmation`, nothing is sent: the answer has the statements with the values they bind, the number of rows that each touches, and a confirmation. With it and the same body, the statements are sent, in one transaction where the system has them. A confirmation works once, for ten minutes, and for the user who reviewed the changes. If a row isn’t as it was read anymore, or a statement would touch other rows than reviewed, nothing is sent (409). A 504 `changes_outcome_unknown` means that no one knows whether the changes were written: check the data before you repeat them.',
  security: 'caller',
  params: IdParams,
  bodyLimit: 16 * 1_048_576,
  body: Type.Object(
    {
      resource: Type.Optional(
        Type.String({ minLength: 1, maxLength: 1000, description: 'Table or collection; not for `raw`' }),
      ),
      edits: Type.Optional(Type.Array(ref(RowEdit), { minItems: 1, maxItems: mostEdits })),
      definition: Type.Optional(ref(ExplorerPresetDefinition)),
      parameters: Type.Optional(
        Type.Record(Type.String({ pattern: '^\\w+$' }), Type.Unknown(), {
          description: 'Values for `{{name}}`, and for `:name` in SQL',
        }),
      ),
      confirmation: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]{16,100}$', maxLength: 100 })),
      connector_name: Type.Optional(
        Type.String({ maxLength: 200, description: 'The connector’s name, as a second question on production' }),
      ),
      timeout_s: Type.Optional(Type.Integer({ minimum: 1, maximum: 600, default: 60 })),
    },
    { ...closed, description: '`edits` or `definition`' },
  ),
  responses: { 200: ref(ChangesResult) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
  messages: {
    CONFLICT:
      'Nothing was sent: a row was changed by someone else, a statement would touch other rows than reviewed, or the confirmation is no longer valid.',
    TIMEOUT: 'No answer in time. `changes_outcome_unknown`: the changes may have been written.',
  },
})
