import { msg } from '../../../contract/messages.ts'
import type { JobDocument } from '../../../language/job/job.types.ts'
import { type ParsedJob, parseJob } from '../../../language/job/parse-job.ts'
import { invalidState, notFound } from '../../platform/refusal.ts'
import { createRecent } from '../../platform/recent.ts'
import type { JobSnapshotsStore } from './job-snapshots.store.ts'
import type { JobSnapshotRow, PinnedTask } from './jobs.table.ts'

/** What a job holds, for ever. */
export interface HeldSnapshot {
  id: number
  job_id: number
  template_version: number
  yaml_content: string
  document: JobDocument
  /** By task key. */
  tasks: Record<string, PinnedTask>
}
interface ParsedSnapshot {
  row: JobSnapshotRow
  parsed: ParsedJob
  held: HeldSnapshot | null
}

const kept = 200

/** Snapshots never change, so each is read and parsed once. */
export function createHeldSnapshots(snapshots: JobSnapshotsStore) {
  const recent = createRecent<ParsedSnapshot>(kept)

  const find = (id: number): ParsedSnapshot =>
    recent.get(id, () => {
      const row = snapshots.get(id)
      if (!row) return undefined
      // What it names was there when it was taken: only the text itself is read again.
      const parsed = parseJob(row.yaml_content)
      const { job_id, template_version, yaml_content, tasks } = row
      const held = parsed.job && { id, job_id, template_version, yaml_content, document: parsed.job, tasks }
      return { row, parsed, held }
    }) ?? notFound()

  return {
    /** Its text with what could be read of it, also when this server's language does not accept it any more. */
    read(id: number): Pick<ParsedSnapshot, 'row' | 'parsed'> {
      return find(id)
    },
    get: (id: number): HeldSnapshot => find(id).held ?? invalidState(msg('held_template_has_errors')),
  }
}
export type HeldSnapshots = ReturnType<typeof createHeldSnapshots>
