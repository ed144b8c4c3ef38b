import { jobTemplateOperations } from '../../../contract/job-templates.ts'
import { hoverJob } from '../../../language/hover-job.ts'
import { jobSchema } from '../../../language/job/job-schema.ts'
import type { ParsedJob } from '../../../language/job/parse-job.ts'
import { paths } from '../../paths.ts'
import type { DocumentKind } from '../../ui/document/document.types.ts'
import { templateReader } from './template-reader.ts'

export const jobTemplateKind: DocumentKind<ParsedJob> = {
  ...jobTemplateOperations,
  name: 'job-template',
  opened: 'jobTemplate',
  words: 'jobTemplates',
  paths: {
    list: paths.jobTemplates,
    one: paths.jobTemplate,
    versions: paths.jobTemplateVersions,
    create: paths.jobTemplateNew,
  },
  reader: templateReader,
  nameIn: ({ job }) => job?.name,
  tags: async () => [],
  schema: jobSchema,
  hover: hoverJob,
}
