/** Records of a collection, of which one is chosen as the value of a parameter. */
import Type, { type Static } from 'typebox'
import { Id, IdParams, NullableString, SearchQuery } from './common.ts'
import { PresetParameter } from './explorer-presets.ts'
import { operation, ref } from './operation.ts'

const closed = { additionalProperties: false } as const

export const PickedRecord = Type.Object(
  {
    value: {
      ...NullableString,
      description:
        'The value for the parameter: text of `valueField`. null: the record can’t be chosen, because the field is missing, NULL, a list, or an object',
    },
    label: Type.String({ description: 'Text of `labelField`; the value if there is none' }),
    description: Type.Array(
      Type.Object({ field: Type.String(), text: Type.String({ description: 'Objects and lists as JSON' }) }),
      { description: 'Of `descriptionFields`, those that the record has' },
    ),
  },
  { $id: 'PickedRecord' },
)
export type PickedRecord = Static<typeof PickedRecord>

export const RecordsPage = Type.Object(
  {
    records: Type.Array(ref(PickedRecord)),
    next_cursor: { ...NullableString, description: 'Of the next page; null: these are the last records' },
    selected: Type.Unsafe<PickedRecord | null>({
      anyOf: [ref(PickedRecord), { type: 'null' }],
      description: 'The record of `value`, on whichever page it is; null: none, or no `value` was sent',
    }),
  },
  { $id: 'RecordsPage' },
)
export type RecordsPage = Static<typeof RecordsPage>

export const listRecords = operation({
  id: 'listRecords',
  method: 'POST',
  path: '/api/connectors/{id}/records',
  tag: 'Queries',
  summary: 'Get a page of the records that a `mongoRecord` parameter offers',
  description:
    'Searched and paged by MongoDB, sorted by `sort`, else by the label. Who may not write queries can use a `filter` only as a saved preset has it: send its id.',
  security: 'caller',
  audited: false,
  params: IdParams,
  body: Type.Object(
    {
      parameter: ref(PresetParameter),
      preset_id: Type.Optional({ ...Id, description: 'The preset that the parameter is from' }),
      q: Type.Optional(SearchQuery),
      value: Type.Optional(Type.String({ maxLength: 100_000, description: 'The chosen value, for `selected`' })),
      cursor: Type.Optional(Type.String({ maxLength: 1000, description: '`next_cursor` of an earlier page' })),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
    },
    closed,
  ),
  responses: { 200: ref(RecordsPage) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
})
