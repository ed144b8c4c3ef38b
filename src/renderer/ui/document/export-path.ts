import { paths } from '../../paths.ts'
import type { DocumentKind } from './document.types.ts'

/** The export page with these records picked. */
export const exportPath = (kind: DocumentKind['name'], ids: readonly (number | string)[]) =>
  paths.exportBundle({ [kind === 'task' ? 'tasks' : 'job_templates']: ids.join(',') })
