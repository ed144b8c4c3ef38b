import { msg } from '../../contract/messages.ts'
import { createGivenIds } from './given-ids.store.ts'
import { notFound } from './refusal.ts'
import type { Store } from './store.ts'

/** 404 for a run or job run, which says so when it was there and retention has let it go. */
export function createMissingRun(store: Pick<Store, 'sqlite'>, table: 'runs' | 'job_runs'): (id: number) => never {
  const wasGiven = createGivenIds(store, table)
  const removed = table === 'runs' ? 'run_removed' : 'job_run_removed'
  return (id) => notFound(wasGiven(id) ? msg(removed, { id }) : undefined)
}
