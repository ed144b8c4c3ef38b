import {
  archiveJobTemplate,
  createJobTemplate,
  getJobTemplate,
  getJobTemplateVersion,
  listJobTemplateVersions,
  restoreJobTemplate,
  restoreJobTemplateVersion,
  updateJobTemplate,
} from '../../../contract/job-templates.ts'
import { type ParsedJob, parseJob } from '../../../language/job/parse-job.ts'
import type { DocumentKind } from '../../ui/document/document.types.ts'

export const jobTemplateKind: DocumentKind = {
  name: 'job-template',
  create: createJobTemplate,
  get: getJobTemplate,
  update: updateJobTemplate,
  archive: archiveJobTemplate,
  restore: restoreJobTemplate,
  getVersion: getJobTemplateVersion,
  listVersions: listJobTemplateVersions,
  restoreVersion: restoreJobTemplateVersion,
  lists: ['listJobTemplates'],
  tags: async () => [],
}

/** What the text alone tells; tasks, pools and channels are the server's to know. */
export const readTemplate = (text: string): ParsedJob => parseJob(text)
