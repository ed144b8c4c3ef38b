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
