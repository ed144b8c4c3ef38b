import Type, { type Static } from 'typebox'
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
  paginated,
} from './common.ts'
import { operation, ref } from './operation.ts'
import { Diagnostic } from './task-preview.ts'
import { Tags, YamlContent } from './tasks.ts'

const templateFields = {
  id: Id,
  name: Name,
  description: NullableString,
  current_version: Type.Integer({ minimum: 1 }),
  connector_refs: JsonString('template connector name → {types, access}'),
  tags: Tags,
  archived: Flag,
  job_count: Type.Integer({ description: 'Active jobs created from it' }),
  task_count: Type.Integer({ description: 'Tasks and gates of the current version' }),
  created_by: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'User' }),
  created_at: Timestamp,
  updated_at: NullableTimestamp,
}
export const JobTemplate = Type.Object(templateFields, { $id: 'JobTemplate' })
export type JobTemplate = Static<typeof JobTemplate>
export const JobTemplateDetail = Type.Object(
  { ...templateFields, yaml_content: Type.String() },
  { $id: 'JobTemplateDetail' },
)
export type JobTemplateDetail = Static<typeof JobTemplateDetail>

export const JobTemplateVersion = Type.Object(
  {
    id: Id,
    job_template_id: Id,
    version: Type.Integer({ minimum: 1 }),
    yaml_content: Type.String(),
    connector_refs: JsonString('template connector name → {types, access}'),
    change_summary: NullableString,
    created_by: NullableInteger,
    created_by_name: NullableString,
    created_at: Timestamp,
  },
  { $id: 'JobTemplateVersion' },
)
export type JobTemplateVersion = Static<typeof JobTemplateVersion>

/** A task or gate of a template, as the DAG draws it. */
export const JobNode = Type.Object(
  {
    key: Type.String(),
    kind: Type.Enum(['task', 'gate']),
    depends_on: Type.Array(Type.String()),
    run_if: Type.Enum(['all_success', 'none_failed', 'all_done', 'any_failed']),
    when: NullableString,
    description: NullableString,
    task: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'Name of the task; null for a gate' }),
    task_id: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'null: a gate, or the task does not exist',
    }),
    version: Type.Unsafe<number | null>({ type: ['integer', 'null'], description: 'Pinned in the YAML' }),
    for_each: Type.Boolean(),
    message: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'The gate’s question' }),
    pool: NullableString,
    line: Type.Integer({ description: 'Line in the YAML, from 1' }),
    end_line: Type.Integer(),
  },
  { $id: 'JobNode' },
)
export type JobNode = Static<typeof JobNode>

export const JobTemplateValidation = Type.Object(
  {
    valid: Type.Boolean(),
    diagnostics: Type.Array(ref(Diagnostic)),
    connector_refs: AnyObject,
    parameters: AnyObject,
    nodes: Type.Array(ref(JobNode), { description: 'All that could be read, even if the YAML has errors' }),
  },
  { $id: 'JobTemplateValidation' },
)
export type JobTemplateValidation = Static<typeof JobTemplateValidation>

const templateBody = Type.Object(
  {
    yaml_content: YamlContent,
    change_summary: Type.Optional(Type.String({ maxLength: 500 })),
    tags: Type.Optional(Tags),
  },
  { additionalProperties: false },
)
const versionParams = Type.Object({ id: Id, vid: Type.Integer({ minimum: 1, description: 'Version number' }) })
const bodyLimit = 8 * 1_048_576
const base = { tag: 'Job Templates', security: 'caller' } as const

export const listJobTemplates = operation({
  ...base,
  id: 'listJobTemplates',
  method: 'GET',
  path: '/api/job-templates',
  summary: 'List job templates',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    yaml: Type.Optional(YamlSearch),
    starts_with: Type.Optional(NamePrefix),
    tag: Type.Optional(Type.String({ maxLength: 60 })),
    archived: Type.Optional(Type.Boolean({ default: false })),
    sort: Type.Optional(Type.Enum(['created_at', 'name', 'updated_at'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(JobTemplate)) },
  errors: ['VALIDATION_ERROR'],
})
export const createJobTemplate = operation({
  ...base,
  id: 'createJobTemplate',
  method: 'POST',
  path: '/api/job-templates',
  summary: 'Create a job template; name and description come from the YAML',
  body: templateBody,
  bodyLimit,
  idempotent: true,
  etag: true,
  responses: { 201: ref(JobTemplateDetail) },
  errors: ['VALIDATION_ERROR', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
export const getJobTemplate = operation({
  ...base,
  id: 'getJobTemplate',
  method: 'GET',
  path: '/api/job-templates/{id}',
  summary: 'Get a job template with the YAML of its current version',
  params: IdParams,
  etag: true,
  responses: { 200: ref(JobTemplateDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateJobTemplate = operation({
  ...base,
  id: 'updateJobTemplate',
  method: 'PUT',
  path: '/api/job-templates/{id}',
  summary: 'Save a job template; a change creates a new version',
  params: IdParams,
  body: templateBody,
  bodyLimit,
  ifMatch: true,
  etag: true,
  responses: { 200: ref(JobTemplateDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
export const archiveJobTemplate = operation({
  ...base,
  id: 'archiveJobTemplate',
  method: 'PATCH',
  path: '/api/job-templates/{id}/archive',
  summary: 'Archive a job template; its jobs are not affected',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const restoreJobTemplate = operation({
  ...base,
  id: 'restoreJobTemplate',
  method: 'PATCH',
  path: '/api/job-templates/{id}/restore',
  summary: 'Restore an archived job template',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const listJobTemplateVersions = operation({
  ...base,
  id: 'listJobTemplateVersions',
  method: 'GET',
  path: '/api/job-templates/{id}/versions',
  summary: 'List the versions of a job template, newest first',
  params: IdParams,
  query: listQuery({}),
  responses: { 200: paginated(ref(JobTemplateVersion)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const getJobTemplateVersion = operation({
  ...base,
  id: 'getJobTemplateVersion',
  method: 'GET',
  path: '/api/job-templates/{id}/versions/{vid}',
  summary: 'Get a version of a job template',
  params: versionParams,
  responses: { 200: ref(JobTemplateVersion) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const restoreJobTemplateVersion = operation({
  ...base,
  id: 'restoreJobTemplateVersion',
  method: 'POST',
  path: '/api/job-templates/{id}/versions/{vid}/restore',
  summary: 'Restore an earlier version as a new version',
  params: versionParams,
  etag: true,
  responses: { 200: ref(JobTemplateDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const validateJobTemplate = operation({
  ...base,
  id: 'validateJobTemplate',
  method: 'POST',
  path: '/api/job-templates/validate',
  audited: false,
  summary: 'Check YAML without saving it: cycles, tasks, slots, and parameters, with positions',
  body: Type.Object({ yaml_content: Type.String() }, { additionalProperties: false }),
  bodyLimit: 16 * 1_048_576,
  responses: { 200: ref(JobTemplateValidation) },
  errors: ['VALIDATION_ERROR', 'PAYLOAD_TOO_LARGE'],
})
export const getJobTemplateSchema = operation({
  id: 'getJobTemplateSchema',
  method: 'GET',
  path: '/api/schemas/job-template.json',
  tag: 'Schemas',
  summary: 'Get the JSON Schema of the job template language, for editors',
  security: 'caller',
  responses: { 200: AnyObject },
  errors: [],
})
