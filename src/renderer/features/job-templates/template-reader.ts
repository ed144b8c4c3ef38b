import { type ParsedJob, parseJob } from '../../../language/job/parse-job.ts'
import { createReader } from '../../ui/document/reading.ts'

/** What the text alone tells; tasks, pools and channels are the server's to know. */
export const readTemplate = (text: string): ParsedJob => parseJob(text)

export const templateReader = createReader(
  readTemplate,
  () => new Worker(new URL('read-template.worker.ts', import.meta.url), { type: 'module' }),
)
