import { msg } from '../../../contract/messages.ts'
import type { JobDetail } from '../../../contract/jobs.ts'
import type { TaskNode } from '../../../language/job/job.types.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Platform } from '../../platform/platform.ts'
import { invalid, notFound } from '../../platform/refusal.ts'
import { errorsIn } from '../../platform/versioned-text.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import type { ReadingsService } from '../readings/readings.service.ts'
import { type Finding, fitOverride } from './job-override.rules.ts'
import { type JobRecords, etagOf, mappingOf } from './job-records.ts'

interface Dependencies {
  records: JobRecords
  connectors: ConnectorsService
  readings: ReadingsService
}

/** Tasks that a job runs with YAML of its own. */
export function createJobOverrides(
  { store, clock }: Pick<Platform, 'store' | 'clock'>,
  { records, connectors, readings }: Dependencies,
) {
  const { jobs, snapshots, held, need, changed, detail, snapshotId } = records

  /** Why the text cannot stand in for the node's task; empty when it can. */
  function fit(node: TaskNode, mapping: Record<string, number>, yaml: string): Finding[] {
    const idOf = (name: string) => (Object.hasOwn(mapping, name) ? mapping[name] : undefined)
    const kinds = connectors.kinds(Object.values(node.connectors).flatMap((name) => idOf(name) ?? []))
    return fitOverride(yaml, readings.now('task', yaml, undefined), node, (name) => kinds.get(idOf(name) ?? 0))
  }

  /** Refuses what does not fit. A job run gives the mapping that it was started with. */
  function check(
    snapshot: number,
    mapping: Record<string, number>,
    taskKey: string,
    yaml: string,
    path = 'body.yaml_content',
  ): void {
    const { tasks } = held.get(snapshot).document
    const node = Object.hasOwn(tasks, taskKey) ? tasks[taskKey] : undefined
    if (!node) return invalid([{ path, ...msg('task_not_in_job', { key: taskKey }) }])
    if (node.kind === 'gate') {
      return invalid([{ path, ...msg('gate_has_no_task', { key: taskKey }) }])
    }
    const findings = fit(node, mapping, yaml)
    if (findings.length > 0) invalid(errorsIn(findings, path), msg('task_misfit'))
  }

  return {
    fit,
    check,
    /** Reads long texts, so that the others needn't, until the answer is called. */
    ahead: (texts: readonly string[], signal: AbortSignal) => readings.tasksAhead(texts, signal),

    set: (id: number, key: string, yaml: string, caller: Caller, guard: (etag: string) => void): JobDetail =>
      store.transaction(() => {
        const row = need(id)
        guard(etagOf(row))
        if (!Object.hasOwn(held.get(snapshotId(row)).document.tasks, key)) noSuchTask(key)
        check(snapshotId(row), mappingOf(row), key, yaml)
        const hash = records.keepText(yaml)
        if (records.overrides(id)[key] === hash) return detail(row)
        const at = clock.iso()
        snapshots.setOverride({ job_id: id, task_key: key, hash, created_by: caller.user_id, created_at: at })
        jobs.update(id, { updated_at: at })
        return detail(changed(id))
      }),

    remove: (id: number, key: string): JobDetail =>
      store.transaction(() => {
        need(id)
        if (!snapshots.removeOverride(id, key)) notFound(msg('no_override', { key }))
        jobs.update(id, { updated_at: clock.iso() })
        return detail(changed(id))
      }),
  }
}
export type JobOverrides = ReturnType<typeof createJobOverrides>

const noSuchTask = (key: string) => notFound(msg('job_no_task', { key }))
