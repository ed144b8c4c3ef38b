/** Pure decisions about how executors are listed. */
import type { Executor } from '../../../contract/executors.ts'
import { compareNames } from '../../ui/format.ts'

const order = { online: 0, draining: 1, lost: 2, offline: 3 } as const

/** It ended, or is long lost: kept for the record, hidden by default. */
export const isGone = (executor: Pick<Executor, 'status'>) => executor.status === 'offline'

/** Connected by its status, but its connection broke. */
export const isSilent = ({ status, answering }: Pick<Executor, 'status' | 'answering'>) =>
  (status === 'online' || status === 'draining') && !answering

/** Those that work first, then by name. */
export const sortExecutors = (executors: readonly Executor[]) =>
  executors.toSorted((a, b) => order[a.status] - order[b.status] || compareNames(a.name, b.name) || b.id - a.id)

/** `region=eu gpu`: a label that is true is its name alone. */
export function labelsText(labels: Readonly<Record<string, unknown>>): string {
  return Object.entries(labels)
    .map(([name, value]) =>
      value === true || value === '' ? name : `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
    )
    .join(' ')
}
