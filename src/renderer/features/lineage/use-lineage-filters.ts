import type { QueryOf } from '../../../contract/operation.ts'
import type { getLineage } from '../../../contract/lineage.ts'
import { useAddress, wholeNumber } from '../../ui/use-address.ts'

/** Where the lineage begins and which way it goes, as the address has it: a link shows the same graph. */
export function useLineageFilters() {
  const [address, change] = useAddress()
  const start = {
    dataset: address.get('dataset') ?? undefined,
    task_id: wholeNumber(address.get('task')),
    job_id: wholeNumber(address.get('job')),
    connector_id: wholeNumber(address.get('connector')),
  }
  const written = address.get('direction')
  const direction = written === 'upstream' || written === 'downstream' ? written : 'both'
  const filtered = Object.values(start).some((value) => value !== undefined)
  const query: QueryOf<typeof getLineage> = filtered ? { ...start, direction } : {}
  return {
    query,
    start,
    direction,
    filtered,
    q: address.get('q') ?? '',
    node: address.get('node'),
    change,
    clear: () => change({ dataset: null, task: null, job: null, connector: null, direction: null }),
  }
}
export type LineageFilters = ReturnType<typeof useLineageFilters>

/** What the address asks about, as far as it is known before any of it has arrived; null: everything. */
export function subjectOf({ start, node }: LineageFilters) {
  const [, nodeTask] = /^task (\d+)$/.exec(node ?? '') ?? []
  const { dataset, task_id = nodeTask, job_id, connector_id } = start
  if (dataset !== undefined) return { kind: 'dataset', text: dataset } as const
  if (job_id !== undefined) return { kind: 'job', text: String(job_id) } as const
  if (connector_id !== undefined) return { kind: 'connector', text: String(connector_id) } as const
  if (task_id !== undefined) return { kind: 'task', text: String(task_id) } as const
  return node === null ? null : ({ kind: 'dataset', text: node } as const)
}
