/** The one place where addresses of the window are made. */
import type { JobRunStatus } from '../contract/jobs.ts'
import type { RunStatus } from '../contract/runs.ts'

type Query = Readonly<Record<string, string | number | boolean | null | undefined>>

function withQuery(path: string, query: Query = {}): string {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  const text = search.toString()
  return text ? `${path}?${text}` : path
}

export interface RunsFilter {
  status?: RunStatus
  task_id?: number
  trigger_type?: string
  from?: string
  to?: string
  completed_from?: string
  completed_to?: string
  job_id?: number
  executor_id?: number
}

export interface JobRunsFilter {
  status?: JobRunStatus | 'success'
  job_id?: number
  trigger_type?: string
  backfill_id?: string
  pool?: string
  from?: string
  to?: string
}

export interface AuditQuery {
  user_id?: number
  operation?: string
  entity?: string
  entity_id?: number
  outcome?: string
}

export type SettingsSection =
  | 'appearance'
  | 'desktop'
  | 'api-keys'
  | 'notifications'
  | 'pools'
  | 'ai-references'
  | 'ai-usage'
  | 'public-links'
  | 'server'
  | 'configuration'
  | 'branding'
  | 'backups'
  | 'store'
  | 'secrets'

export const paths = {
  home: () => '/',
  tasks: (query?: { q?: string; tag?: string; archived?: boolean }) => withQuery('/tasks', query),
  taskNew: (query?: { sample?: string }) => withQuery('/tasks/new', query),
  task: (id: number, query?: { line?: number; side?: 'ai' }) => withQuery(`/tasks/${id}`, query),
  taskVersions: (id: number, query?: { from?: number; to?: number }) => withQuery(`/tasks/${id}/versions`, query),
  taskRuns: (id: number) => `/tasks/${id}/runs`,
  taskState: (id: number) => `/tasks/${id}/state`,
  jobTemplates: (query?: { q?: string; tag?: string; archived?: boolean }) => withQuery('/job-templates', query),
  jobTemplateNew: (query?: { sample?: string }) => withQuery('/job-templates/new', query),
  jobTemplate: (id: number, query?: { node?: string }) => withQuery(`/job-templates/${id}`, query),
  jobTemplateVersions: (id: number, query?: { from?: number; to?: number }) =>
    withQuery(`/job-templates/${id}/versions`, query),
  jobTemplateJobs: (id: number) => `/job-templates/${id}/jobs`,
  dashboardTemplates: (query?: { q?: string; archived?: boolean }) => withQuery('/dashboard-templates', query),
  dashboardTemplateNew: (query?: { sample?: string }) => withQuery('/dashboard-templates/new', query),
  dashboardTemplate: (id: number, query?: { widget?: string }) => withQuery(`/dashboard-templates/${id}`, query),
  dashboardTemplateVersions: (id: number, query?: { from?: number; to?: number }) =>
    withQuery(`/dashboard-templates/${id}/versions`, query),
  dashboardTemplateDashboards: (id: number) => `/dashboard-templates/${id}/dashboards`,
  /** `new`: with the dialog that makes one. */
  jobs: (query?: { q?: string; status?: string; job_template_id?: number; new?: 'yes' }) => withQuery('/jobs', query),
  job: (id: number, query?: { tab?: string; task?: string; view?: 'diff' }) => withQuery(`/jobs/${id}`, query),
  jobRuns: (filter?: JobRunsFilter) => withQuery('/job-runs', { ...filter }),
  jobRun: (id: number, query?: { task?: string; tab?: string; line?: number; item?: string; rerun?: 'here' }) =>
    withQuery(`/job-runs/${id}`, query),
  jobRunCompare: (a: number, b: number) => withQuery('/job-runs/compare', { a, b }),
  triggers: (query?: { view?: string; job_id?: number; trigger?: number }) => withQuery('/triggers', query),
  runs: (filter?: RunsFilter) => withQuery('/runs', { ...filter }),
  runCompare: (a: number, b: number) => withQuery('/runs/compare', { a, b }),
  fixRejects: (id: number, query?: { start?: string }) => withQuery(`/runs/${id}/fix-rejects`, query),
  run: (id: number, query?: { line?: number; tab?: string; step?: string }) => withQuery(`/runs/${id}`, query),
  explorer: (query?: { connector?: number; resource?: string }) => withQuery('/explorer', query),
  dashboards: (query?: { q?: string; job_id?: number }) => withQuery('/dashboards', query),
  dashboard: (id: number) => `/dashboards/${id}`,
  lineage: (query?: { dataset?: string; task?: number; job?: number; connector?: number }) =>
    withQuery('/lineage', query),
  connectors: (query?: { q?: string; archived?: boolean }) => withQuery('/connectors', query),
  connectorNew: (query?: { type?: string }) => withQuery('/connectors/new', query),
  connector: (id: number) => `/connectors/${id}`,
  connectorUploads: (id: number) => `/connectors/${id}/uploads`,
  connectorResources: (id: number, query?: { resource?: string; q?: string }) =>
    withQuery(`/connectors/${id}/resources`, query),
  metrics: (query?: { time?: string; task_id?: number; job_id?: number }) => withQuery('/metrics', query),
  /** `new`: with the dialog for a freshness rule of this dataset. */
  customMetrics: (query?: { metric?: string; new?: string }) => withQuery('/metrics/custom', query),
  executors: () => '/executors',
  importBundle: () => '/exchange/import',
  exportBundle: (query?: { tasks?: string; job_templates?: string; dashboard_templates?: string }) =>
    withQuery('/exchange/export', query),
  audit: (query?: AuditQuery) => withQuery('/audit', { ...query }),
  profile: () => '/profile',
  users: (query?: { q?: string; role?: string; state?: string }) => withQuery('/users', query),
  user: (id: number) => `/users/${id}`,
  /** A page of the documentation, at one of its headings. */
  docs: (page?: string, anchor?: string) =>
    `/docs${page && page !== 'index' ? `/${page}` : ''}${anchor ? `#${anchor}` : ''}`,
  settings: (
    section: SettingsSection = 'appearance',
    query?: { find?: string; q?: string; channel?: number; pool?: string; backup?: string; reference?: number },
  ) => withQuery(`/settings/${section}`, query),
}
