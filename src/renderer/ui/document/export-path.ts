import { paths } from '../../paths.ts'
import type { DocumentKind } from './document.types.ts'

const parts = {
  task: 'tasks',
  'job-template': 'job_templates',
  'dashboard-template': 'dashboard_templates',
} as const satisfies Record<DocumentKind['name'], string>

/** The export page with these records picked. */
export const exportPath = (kind: DocumentKind['name'], ids: readonly (number | string)[]) =>
  paths.exportBundle({ [parts[kind]]: ids.join(',') })
