/** Reference documents: texts that a prompt for the AI may draw on. */
import Type, { type Static } from 'typebox'
import {
  Id,
  IdParams,
  Name,
  NullableTimestamp,
  SearchQuery,
  Success,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'

/** Of one reference, and of all, in bytes of UTF-8. */
export const MAX_REFERENCE_BYTES = 1024 * 1024
export const MAX_REFERENCES_BYTES = 64 * 1024 * 1024
/** That one prompt may choose. */
export const MAX_CHOSEN_REFERENCES = 50
export const referenceKinds = ['text', 'markdown', 'schema'] as const
export type ReferenceKind = (typeof referenceKinds)[number]

const closed = { additionalProperties: false } as const
const Kind = Type.Enum([...referenceKinds], {
  description: '`schema`: SQL DDL, JSON Schema, OpenAPI, or the header line of a CSV file',
})
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: 50, uniqueItems: true })

const summary = {
  id: Id,
  title: Name,
  kind: Kind,
  tags: Type.Array(Type.String()),
  size: Type.Integer({ description: 'Bytes of the content' }),
  created_by: Type.Integer({ description: 'User' }),
  created_at: Timestamp,
  updated_at: NullableTimestamp,
  indexing: Type.Boolean({
    description: 'Parts of a long text are still being indexed; searches find only some of them',
  }),
}
export const AiReferenceSummary = Type.Object(summary, { $id: 'AiReferenceSummary' })
export type AiReferenceSummary = Static<typeof AiReferenceSummary>
export const AiReference = Type.Object({ ...summary, content: Type.String() }, { $id: 'AiReference' })
export type AiReference = Static<typeof AiReference>

const AiReferenceBody = Type.Object(
  {
    title: Name,
    kind: Kind,
    content: Type.String({
      minLength: 1,
      maxLength: MAX_REFERENCE_BYTES,
      description: 'At most 1 MiB of UTF-8; all references together at most 64 MiB',
    }),
    tags: Type.Optional(Tags),
  },
  closed,
)
/** JSON may write a character as six. */
const bodyLimit = 6 * MAX_REFERENCE_BYTES + 64 * 1024

export const AiReferencePart = Type.Object(
  {
    reference_id: Id,
    title: Type.String(),
    heading: Type.String({ description: 'Headings above the part, joined by ` › `; empty for a complete reference' }),
    text: Type.String(),
    complete: Type.Boolean({ description: 'The complete reference, because it is short' }),
  },
  { $id: 'AiReferencePart' },
)
export type AiReferencePart = Static<typeof AiReferencePart>

const base = { tag: 'AI References', security: 'caller' } as const

export const listAiReferences = operation({
  ...base,
  id: 'listAiReferences',
  method: 'GET',
  path: '/api/ai/references',
  summary: 'List AI reference documents, newest first',
  description: 'Without their content. `q` searches titles, tags, and the words of the content.',
  query: listQuery({ q: Type.Optional(SearchQuery), kind: Type.Optional(Kind) }),
  responses: { 200: paginated(ref(AiReferenceSummary)) },
  errors: ['VALIDATION_ERROR'],
})
export const createAiReference = operation({
  ...base,
  id: 'createAiReference',
  method: 'POST',
  path: '/api/ai/references',
  summary: 'Create an AI reference document',
  body: AiReferenceBody,
  bodyLimit,
  idempotent: true,
  etag: true,
  responses: { 201: ref(AiReference) },
  errors: ['VALIDATION_ERROR', 'CONFLICT'],
})
export const getAiReference = operation({
  ...base,
  id: 'getAiReference',
  method: 'GET',
  path: '/api/ai/references/{id}',
  summary: 'Get an AI reference document with its content',
  params: IdParams,
  etag: true,
  responses: { 200: ref(AiReference) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateAiReference = operation({
  ...base,
  id: 'updateAiReference',
  method: 'PUT',
  path: '/api/ai/references/{id}',
  summary: 'Update an AI reference document',
  params: IdParams,
  body: AiReferenceBody,
  bodyLimit,
  ifMatch: true,
  etag: true,
  responses: { 200: ref(AiReference) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const deleteAiReference = operation({
  ...base,
  id: 'deleteAiReference',
  method: 'DELETE',
  path: '/api/ai/references/{id}',
  summary: 'Delete an AI reference document; its text is not sent to a provider again',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const previewAiReferences = operation({
  ...base,
  id: 'previewAiReferences',
  method: 'POST',
  path: '/api/ai/references/preview',
  summary: 'Preview which parts of the references a prompt would use',
  description:
    'Short references that were chosen are used completely. Of the others, the eight parts that match the prompt best are used. Without `reference_ids`, all references are searched. Sends nothing to a provider.',
  body: Type.Object(
    {
      prompt: Type.String({ minLength: 1, maxLength: 20_000 }),
      reference_ids: Type.Optional(Type.Array(Id, { maxItems: MAX_CHOSEN_REFERENCES, uniqueItems: true })),
    },
    closed,
  ),
  audited: false,
  responses: {
    200: Type.Object({
      parts: Type.Array(ref(AiReferencePart)),
      indexing: Type.Integer({
        description: 'References searched that are still being indexed, so that parts may be missing',
      }),
    }),
  },
  errors: ['VALIDATION_ERROR'],
})
