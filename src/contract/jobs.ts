import Type, { type Static } from 'typebox'
import {
  AnyObject,
  Id,
  IdParams,
  Name,
  NamePrefix,
  NullableInteger,
  NullableString,
  NullableTimestamp,
  SearchQuery,
  SortOrder,
  Success,
  Timestamp,
  listQuery,
  paginated,
} from './common.ts'
import { ErrorDetail } from './errors.ts'
import { JobNode } from './job-templates.ts'
import { operation, ref } from './operation.ts'
import { Diagnostic } from './task-preview.ts'
import { YamlContent } from './documents.ts'
import { ConnectorMapping } from './tasks.ts'

export const jobStatuses = ['active', 'archived'] as const
export const jobRunStatuses = ['pending', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const
export type JobRunStatus = (typeof jobRunStatuses)[number]

const jobFields = {
  id: Id,
  job_template_id: Id,
  job_template_name: Type.String(),
  template_version: Type.Integer({ description: 'Template version that the job uses' }),
  newest_template_version: Type.Integer({
    description: 'Current version of the template; if it is greater, the job can be upgraded',
  }),
  name: Name,
  description: NullableString,
  connector_mapping: Type.String({ description: 'JSON-encoded: template connector name → connector id' }),
  parameters: Type.String({
    description: 'JSON-encoded: parameter → value; the others use the template’s defaults',
  }),
  status: Type.Enum([...jobStatuses]),
  last_run_id: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'null: not run yet, or retention has removed that job run',
  }),
  last_run_status: Type.Unsafe<JobRunStatus | null>({ type: ['string', 'null'], enum: [...jobRunStatuses, null] }),
  last_run_at: NullableTimestamp,
  next_fire_at: Type.Unsafe<string | null>({
    type: ['string', 'null'],
    format: 'date-time',
    description: 'Next time that one of its enabled triggers is due',
  }),
  created_by: NullableInteger,
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const Job = Type.Object(jobFields, { $id: 'Job' })
export type Job = Static<typeof Job>
export const JobDetail = Type.Object(
  {
    ...jobFields,
    overridden_task_keys: Type.Array(Type.String(), { description: 'Task keys whose YAML this job overrides' }),
  },
  { $id: 'JobDetail' },
)
export type JobDetail = Static<typeof JobDetail>

/** A task of the job, as the job holds it for ever. */
export const SnapshotTask = Type.Object(
  {
    task_key: Type.String(),
    task_id: Id,
    task_name: Type.String(),
    version: Type.Integer(),
    newest_version: Type.Integer(),
    yaml_content: Type.String({ description: 'YAML of the pinned version' }),
    override_yaml: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      description: 'YAML that this job uses instead',
    }),
  },
  { $id: 'SnapshotTask' },
)
export type SnapshotTask = Static<typeof SnapshotTask>
export const JobSnapshot = Type.Object(
  {
    id: Id,
    job_id: Id,
    job_template_id: Id,
    template_version: Type.Integer(),
    yaml_content: Type.String({ description: 'YAML of the template' }),
    nodes: Type.Array(ref(JobNode)),
    parameters: AnyObject,
    connector_refs: AnyObject,
    tasks: Type.Array(ref(SnapshotTask)),
    dashboard_templates: Type.Array(
      Type.Object({ id: Id, name: Type.String(), version: Type.Integer(), yaml_content: Type.String() }),
    ),
    created_at: Timestamp,
  },
  { $id: 'JobSnapshot' },
)
export type JobSnapshot = Static<typeof JobSnapshot>

const TextChange = Type.Object({
  task_key: Type.String(),
  task_name: Type.String(),
  change: Type.Enum(['added', 'removed', 'changed', 'unchanged']),
  from_version: NullableInteger,
  to_version: NullableInteger,
  before: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'YAML; null if unchanged' }),
  after: NullableString,
})
export const JobUpgrade = Type.Object(
  {
    dry_run: Type.Boolean(),
    changed: Type.Boolean({ description: 'Whether anything differs from what the job uses now' }),
    template: Type.Object({
      from_version: Type.Integer(),
      to_version: Type.Integer(),
      before: Type.String(),
      after: Type.String(),
    }),
    tasks: Type.Array(TextChange),
    dashboards: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Of the dashboard template' }),
        change: Type.Enum(['added', 'removed', 'changed', 'unchanged']),
        from_version: NullableInteger,
        to_version: NullableInteger,
        before: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'YAML; null if unchanged' }),
        after: NullableString,
      }),
    ),
    overrides: Type.Array(
      Type.Object({
        task_key: Type.String(),
        fits: Type.Boolean({
          description:
            'false without diagnostics: its task no longer exists, so the override will be removed; with diagnostics: see `problems`',
        }),
        diagnostics: Type.Array(ref(Diagnostic)),
      }),
    ),
    problems: Type.Array(ErrorDetail, {
      description: 'What prevents the upgrade: connectors to bind, parameters to set, overrides that don’t fit',
    }),
  },
  { $id: 'JobUpgrade' },
)
export type JobUpgrade = Static<typeof JobUpgrade>

const base = { tag: 'Jobs', security: 'caller' } as const
const closed = { additionalProperties: false } as const
const Parameters = Type.Record(Type.String(), Type.Unknown(), { description: 'Parameter of the template → value' })
const Description = Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: 2000 }))

export const listJobs = operation({
  ...base,
  id: 'listJobs',
  method: 'GET',
  path: '/api/jobs',
  summary: 'List jobs',
  query: listQuery({
    q: Type.Optional(SearchQuery),
    starts_with: Type.Optional(NamePrefix),
    status: Type.Optional(Type.Enum([...jobStatuses])),
    job_template_id: Type.Optional(Id),
    sort: Type.Optional(Type.Enum(['created_at', 'name', 'updated_at'])),
    order: Type.Optional(SortOrder),
  }),
  responses: { 200: paginated(ref(Job)) },
  errors: ['VALIDATION_ERROR'],
})
export const listJobTemplateJobs = operation({
  ...base,
  id: 'listJobTemplateJobs',
  method: 'GET',
  path: '/api/job-templates/{id}/jobs',
  summary: 'List the jobs created from a template, newest first',
  params: IdParams,
  query: listQuery({}),
  responses: { 200: paginated(ref(Job)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const createJob = operation({
  ...base,
  id: 'createJob',
  method: 'POST',
  path: '/api/job-templates/{id}/jobs',
  summary: 'Create a job: bind connectors, snapshot the YAML, pin the task versions',
  params: IdParams,
  body: Type.Object(
    {
      name: Name,
      description: Description,
      connector_mapping: Type.Optional(ConnectorMapping),
      parameters: Type.Optional(Parameters),
      template_version: Type.Optional(Type.Integer({ minimum: 1, description: 'By default the current version' })),
    },
    closed,
  ),
  idempotent: true,
  etag: true,
  responses: { 201: ref(JobDetail) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
export const getJob = operation({
  ...base,
  id: 'getJob',
  method: 'GET',
  path: '/api/jobs/{id}',
  summary: 'Get a job',
  params: IdParams,
  etag: true,
  responses: { 200: ref(JobDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const updateJob = operation({
  ...base,
  id: 'updateJob',
  method: 'PUT',
  path: '/api/jobs/{id}',
  summary: 'Change name, description, bindings, or parameters; current job runs keep theirs',
  params: IdParams,
  body: Type.Object(
    {
      name: Type.Optional(Name),
      description: Description,
      connector_mapping: Type.Optional(ConnectorMapping),
      parameters: Type.Optional(Parameters),
    },
    closed,
  ),
  ifMatch: true,
  etag: true,
  responses: { 200: ref(JobDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT'],
})
export const archiveJob = operation({
  ...base,
  id: 'archiveJob',
  method: 'PATCH',
  path: '/api/jobs/{id}/archive',
  summary: 'Archive a job: it is no longer started; current job runs finish',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const restoreJob = operation({
  ...base,
  id: 'restoreJob',
  method: 'PATCH',
  path: '/api/jobs/{id}/restore',
  summary: 'Restore an archived job; its triggers start it again from now on',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const getJobSnapshot = operation({
  ...base,
  id: 'getJobSnapshot',
  method: 'GET',
  path: '/api/jobs/{id}/snapshot',
  summary: 'Get the snapshot of a job: template YAML, pinned tasks, overrides',
  params: IdParams,
  responses: { 200: ref(JobSnapshot) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const setJobTaskOverride = operation({
  ...base,
  id: 'setJobTaskOverride',
  method: 'PUT',
  path: '/api/jobs/{id}/tasks/{key}/override',
  summary: 'Override the YAML of a task in this job; it must fit the bindings and arguments of the template',
  params: Type.Object({ id: Id, key: Type.String({ minLength: 1, maxLength: 63 }) }),
  body: Type.Object({ yaml_content: YamlContent }, closed),
  bodyLimit: 8 * 1_048_576,
  ifMatch: true,
  etag: true,
  responses: { 200: ref(JobDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND', 'CONFLICT', 'PAYLOAD_TOO_LARGE'],
})
export const deleteJobTaskOverride = operation({
  ...base,
  id: 'deleteJobTaskOverride',
  method: 'DELETE',
  path: '/api/jobs/{id}/tasks/{key}/override',
  summary: 'Remove an override; the job uses the pinned version again',
  params: Type.Object({ id: Id, key: Type.String({ minLength: 1, maxLength: 63 }) }),
  responses: { 200: ref(JobDetail) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const upgradeJob = operation({
  ...base,
  id: 'upgradeJob',
  method: 'POST',
  path: '/api/jobs/{id}/upgrade',
  summary: 'Upgrade a job to the newest versions of its template and tasks; `dry_run` only shows the changes',
  params: IdParams,
  body: Type.Object(
    {
      dry_run: Type.Optional(Type.Boolean({ default: false })),
      connector_mapping: Type.Optional(ConnectorMapping),
      parameters: Type.Optional(Parameters),
    },
    closed,
  ),
  bodyOptional: true,
  ifMatch: true,
  responses: { 200: ref(JobUpgrade) },
  errors: ['VALIDATION_ERROR', 'INVALID_STATE', 'NOT_FOUND', 'CONFLICT'],
})
