import Type, { type Static } from 'typebox'
import { AnyObject, Id, NullableString } from './common.ts'
import { documentLanguage, documentOperations, documentSchemas, documentValidation } from './documents.ts'
import { ref } from './operation.ts'
import { Diagnostic } from './task-preview.ts'

const wording = { name: 'JobTemplate', path: '/api/job-templates', tag: 'Job Templates', noun: 'job template' } as const
const schemas = documentSchemas({
  name: 'JobTemplate',
  refs: 'template connector name → {types, access}',
  owner: { job_template_id: Id },
  own: {
    job_count: Type.Integer({ description: 'Active jobs created from it' }),
    task_count: Type.Integer({ description: 'Tasks and gates of the current version' }),
  },
})
export type JobTemplate = Static<typeof schemas.record>
export type JobTemplateDetail = Static<typeof schemas.detail>

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

export const jobTemplateOperations = documentOperations({
  ...wording,
  schemas,
  archiveNote: '; its jobs are not affected',
})
export const {
  list: listJobTemplates,
  create: createJobTemplate,
  get: getJobTemplate,
  update: updateJobTemplate,
  tag: tagJobTemplate,
  archive: archiveJobTemplate,
  restore: restoreJobTemplate,
  listVersions: listJobTemplateVersions,
  getVersion: getJobTemplateVersion,
  restoreVersion: restoreJobTemplateVersion,
} = jobTemplateOperations
export const validateJobTemplate = documentValidation(
  wording,
  'Check YAML without saving it: cycles, tasks, slots, and parameters, with positions',
  JobTemplateValidation,
)
export const getJobTemplateSchema = documentLanguage(wording, 'job-template')
