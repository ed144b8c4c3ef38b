import type { JobUpgrade } from '../../../contract/jobs.ts'
import type { JobSnapshotRow, PinnedTask } from './jobs.table.ts'

export type TaskChange = JobUpgrade['tasks'][number]
type DashboardChange = JobUpgrade['dashboards'][number]
/** What a snapshot holds of a dashboard template. */
export type HeldDashboard = JobSnapshotRow['dashboard_templates'][number]
type Text = (taskId: number, version: number) => string | undefined

/**
 * What an upgrade does to the tasks: those of the new template in its order, then the ones that go. Texts are given where they
 * differ, so that a job of many tasks stays readable.
 */
export function compareTasks(
  held: Record<string, PinnedTask>,
  next: Record<string, PinnedTask>,
  text: Text,
): TaskChange[] {
  const of = (tasks: Record<string, PinnedTask>, key: string) => (Object.hasOwn(tasks, key) ? tasks[key] : undefined)
  const gone = Object.keys(held).filter((key) => !of(next, key))
  return [...Object.keys(next), ...gone].map((key) => changeOf(key, of(held, key), of(next, key), text))
}

function changeOf(task_key: string, from: PinnedTask | undefined, to: PinnedTask | undefined, text: Text): TaskChange {
  const same = from?.task_id === to?.task_id && from?.version === to?.version
  const shown = (task: PinnedTask | undefined) => (task && !same ? (text(task.task_id, task.version) ?? null) : null)
  return {
    task_key,
    task_name: (to ?? from)?.task_name ?? '',
    change: !from ? 'added' : !to ? 'removed' : same ? 'unchanged' : 'changed',
    from_version: from?.version ?? null,
    to_version: to?.version ?? null,
    before: shown(from),
    after: shown(to),
  }
}

/** What an upgrade does to the dashboards: those that the job gets, then the ones that go. */
export function compareDashboards(held: readonly HeldDashboard[], next: readonly HeldDashboard[]): DashboardChange[] {
  const gone = held.filter(({ id }) => !next.some((one) => one.id === id))
  return [...next, ...gone].map(({ id }): DashboardChange => {
    const from = held.find((one) => one.id === id)
    const to = next.find((one) => one.id === id)
    const same = from?.version === to?.version && from?.yaml_content === to?.yaml_content
    return {
      name: (to ?? from)?.name ?? '',
      change: !from ? 'added' : !to ? 'removed' : same ? 'unchanged' : 'changed',
      from_version: from?.version ?? null,
      to_version: to?.version ?? null,
      before: from && !same ? from.yaml_content : null,
      after: to && !same ? to.yaml_content : null,
    }
  })
}
