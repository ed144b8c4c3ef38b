import type { Store } from './store.ts'

/** Whether a record of this id is or was there: ids are never given twice. */
export function createGivenIds({ sqlite }: Pick<Store, 'sqlite'>, table: 'runs' | 'job_runs') {
  const last = sqlite.prepare<[string], { seq: number }>('SELECT seq FROM sqlite_sequence WHERE name = ?')
  return (id: number): boolean => id > 0 && id <= (last.get(table)?.seq ?? 0)
}
