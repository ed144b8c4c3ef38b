import { createReader } from '../../ui/document/reading.ts'
import { readTemplate } from './job-template-kind.ts'

export const templateReader = createReader(
  readTemplate,
  () => new Worker(new URL('read-template.worker.ts', import.meta.url), { type: 'module' }),
)
