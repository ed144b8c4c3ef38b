/** What was done, by whom and from where: append-only, each record bound to the one before it. */
import Type, { type Static } from 'typebox'
import {
  Id,
  Nullable,
  NullableInteger,
  NullableString,
  SearchQuery,
  SortOrder,
  Timestamp,
  listQuery,
  oneOrMore,
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'
import { roles } from './roles.ts'

export const auditOutcomes = ['ok', 'refused', 'failed'] as const

const Digest = (what: string) => Nullable(Type.String({ description: `SHA-256, hexadecimal: ${what}` }))

export const AuditRecord = Type.Object(
  {
    id: Id,
    at: Timestamp,
    actor: Type.Enum(['session', 'api_key', 'anonymous', 'system'], {
      description: 'anonymous: no one was signed in (a sign-in, a hook)',
    }),
    user_id: NullableInteger,
    username: Type.String({ description: 'User name at that time; for a failed sign-in, the name as entered' }),
    role: Nullable(Type.Enum([...roles])),
    session_id: NullableInteger,
    api_key_id: NullableInteger,
    address: NullableString,
    user_agent: NullableString,
    operation: Type.String({ description: 'operationId, or an action of the server itself', examples: ['updateTask'] }),
    method: NullableString,
    path: NullableString,
    entity: Nullable(Type.String({ description: 'Type of the changed record', examples: ['task'] })),
    entity_id: NullableInteger,
    entity_name: NullableString,
    outcome: Type.Enum([...auditOutcomes], { description: 'refused: an error response below 500' }),
    status: Type.Integer({ description: 'HTTP status of the response; 0 if there was none' }),
    error: Nullable(Type.String({ description: 'Error code' })),
    before_digest: Digest('the record before the change, without secrets'),
    after_digest: Digest('the record after the change'),
    request_id: NullableString,
    detail: {
      ...NullableString,
      description:
        'What was sent to a connected system, as JSON: statements, how often each, and a digest of the values',
    },
    hash: Type.String({ description: 'SHA-256 of this record and the hash of the previous one' }),
  },
  { $id: 'AuditRecord' },
)
export type AuditRecord = Static<typeof AuditRecord>

const filters = {
  user_id: Type.Optional(oneOrMore(Id)),
  operation: Type.Optional(oneOrMore(Type.String({ maxLength: 100 }))),
  entity: Type.Optional(Type.String({ maxLength: 100 })),
  entity_id: Type.Optional(Id),
  outcome: Type.Optional(oneOrMore(Type.Enum([...auditOutcomes]))),
  from: Type.Optional(Timestamp),
  to: Type.Optional(Timestamp),
  q: Type.Optional(SearchQuery),
}

export const listAudit = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/api/audit',
  tag: 'Audit',
  summary: 'List audit records, newest first unless ordered otherwise',
  security: 'caller',
  query: listQuery({ ...filters, order: Type.Optional(SortOrder) }),
  responses: { 200: paginated(ref(AuditRecord)) },
  errors: ['VALIDATION_ERROR'],
})
export const exportAudit = operation({
  id: 'exportAudit',
  method: 'GET',
  path: '/api/audit/export',
  tag: 'Audit',
  summary: 'Export all audit records that match the filters, oldest first, one JSON object per line',
  security: 'caller',
  audited: true,
  query: Type.Object(filters, { additionalProperties: false }),
  responses: {},
  streams: { 200: 'application/x-ndjson' },
  errors: ['VALIDATION_ERROR'],
})
export const AuditVerification = Type.Object(
  {
    ok: Type.Boolean(),
    records: Type.Integer({ description: 'Records checked' }),
    first_broken_id: NullableInteger,
    reason: NullableString,
    head: NullableString,
  },
  { $id: 'AuditVerification' },
)
export const verifyAudit = operation({
  id: 'verifyAudit',
  method: 'GET',
  path: '/api/audit/verify',
  tag: 'Audit',
  summary: 'Verify that no audit record was changed or is missing',
  security: 'caller',
  responses: { 200: ref(AuditVerification) },
  errors: [],
})
