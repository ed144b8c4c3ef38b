import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Column,
  Flag,
  Id,
  IdParams,
  Name,
  NamePrefix,
  NullableString,
  NullableTimestamp,
  Row,
  SearchQuery,
  SortOrder,
  Success,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { connectorTypes } from './connector-types.ts'
import { operation, ref } from './operation.ts'
import { MessageParams } from './errors.ts'

export const environments = ['development', 'staging', 'production'] as const

export const ConnectorCheck = Type.Object(
  {
    name: Type.String({ examples: ['connect', 'authenticate', 'read_probe', 'write_probe'] }),
    ok: Type.Boolean(),
    message: Type.Optional(Type.String({ description: 'Short summary, set on failure' })),
    params: Type.Optional(MessageParams),
    error: Type.Optional(
      Type.Object({ name: Type.String(), message: Type.String(), code: Type.Optional(Type.String()) }),
    ),
    duration_ms: Type.Number(),
  },
  { $id: 'ConnectorCheck' },
)
export type ConnectorCheck = Static<typeof ConnectorCheck>
export const ConnectorTestResult = Type.Object(
  {
    ok: Type.Boolean(),
    checks: Type.Array(ref(ConnectorCheck)),
    executor: Type.Optional(Type.String({ description: 'Name of the executor that ran the test' })),
  },
  { $id: 'ConnectorTestResult' },
)
export type ConnectorTestResult = Static<typeof ConnectorTestResult>

export const Connector = Type.Object(
  {
    id: Id,
    name: Name,
    type: Type.Enum([...connectorTypes]),
    description: NullableString,
    config: AnyObject,
    secrets: Type.Record(Type.String(), Type.Object({ set: Type.Boolean() }), {
      description: 'Which secrets are stored; their values are never returned',
    }),
    environment: Type.Enum([...environments]),
    viewer_raw: Type.Boolean({
      description:
        'Whether viewers may send `raw` queries. If not, they query with conditions and presets of conditions',
    }),
    archived: Flag,
    last_test: Type.Union([ref(ConnectorTestResult), Type.Null()]),
    last_test_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'Connector' },
)
export type Connector = Static<typeof Connector>

const connectorBody = {
  name: Name,
  type: Type.Enum([...connectorTypes]),
  config: AnyObject,
  secrets: Type.Optional(
    Type.Record(Type.String(), Type.Union([Type.String({ maxLength: 65536 }), Type.Null()]), {
      description: 'Write-only. Omit a secret to keep the stored one; null removes it.',
    }),
  ),
  description: Type.Optional(Type.String({ maxLength: 2000 })),
  environment: Type.Optional(Type.Enum([...environments])),
  viewer_raw: Type.Optional(Type.Boolean({ default: false, description: 'Lets viewers send `raw` queries' })),
}
const ConnectorBody = Type.Object(connectorBody, { additionalProperties: false })

export const ConnectorTypeInfo = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    description: Type.String(),
    config_schema: AnyObject,
    secrets_schema: AnyObject,
    secret_fields: Type.Array(Type.String()),
    reads: Type.Boolean(),
    writes: Type.Boolean(),
  },
  { $id: 'ConnectorTypeInfo' },
)
export type ConnectorTypeInfo = Static<typeof ConnectorTypeInfo>

export const ResourceSummary = Type.Object(
  {
    name: Type.String({ description: 'Name to use in a task: table, schema.table, or path in the folder' }),
    kind: Type.Enum(['table', 'view', 'file', 'collection', 'entity_set']),
    row_estimate: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
    bytes: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
  },
  { $id: 'ResourceSummary' },
)
export type ResourceSummary = Static<typeof ResourceSummary>
export const ForeignKey = Type.Object(
  {
    name: NullableString,
    table: Type.String({ description: 'The table at the other end, as `listResources` names it' }),
    columns: Type.Array(Type.String(), { description: 'Of the table that refers, in the order of the key' }),
    references: Type.Array(Type.String(), { description: 'The columns that they refer to, in the same order' }),
  },
  { $id: 'ForeignKey' },
)
export type ForeignKey = Static<typeof ForeignKey>
/** Rows of a resource's sample. */
export const sampleRows = 20

export const ResourceDetail = Type.Object(
  {
    ...ResourceSummary.properties,
    columns: Type.Array(
      Type.Object({
        name: Type.String(),
        type: Type.String(),
        nullable: Type.Unsafe<boolean | null>({ type: ['boolean', 'null'] }),
        primary_key: Type.Boolean(),
        default: NullableString,
      }),
    ),
    indexes: Type.Array(
      Type.Object({ name: Type.String(), columns: Type.Array(Type.String()), unique: Type.Boolean() }),
    ),
    foreign_keys: Type.Optional(
      Type.Array(ref(ForeignKey), {
        description: 'What this table refers to. Absent for systems without foreign keys',
      }),
    ),
    referenced_by: Type.Optional(Type.Array(ref(ForeignKey), { description: 'Tables that refer to this one' })),
    sample: Type.Object({ columns: Type.Array(ref(Column)), rows: Type.Array(Row) }),
  },
  { $id: 'ResourceDetail' },
)
export type ResourceDetail = Static<typeof ResourceDetail>
export const ResourceList = Type.Object(
  {
    resources: Type.Array(ref(ResourceSummary)),
    truncated: Type.Boolean({ description: 'There are more than the 5,000 listed; filter with q' }),
  },
  { $id: 'ResourceList' },
)
export type ResourceList = Static<typeof ResourceList>

const far = ['CONNECTOR_ERROR', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'] as const

export const listConnectors = operation({
  id: 'listConnectors',
  method: 'GET',
  path: '/api/connectors',
  tag: 'Connectors',
  summary: 'List connectors',
  security: 'caller',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    starts_with: Type.Optional(NamePrefix),
    type: Type.Optional(Type.Enum([...connectorTypes])),
    environment: Type.Optional(Type.Enum([...environments])),
    archived: Type.Optional(Type.Boolean({ default: false })),
    sort: Type.Optional(Type.Enum(['created_at', 'name'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(Connector)) },
  errors: ['VALIDATION_ERROR'],
})
export const createConnector = operation({
  id: 'createConnector',
  method: 'POST',
  path: '/api/connectors',
  tag: 'Connectors',
  summary: 'Create a connector',
  security: 'caller',
  body: ConnectorBody,
  idempotent: true,
  etag: true,
  responses: { 201: ref(Connector) },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const getConnector = operation({
  id: 'getConnector',
  method: 'GET',
  path: '/api/connectors/{id}',
  tag: 'Connectors',
  summary: 'Get a connector, without its secrets',
  security: 'caller',
  params: IdParams,
  etag: true,
  responses: { 200: ref(Connector) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateConnector = operation({
  id: 'updateConnector',
  method: 'PUT',
  path: '/api/connectors/{id}',
  tag: 'Connectors',
  summary: 'Save a connector; omitted secrets are kept',
  security: 'caller',
  params: IdParams,
  body: ConnectorBody,
  ifMatch: true,
  etag: true,
  responses: { 200: ref(Connector) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const archiveConnector = operation({
  id: 'archiveConnector',
  method: 'PATCH',
  path: '/api/connectors/{id}/archive',
  tag: 'Connectors',
  summary: 'Archive a connector',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const restoreConnector = operation({
  id: 'restoreConnector',
  method: 'PATCH',
  path: '/api/connectors/{id}/restore',
  tag: 'Connectors',
  summary: 'Restore an archived connector',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const testConnectorById = operation({
  id: 'testConnectorById',
  method: 'POST',
  path: '/api/connectors/{id}/test',
  tag: 'Connectors',
  summary: 'Test a connector with its stored configuration',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(ConnectorTestResult) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
})
export const testConnector = operation({
  id: 'testConnector',
  method: 'POST',
  path: '/api/connectors/test',
  tag: 'Connectors',
  summary: 'Test a configuration that is not saved',
  security: 'caller',
  audited: false,
  body: Type.Object(
    {
      type: connectorBody.type,
      config: AnyObject,
      secrets: connectorBody.secrets,
      connector_id: Type.Optional(Id),
    },
    {
      additionalProperties: false,
      description: 'With `connector_id`, omitted secrets are taken from the stored connector',
    },
  ),
  responses: { 200: ref(ConnectorTestResult) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'RATE_LIMITED', 'UNAVAILABLE', 'TIMEOUT'],
})
export const listConnectorTypes = operation({
  id: 'listConnectorTypes',
  method: 'GET',
  path: '/api/connector-types',
  tag: 'Connectors',
  summary: 'List connector types with the JSON Schema of their configuration',
  security: 'caller',
  responses: { 200: Type.Array(ref(ConnectorTypeInfo)) },
  errors: [],
})
export const listResources = operation({
  id: 'listResources',
  method: 'GET',
  path: '/api/connectors/{id}/resources',
  tag: 'Connectors',
  summary: 'List the tables, views, or files of a connector',
  security: 'caller',
  params: IdParams,
  query: Type.Object({ q: Type.Optional(SearchQuery) }, { additionalProperties: false }),
  responses: { 200: ref(ResourceList) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...far],
})
export const getResource = operation({
  id: 'getResource',
  method: 'GET',
  path: '/api/connectors/{id}/resources/{name}',
  tag: 'Connectors',
  summary: 'Get the columns, keys, indexes, and a sample of a resource',
  security: 'caller',
  params: Type.Object({ id: Id, name: Type.String({ minLength: 1, maxLength: 4096 }) }),
  responses: { 200: ref(ResourceDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', ...far],
})
