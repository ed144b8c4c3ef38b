/** The one place where addresses of the window are made. */
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
}

export const paths = {
  home: () => '/',
  tasks: (query?: { q?: string; tag?: string; archived?: boolean }) => withQuery('/tasks', query),
  taskNew: (query?: { sample?: string }) => withQuery('/tasks/new', query),
  task: (id: number, query?: { tab?: string }) => withQuery(`/tasks/${id}`, query),
  taskVersions: (id: number, query?: { from?: number; to?: number }) => withQuery(`/tasks/${id}/versions`, query),
  taskRuns: (id: number) => `/tasks/${id}/runs`,
  taskState: (id: number) => `/tasks/${id}/state`,
  runs: (filter?: RunsFilter) => withQuery('/runs', { ...filter }),
  run: (id: number, query?: { line?: number; tab?: string; step?: string }) => withQuery(`/runs/${id}`, query),
  connectors: (query?: { q?: string; archived?: boolean }) => withQuery('/connectors', query),
  connectorNew: (query?: { type?: string }) => withQuery('/connectors/new', query),
  connector: (id: number) => `/connectors/${id}`,
  connectorResources: (id: number, query?: { resource?: string; q?: string }) =>
    withQuery(`/connectors/${id}/resources`, query),
  executors: () => '/executors',
  settings: (section: 'appearance' | 'api-keys' | 'server' = 'appearance') => `/settings/${section}`,
}
