import type { ParsedJob } from '../../../language/job/parse-job.ts'
import type { DocumentKind } from '../../platform/documents/document-kind.ts'
import type { TemplateValues } from './job-templates.store.ts'

export const jobTemplateKind = { name: 'job_template', noun: 'job template' } as const satisfies DocumentKind

/** What is kept of a text beside the text. */
export const valuesOf = (
  { name, description }: NonNullable<ParsedJob['job']>,
  { connector_refs, nodes }: Pick<ParsedJob, 'connector_refs' | 'nodes'>,
): TemplateValues => ({
  name,
  description,
  connector_refs: JSON.stringify(connector_refs),
  task_count: nodes.length,
})
