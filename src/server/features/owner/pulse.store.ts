import type { Store } from '../../platform/store.ts'

export interface Failure {
  id: number
  title: string
  at: string
}

/** How the server does, from indexes alone, which SQLite would not choose by itself: asked every second while something happens. */
export function createPulseStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const count = sqlite.prepare<[string], number>('SELECT count(*) FROM runs WHERE status = ?').pluck()
  const next = sqlite
    .prepare<[], string | null>('SELECT min(next_fire_at) FROM triggers WHERE next_fire_at IS NOT NULL')
    .pluck()
  const runs = sqlite.prepare<[string, number], Failure>(
    `SELECT id, task_name AS title, completed_at AS at FROM runs INDEXED BY runs_failed_alone
     WHERE status = 'failed' AND job_run_id IS NULL AND completed_at >= ? ORDER BY completed_at DESC LIMIT ?`,
  )
  const jobRuns = sqlite.prepare<[string, number], Failure>(
    `SELECT id, job_name AS title, completed_at AS at FROM job_runs INDEXED BY job_runs_failed
     WHERE status = 'failed' AND removed_at IS NULL AND completed_at >= ? ORDER BY completed_at DESC LIMIT ?`,
  )
  return {
    count: (status: 'running' | 'pending'): number => count.get(status) ?? 0,
    nextFireAt: (): string | null => next.get() ?? null,
    /** Runs of no job run, the newest first. */
    failedRuns: (from: string, limit: number) => runs.all(from, limit),
    failedJobRuns: (from: string, limit: number) => jobRuns.all(from, limit),
  }
}
