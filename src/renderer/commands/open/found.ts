/** What "open anything" opens; of equal matches the earlier kind stands first. Words: `shell:palette.kinds`. */
export const recordKinds = [
  'task',
  'job',
  'jobTemplate',
  'connector',
  'dashboard',
  'dashboardTemplate',
  'jobRun',
  'run',
  'trigger',
  'user',
  'apiKey',
  'channel',
  'pool',
  'executor',
  'section',
  'setting',
  'docs',
  'backup',
] as const
export type RecordKind = (typeof recordKinds)[number]

export interface Found {
  kind: RecordKind
  /** Unique within its kind. */
  id: string
  title: string
  /** Beside the title, found by as well, but less. */
  hint?: string
  /** Found by, but not shown. */
  keywords?: string
  to: string
  /** It is what was asked for by number, whatever it is called. */
  exact?: true
}

export const keyOf = ({ kind, id }: Pick<Found, 'kind' | 'id'>) => `${kind}:${id}`
