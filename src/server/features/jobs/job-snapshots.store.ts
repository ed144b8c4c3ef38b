import { and, asc, eq } from 'drizzle-orm'
import type { Store } from '../../platform/store.ts'
import { byKey } from './jobs.rules.ts'
import { type JobSnapshotRow, jobSnapshots, jobTaskOverrides, overrideTexts } from './jobs.table.ts'

/** What jobs hold: snapshots and texts that are never changed, and which of the texts a job runs instead of its tasks. */
export function createJobSnapshotsStore({ db }: Pick<Store, 'db'>) {
  const matches = (jobId: number, taskKey: string) =>
    and(eq(jobTaskOverrides.job_id, jobId), eq(jobTaskOverrides.task_key, taskKey))

  return {
    get(id: number): JobSnapshotRow | undefined {
      const row = db.select().from(jobSnapshots).where(eq(jobSnapshots.id, id)).get()
      // Written by `insert`.
      return row && { ...row, tasks: byKey(Object.entries(JSON.parse(row.tasks) as JobSnapshotRow['tasks'])) }
    },
    insert: (snapshot: Omit<JobSnapshotRow, 'id'>): number =>
      db
        .insert(jobSnapshots)
        .values({ ...snapshot, tasks: JSON.stringify(snapshot.tasks) })
        .returning({ id: jobSnapshots.id })
        .get().id,

    text: (hash: string): string | undefined =>
      db
        .select({ yaml_content: overrideTexts.yaml_content })
        .from(overrideTexts)
        .where(eq(overrideTexts.hash, hash))
        .get()?.yaml_content,
    keepText(text: typeof overrideTexts.$inferInsert): void {
      db.insert(overrideTexts).values(text).onConflictDoNothing().run()
    },

    /** By task key. */
    overrides: (jobId: number): { task_key: string; hash: string }[] =>
      db
        .select({ task_key: jobTaskOverrides.task_key, hash: jobTaskOverrides.hash })
        .from(jobTaskOverrides)
        .where(eq(jobTaskOverrides.job_id, jobId))
        .orderBy(asc(jobTaskOverrides.task_key))
        .all(),
    setOverride(override: typeof jobTaskOverrides.$inferInsert): void {
      const { hash, created_by, created_at } = override
      const { job_id, task_key } = jobTaskOverrides
      db.insert(jobTaskOverrides)
        .values(override)
        .onConflictDoUpdate({ target: [job_id, task_key], set: { hash, created_by, created_at } })
        .run()
    },
    removeOverride: (jobId: number, taskKey: string): boolean =>
      db.delete(jobTaskOverrides).where(matches(jobId, taskKey)).run().changes === 1,
  }
}
export type JobSnapshotsStore = ReturnType<typeof createJobSnapshotsStore>
