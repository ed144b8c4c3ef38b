import { createHash } from 'node:crypto'
import type { Job, JobDetail } from '../../../contract/jobs.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { parseTask } from '../../../language/task/parse-task.ts'
import type { Platform } from '../../platform/platform.ts'
import { notFound } from '../../platform/refusal.ts'
import { createRecent } from '../../platform/recent.ts'
import { createHeldSnapshots } from './held-snapshots.ts'
import { createJobSnapshotsStore } from './job-snapshots.store.ts'
import { byKey } from './jobs.rules.ts'
import { type JobWithTemplate, createJobsStore } from './jobs.store.ts'

const textsKept = 500

/** Jobs and what they hold, as every part of the feature reads and writes them. */
export function createJobRecords({ store, events, clock }: Pick<Platform, 'store' | 'events' | 'clock'>) {
  const jobs = createJobsStore(store)
  const snapshots = createJobSnapshotsStore(store)
  const held = createHeldSnapshots(snapshots)
  const parsedTexts = createRecent<{ yaml_content: string; parsed: ReturnType<typeof parseTask> }>(textsKept)

  const need = (id: number): JobWithTemplate => jobs.get(id) ?? notFound()

  return {
    jobs,
    snapshots,
    held,
    need,
    /** Every job has one from the transaction on that makes it. */
    snapshotId: (row: JobWithTemplate): number => row.snapshot_id ?? notFound(),
    overrides: (jobId: number): Record<string, string> =>
      byKey(snapshots.overrides(jobId).map(({ task_key, hash }) => [task_key, hash] as const)),
    detail: (row: JobWithTemplate): JobDetail => ({
      ...presentJob(row),
      overridden_task_keys: snapshots.overrides(row.id).map(({ task_key }) => task_key),
    }),
    /** Tells of the change, and gives the record as it is now. */
    changed(id: number): JobWithTemplate {
      const row = need(id)
      events.append('job.changed', id, {
        name: row.name,
        status: row.status,
        template_version: row.template_version,
      })
      return row
    },

    /** Keeps a text once, by its hash, which it gives. */
    keepText(yaml_content: string): string {
      const hash = createHash('sha256').update(yaml_content).digest('hex')
      snapshots.keepText({ hash, yaml_content, created_at: clock.iso() })
      return hash
    },
    /** A text that was kept, parsed. */
    text: (hash: string) =>
      parsedTexts.get(hash, () => {
        const yaml_content = snapshots.text(hash)
        return yaml_content === undefined ? undefined : { yaml_content, parsed: parseTask(yaml_content) }
      }),
  }
}
export type JobRecords = ReturnType<typeof createJobRecords>

// Both were written from validated bodies.
export const mappingOf = (row: JobWithTemplate) => JSON.parse(row.connector_mapping) as Record<string, number>
export const parametersOf = (row: JobWithTemplate) => JSON.parse(row.parameters) as Record<string, Json>

export const etagOf = (row: JobWithTemplate) => `job-${row.id}-${row.revision}`

export function presentJob({ search_text: _, revision: __, snapshot_id: ___, ...job }: JobWithTemplate): Job {
  return job
}
