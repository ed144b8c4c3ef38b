import type { JobRunNode } from '../../../contract/job-runs.ts'
import { listPools } from '../../../contract/pools.ts'
import { useOperation } from '../../api/queries.ts'

/** Whether what waits for the pool does so until someone gives it slots. */
export function useHasNoSlots({ reason, pool }: Pick<JobRunNode, 'reason' | 'pool'>): boolean {
  const pools = useOperation(listPools, {}, { enabled: reason === 'pool' })
  return reason === 'pool' && (pools.data?.some(({ name, slots }) => name === pool && slots === 0) ?? false)
}
