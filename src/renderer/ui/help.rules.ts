/** Which section of the documentation tells of a page. Pure. */

interface HelpPlace {
  page: string
  anchor?: string
}

/** By the beginning of the address; the first that fits counts. */
const places: readonly (readonly [path: string, place: HelpPlace])[] = [
  ['/tasks', { page: 'tasks' }],
  ['/job-templates', { page: 'job-language' }],
  ['/jobs', { page: 'jobs' }],
  ['/job-runs', { page: 'jobs', anchor: 'pause-resume-cancel-rerun' }],
  ['/runs', { page: 'run-errors' }],
  ['/triggers', { page: 'triggers' }],
  ['/connectors', { page: 'connectors' }],
  ['/dashboard-templates', { page: 'dashboard-language' }],
  ['/dashboards', { page: 'dashboards' }],
  ['/explorer', { page: 'explorer' }],
  ['/lineage', { page: 'lineage' }],
  ['/metrics', { page: 'metrics' }],
  ['/executors', { page: 'executors' }],
  ['/exchange', { page: 'exchange' }],
  ['/audit', { page: 'audit' }],
  ['/users', { page: 'users' }],
  ['/profile', { page: 'sign-in' }],
  ['/settings/api-keys', { page: 'users', anchor: 'api-keys' }],
  ['/settings/notifications', { page: 'notifications' }],
  ['/settings/ai-references', { page: 'ai' }],
  ['/settings/ai-usage', { page: 'ai', anchor: 'usage-and-cost' }],
  ['/settings/public-links', { page: 'dashboards', anchor: 'public-links' }],
  ['/settings/pools', { page: 'jobs', anchor: 'pools-and-priorities' }],
  ['/settings/desktop', { page: 'desktop' }],
  ['/settings/backups', { page: 'backups' }],
  ['/settings/secrets', { page: 'security', anchor: 'the-key' }],
  ['/settings/store', { page: 'operations', anchor: 'retention' }],
  ['/settings', { page: 'operations', anchor: 'settings' }],
]

/** For pages that nothing else tells of. */
const overview = { page: 'getting-started', anchor: 'what-you-see' }

/** Null where a page is an explanation itself. */
export function helpPlaceOf(pathname: string): HelpPlace | null {
  const isAt = (path: string) => pathname === path || pathname.startsWith(`${path}/`)
  if (isAt('/docs')) return null
  return places.find(([path]) => isAt(path))?.[1] ?? overview
}

/** Every section that a page leads to: a test looks whether it is there. */
export const allHelpPlaces: readonly HelpPlace[] = places.map(([, place]) => place)
