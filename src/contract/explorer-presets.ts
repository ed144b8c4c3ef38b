/** Explorer presets: queries that a team keeps. */
import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Id,
  IdParams,
  Name,
  Nullable,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'

const closed = { additionalProperties: false } as const
export const explorerActions = ['find', 'count', 'insert', 'update', 'delete'] as const
export const filterValueTypes = ['auto', 'string', 'number', 'boolean', 'null', 'objectId', 'date'] as const
export const presetParameterTypes = ['string', 'objectId', 'mongoRecord'] as const

const Field = Type.String({ maxLength: 1000 })
const Value = Type.String({
  maxLength: 100_000,
  description: 'A literal, or a placeholder `{{name}}` for a declared parameter',
})
const ValueType = Type.Optional(
  Type.Enum([...filterValueTypes], { description: 'What the value is; `objectId` for fields that hold ObjectIds' }),
)

export const ExplorerFilter = Type.Object(
  {
    field: Field,
    operator: Type.String({ maxLength: 100, examples: ['=', 'contains'] }),
    value: Value,
    valueType: ValueType,
  },
  { $id: 'ExplorerFilter', ...closed },
)
export type ExplorerFilter = Static<typeof ExplorerFilter>

export const ExplorerValue = Type.Object(
  { field: Field, value: Value, valueType: ValueType },
  { $id: 'ExplorerValue', ...closed },
)
export type ExplorerValue = Static<typeof ExplorerValue>

const Fields = Type.Array(Field, { maxItems: 100 })

/** `collection` and the properties after it are for `mongoRecord`. */
export const PresetParameter = Type.Object(
  {
    name: Type.String({ maxLength: 100, description: 'Letters, digits, and `_`; unique in the preset' }),
    label: Type.String({ maxLength: 200, description: 'Shown in the apply dialog' }),
    required: Type.Optional(Type.Boolean({ description: 'true if omitted' })),
    type: Type.Enum([...presetParameterTypes], {
      description:
        '`string`: text; `objectId`: 24 hexadecimal characters; `mongoRecord`: chosen from a collection of the preset’s MongoDB connector',
    }),
    defaultValue: Type.Optional(Type.String({ maxLength: 100_000 })),
    collection: Type.Optional(Type.String({ maxLength: 1000, description: 'Required for `mongoRecord`' })),
    valueField: Type.Optional(
      Type.String({ maxLength: 1000, description: 'Field whose value is used; `_id` by default' }),
    ),
    labelField: Type.Optional(Type.String({ maxLength: 1000, description: 'Field that names the record' })),
    descriptionFields: Type.Optional(Fields),
    searchFields: Type.Optional(Fields),
    filter: Type.Optional(Type.Unsafe<Record<string, unknown>>({ ...AnyObject, description: 'Limits the records' })),
    sort: Type.Optional(Type.Unsafe<Record<string, unknown>>({ ...AnyObject, description: 'MongoDB sort object' })),
  },
  { $id: 'PresetParameter', ...closed },
)
export type PresetParameter = Static<typeof PresetParameter>

export const ExplorerPresetDefinition = Type.Object(
  {
    mode: Type.Enum(['visual', 'raw']),
    action: Type.Optional(Type.Enum([...explorerActions], { description: '`find` if omitted' })),
    filters: Type.Optional(Type.Array(ref(ExplorerFilter), { maxItems: 200 })),
    values: Type.Optional(
      Type.Array(ref(ExplorerValue), { maxItems: 2000, description: 'What `insert` and `update` write' }),
    ),
    rawQuery: Type.Optional(
      Type.String({
        maxLength: 900_000,
        description:
          'For `raw`: SQL, MongoDB Extended JSON, or OData text. Placeholders are allowed inside strings of JSON only.',
      }),
    ),
    columns: Type.Optional(Type.Array(Field, { maxItems: 2000 })),
    limit: Type.Optional(Type.String({ maxLength: 20 })),
    sort: Type.Optional(Field),
    order: Type.Optional(Type.Enum(['asc', 'desc'])),
    resultView: Type.Optional(Type.Enum(['table', 'json'])),
    jsonata: Type.Optional(Type.String({ maxLength: 100_000 })),
    csvDelimiter: Type.Optional(Type.String({ maxLength: 10 })),
    parameters: Type.Optional(Type.Array(ref(PresetParameter), { maxItems: 50 })),
  },
  { $id: 'ExplorerPresetDefinition', ...closed },
)
export type ExplorerPresetDefinition = Static<typeof ExplorerPresetDefinition>

export const ExplorerPreset = Type.Object(
  {
    id: Id,
    name: Name,
    description: NullableString,
    connector_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'null: for all connectors',
    }),
    resource: Type.Unsafe<string | null>({
      ...NullableString,
      description: 'Table, collection, or file; null: for all resources of the connector',
    }),
    definition: ref(ExplorerPresetDefinition),
    created_by: Type.Integer({ description: 'User' }),
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'ExplorerPreset' },
)
export type ExplorerPreset = Static<typeof ExplorerPreset>

const ExplorerPresetBody = Type.Object(
  {
    name: Name,
    description: Type.Optional(Nullable(Type.String({ maxLength: 2000 }))),
    connector_id: Type.Optional(Nullable(Id)),
    resource: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 1000 }))),
    definition: ref(ExplorerPresetDefinition),
  },
  closed,
)

const base = { tag: 'Explorer Presets', security: 'caller' } as const

export const listExplorerPresets = operation({
  ...base,
  id: 'listExplorerPresets',
  method: 'GET',
  path: '/api/explorer-presets',
  summary: 'List Explorer presets, newest first',
  description:
    '`connector_id` and `resource` name a place in the Explorer: the list then has the presets of this resource, of the connector as a whole, and those for all connectors. `resource` needs `connector_id`.',
  query: listQuery({
    connector_id: Type.Optional(Id),
    resource: Type.Optional(Type.String({ minLength: 1, maxLength: 1000 })),
    q: Type.Optional(SearchQuery),
  }),
  responses: { 200: paginated(ref(ExplorerPreset)) },
  errors: ['VALIDATION_ERROR'],
})
export const createExplorerPreset = operation({
  ...base,
  id: 'createExplorerPreset',
  method: 'POST',
  path: '/api/explorer-presets',
  summary: 'Create an Explorer preset',
  description: 'A preset gives no access: anyone who applies it needs the rights for its query.',
  body: ExplorerPresetBody,
  idempotent: true,
  etag: true,
  responses: { 201: ref(ExplorerPreset) },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const getExplorerPreset = operation({
  ...base,
  id: 'getExplorerPreset',
  method: 'GET',
  path: '/api/explorer-presets/{id}',
  summary: 'Get an Explorer preset',
  params: IdParams,
  etag: true,
  responses: { 200: ref(ExplorerPreset) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateExplorerPreset = operation({
  ...base,
  id: 'updateExplorerPreset',
  method: 'PUT',
  path: '/api/explorer-presets/{id}',
  summary: 'Update an Explorer preset',
  description: 'Editors can update their own presets, admins can update all (403 for others).',
  params: IdParams,
  body: ExplorerPresetBody,
  ifMatch: true,
  etag: true,
  responses: { 200: ref(ExplorerPreset) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const deleteExplorerPreset = operation({
  ...base,
  id: 'deleteExplorerPreset',
  method: 'DELETE',
  path: '/api/explorer-presets/{id}',
  summary: 'Delete an Explorer preset',
  description: 'Editors can delete their own presets, admins can delete all (403 for others).',
  params: IdParams,
  responses: { 204: Type.Undefined() },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
