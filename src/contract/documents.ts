/**
 * Documents whose text is kept in versions, such as tasks and job templates: their schemas and operations, made from
 * the names of the kind. What only one kind has is in that kind's file.
 */
import Type, { type Static, type TProperties, type TSchema, type TUnsafe } from 'typebox'
import {
  AnyObject,
  Flag,
  Id,
  IdParams,
  JsonString,
  Name,
  NamePrefix,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  SortOrder,
  Success,
  Timestamp,
  YamlSearch,
  listQuery,
  oneOrMore,
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'

/** Text of a document: refused above 1 MiB before it is parsed. */
export const YamlContent = Type.String({ minLength: 1, maxLength: 1_048_576, description: 'The document as YAML' })
/** Of a record. */
export const mostTags = 50
const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 60 }), { maxItems: mostTags, uniqueItems: true })

const Version = Type.Integer({ minimum: 1 })

interface Schemas<N extends string, Owner extends TProperties, Own extends TProperties> {
  /** Name of the record's schema: `Task`. */
  name: N
  /** What `connector_refs` maps. */
  refs: string
  /** The field of a version that says whose version it is: `{ task_id: Id }`. */
  owner: Owner
  /** Fields of the record that only this kind has. */
  own: Own
}

/** The record as lists give it, the same with its text, and a version of it. */
export function documentSchemas<const N extends string, Owner extends TProperties, Own extends TProperties>({
  name,
  refs,
  owner,
  own,
}: Schemas<N, Owner, Own>) {
  const connector_refs = JsonString(refs)
  const fields = {
    id: Id,
    name: Name,
    description: NullableString,
    current_version: Version,
    connector_refs,
    tags: Tags,
    archived: Flag,
    ...own,
    created_by: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'User' }),
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  }
  const version = {
    id: Id,
    ...owner,
    version: Version,
    yaml_content: Type.String(),
    connector_refs,
    change_summary: NullableString,
    created_by: NullableInteger,
    created_by_name: NullableString,
    created_at: Timestamp,
  }
  return {
    record: Type.Object(fields, { $id: name }),
    detail: Type.Object({ ...fields, yaml_content: Type.String() }, { $id: `${name}Detail` }),
    version: Type.Object(version, { $id: `${name}Version` }),
  }
}

/** What the operations of a kind of document call it. */
interface Wording<N extends string, P extends string> {
  /** In operation ids: `Task`. */
  name: N
  /** `/api/tasks` */
  path: P
  tag: string
  /** In summaries: `task`. */
  noun: string
}

interface Parts<
  N extends string,
  P extends string,
  Item extends TSchema,
  Detail extends TSchema,
  Version extends TSchema,
> extends Wording<N, P> {
  schemas: { record: Item; detail: Detail; version: Version }
  /** What archiving means for what was made from the document. */
  archiveNote?: string
}

const bodyLimit = 8 * 1_048_576
const versionParams = Type.Object({ id: Id, vid: Type.Integer({ minimum: 1, description: 'Version number' }) })
const saveBody = Type.Object(
  {
    yaml_content: YamlContent,
    change_summary: Type.Optional(Type.String({ maxLength: 500 })),
    tags: Type.Optional(Tags),
  },
  { additionalProperties: false },
)
export type DocumentSave = Static<typeof saveBody>
const tagsBody = Type.Object({ add: Type.Optional(Tags), remove: Type.Optional(Tags) }, { additionalProperties: false })
export type TagChange = Static<typeof tagsBody>
/** `added` and `removed` take the change back when they are exchanged. */
const tagsResult = Type.Object({ tags: Tags, added: Tags, removed: Tags })
export type TagResult = Static<typeof tagsResult>
const documentsQuery = listQuery({
  q: Type.Optional(SearchQuery),
  yaml: Type.Optional(YamlSearch),
  starts_with: Type.Optional(NamePrefix),
  tag: Type.Optional(oneOrMore(Type.String({ maxLength: 60 }))),
  archived: Type.Optional(Type.Boolean({ default: false })),
  sort: Type.Optional(Type.Enum(['created_at', 'name', 'updated_at'])),
  order: Type.Optional(SortOrder),
})
export type DocumentsQuery = Static<typeof documentsQuery>
const versionsQuery = listQuery({})
export type DocumentVersionsQuery = Static<typeof versionsQuery>

/** List, create, get, update, tag, archive and restore documents, and list, get and restore their versions. */
export function documentOperations<
  const N extends string,
  const P extends string,
  Item extends TSchema,
  Detail extends TSchema,
  Version extends TSchema,
>({ name, path, tag, noun, schemas, archiveNote = '' }: Parts<N, P, Item, Detail, Version>) {
  const base = { tag, security: 'caller' } as const
  const one = { ...base, path: `${path}/{id}`, params: IdParams } as const
  const oneVersion = { ...base, path: `${path}/{id}/versions/{vid}`, params: versionParams } as const
  return {
    list: operation({
      ...base,
      id: `list${name}s`,
      method: 'GET',
      path,
      summary: `List ${noun}s`,
      query: documentsQuery,
      responses: { 200: paginated(ref(schemas.record)) },
      errors: ['VALIDATION_ERROR'],
    }),
    create: operation({
      ...base,
      id: `create${name}`,
      method: 'POST',
      path,
      summary: `Create a ${noun}; name and description come from the YAML`,
      body: saveBody,
      bodyLimit,
      idempotent: true,
      etag: true,
      responses: { 201: ref(schemas.detail) },
      errors: ['VALIDATION_ERROR', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
    }),
    get: operation({
      ...one,
      id: `get${name}`,
      method: 'GET',
      summary: `Get a ${noun} with the YAML of its current version`,
      etag: true,
      responses: { 200: ref(schemas.detail) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    }),
    update: operation({
      ...one,
      id: `update${name}`,
      method: 'PUT',
      summary: `Save a ${noun}; a change creates a new version`,
      body: saveBody,
      bodyLimit,
      ifMatch: true,
      etag: true,
      responses: { 200: ref(schemas.detail) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
    }),
    tag: operation({
      ...one,
      id: `tag${name}`,
      method: 'PATCH',
      path: `${path}/{id}/tags`,
      summary: `Add and remove tags of a ${noun}; the others stay, and there is no new version`,
      description: 'Tags are removed first, then added. `added` and `removed` are what changed.',
      body: tagsBody,
      responses: { 200: tagsResult },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    }),
    archive: operation({
      ...one,
      id: `archive${name}`,
      method: 'PATCH',
      path: `${path}/{id}/archive`,
      summary: `Archive a ${noun}${archiveNote}`,
      responses: { 200: ref(Success) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    }),
    restore: operation({
      ...one,
      id: `restore${name}`,
      method: 'PATCH',
      path: `${path}/{id}/restore`,
      summary: `Restore an archived ${noun}`,
      responses: { 200: ref(Success) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    }),
    listVersions: operation({
      ...one,
      id: `list${name}Versions`,
      method: 'GET',
      path: `${path}/{id}/versions`,
      summary: `List the versions of a ${noun}, newest first`,
      query: versionsQuery,
      responses: { 200: paginated(ref(schemas.version)) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    }),
    getVersion: operation({
      ...oneVersion,
      id: `get${name}Version`,
      method: 'GET',
      summary: `Get a version of a ${noun}`,
      responses: { 200: ref(schemas.version) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
    }),
    restoreVersion: operation({
      ...oneVersion,
      id: `restore${name}Version`,
      method: 'POST',
      path: `${path}/{id}/versions/{vid}/restore`,
      summary: 'Restore an earlier version as a new version',
      etag: true,
      responses: { 200: ref(schemas.detail) },
      errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
    }),
  }
}

/** Of any kind: `Item`, `Detail`, and `Version` are what its operations answer. */
export type DocumentOperations<Item, Detail, Version> = ReturnType<
  typeof documentOperations<string, string, TUnsafe<Item>, TUnsafe<Detail>, TUnsafe<Version>>
>

/** Checks a text without saving it. `result`: what the kind finds in it. */
export const documentValidation = <const N extends string, const P extends string, R extends TSchema>(
  { name, path, tag }: Omit<Wording<N, P>, 'noun'>,
  summary: string,
  result: R,
) =>
  operation({
    id: `validate${name}`,
    method: 'POST',
    path: `${path}/validate`,
    tag,
    summary,
    security: 'caller',
    audited: false,
    body: Type.Object({ yaml_content: Type.String() }, { additionalProperties: false }),
    bodyLimit: 16 * 1_048_576,
    responses: { 200: ref(result) },
    errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
  })

/** `file`: name in the address, `task`. */
export const documentLanguage = <const N extends string>({ name, noun }: { name: N; noun: string }, file: string) =>
  operation({
    id: `get${name}Schema`,
    method: 'GET',
    path: `/api/schemas/${file}.json`,
    tag: 'Schemas',
    summary: `Get the JSON Schema of the ${noun} language, for editors`,
    security: 'caller',
    responses: { 200: AnyObject },
    errors: [],
  })
