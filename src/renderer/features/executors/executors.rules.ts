/** Pure decisions about how executors are listed. */
import type { Executor } from '../../../contract/executors.ts'
import { compareNames } from '../../ui/format.ts'

const order = { online: 0, draining: 1, lost: 2, offline: 3 } as const

const dayMs = 86_400_000

/** It ended, or has been lost for a day: kept for the record, hidden by default. */
export const isGone = (
  { status, last_heartbeat_at: at }: Pick<Executor, 'status' | 'last_heartbeat_at'>,
  now: number,
) => status === 'offline' || (status === 'lost' && at !== null && now - Date.parse(at) > dayMs)

/** Connected by its status, but its connection broke. */
export const isSilent = ({ status, answering }: Pick<Executor, 'status' | 'answering'>) =>
  (status === 'online' || status === 'draining') && !answering

const byState = (a: Executor, b: Executor) =>
  order[a.status] - order[b.status] || compareNames(a.name, b.name) || b.id - a.id

/** Those that work first, then by name. */
export const sortExecutors = (executors: readonly Executor[]) => executors.toSorted(byState)

export const executorSorts = ['name', 'status', 'busy', 'heartbeat'] as const
export type ExecutorSort = (typeof executorSorts)[number]

const compare: Readonly<Record<ExecutorSort, (a: Executor, b: Executor) => number>> = {
  name: (a, b) => compareNames(a.name, b.name),
  status: (a, b) => order[a.status] - order[b.status],
  busy: (a, b) => a.busy / a.slots - b.busy / b.slots,
  heartbeat: (a, b) => Date.parse(a.last_heartbeat_at ?? '') - Date.parse(b.last_heartbeat_at ?? '') || 0,
}

interface Wanted {
  q: string
  /** Undefined: all. */
  status: readonly Executor['status'][] | undefined
  /** Whether those that are gone are shown though nobody asked for their status. */
  gone: boolean
  sort: { id: ExecutorSort; order: 'asc' | 'desc' } | undefined
  now: number
}

/** What the list shows: found by name, label, address, or version. */
export function listed(executors: readonly Executor[], { q, status, gone, sort, now }: Wanted): Executor[] {
  const text = q.toLowerCase()
  const found = executors.filter(
    (one) =>
      (status ? status.includes(one.status) : gone || !isGone(one, now)) &&
      [one.name, labelsText(one.labels), one.address ?? '', one.version].some((part) =>
        part.toLowerCase().includes(text),
      ),
  )
  if (!sort) return sortExecutors(found)
  const turn = sort.order === 'asc' ? 1 : -1
  return found.toSorted((a, b) => compare[sort.id](a, b) * turn || byState(a, b))
}

/** `region=eu gpu`: a label that is true is its name alone. */
export function labelsText(labels: Readonly<Record<string, unknown>>): string {
  return Object.entries(labels)
    .map(([name, value]) =>
      value === true || value === '' ? name : `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(' ')
}
