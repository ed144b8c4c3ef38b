import { type ParsedDashboard, parseDashboard } from '../../../language/dashboard/parse-dashboard.ts'
import { createReader } from '../../ui/document/reading.ts'

/** What the text alone tells; job templates are the server's to know. */
export const readDashboard = (text: string): ParsedDashboard => parseDashboard(text)

export const dashboardReader = createReader(
  readDashboard,
  () => new Worker(new URL('read-dashboard.worker.ts', import.meta.url), { type: 'module' }),
)
