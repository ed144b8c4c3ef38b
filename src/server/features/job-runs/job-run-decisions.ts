import { type ForEachItem, evaluateItems, evaluateMessage, evaluateWhen } from '../../../language/job/resolve-job.ts'
import type { GateNode, JobTask, TaskNode } from '../../../language/job/job.types.ts'
import type { Clock } from '../../platform/clock.ts'
import type { JobRunEndings } from './job-run-endings.ts'
import type { JobRunItemsStore } from './job-run-items.store.ts'
import type { JobRunPlan } from './job-run-plan.ts'
import type { JobRunScopes } from './job-run-scopes.ts'
import type { JobRunTasksStore, NodeChange } from './job-run-tasks.store.ts'
import { type NodeStanding, hasEnded, isBad, limitsOf, verdictOn } from './job-runs.rules.ts'
import type { JobRunRow, JobRunTaskRow } from './job-runs.table.ts'

interface Parts {
  nodes: JobRunTasksStore
  items: JobRunItemsStore
  scopes: JobRunScopes
  clock: Clock
  /** Each node that has changed. */
  changed: (run: JobRunRow, key: string) => void
  /** Asked after each node that ends by its decision: whether the rest must wait. */
  isEnough: () => boolean
  /** Each gate that begins to wait. */
  asked: JobRunEndings['asked']
}

/** Decides what becomes of nodes once everything that they depend on has ended. */
export function createJobRunDecisions({ nodes, items, scopes, clock, changed, isEnough, asked }: Parts) {
  function decided(run: JobRunRow, key: string, status: 'success' | 'failed' | 'skipped', change: NodeChange) {
    return nodes.move(run.id, key, 'decide', status, { completed_at: clock.iso(), ...change })
  }

  function queue(run: JobRunRow, node: TaskNode, list: readonly ForEachItem[] | null): JobRunTaskRow | undefined {
    const at = clock.iso()
    const { max_parallel, ...shared } = { ...limitsOf(node, run.priority), queued_at: at }
    const row = nodes.move(run.id, node.key, 'queue', 'queued', {
      ...shared,
      max_parallel,
      item_total: list?.length ?? 1,
    })
    if (!row) return undefined
    const units = list?.map(({ value, key }, item_index) => ({
      item_index,
      item: JSON.stringify(value),
      item_key: key,
    }))
    items.insert(
      { job_run_id: run.id, task_key: node.key, ...shared },
      units ?? [{ item_index: 0, item: null, item_key: '' }],
    )
    return row
  }

  function ask(run: JobRunRow, node: GateNode, scope: ReturnType<JobRunScopes['of']>): JobRunTaskRow | undefined {
    const message = evaluateMessage(node, scope)
    if (!message.ok) return decided(run, node.key, 'failed', { error_message: message.problem.message })
    const row = nodes.move(run.id, node.key, 'ask', 'paused', { message: message.value, started_at: clock.iso() })
    if (row) asked(run, { task_key: node.key, message: message.value })
    return row
  }

  function decideOne(
    run: JobRunRow,
    plan: JobRunPlan,
    node: JobTask,
    verdict: 'go' | 'skip',
  ): JobRunTaskRow | undefined {
    const { key } = node
    if (verdict === 'skip') return decided(run, key, 'skipped', { reason: 'upstream' })
    const scope = scopes.of(run, plan, key)
    const when = evaluateWhen(node, scope)
    if (!when.ok) return decided(run, key, 'failed', { error_message: when.problem.message })
    if (!when.value) return decided(run, key, 'skipped', { reason: 'when' })
    if (node.kind === 'gate') return ask(run, node, scope)
    if (!node.for_each) return queue(run, node, null)
    const list = evaluateItems(node.for_each, scope)
    if (!list.ok) return decided(run, key, 'failed', { error_message: list.problem.message })
    if (list.value.length === 0) return decided(run, key, 'success', { reason: 'empty', item_total: 0 })
    return queue(run, node, list.value)
  }

  return {
    /**
     * Decides every pending node that can be: of those behind the `ended` ones, or of all. `stoppedBy`: one that failed with
     * `on_failure: stop`. What can be decided at the same moment still is, so that it does not matter in which order. Not
     * complete: there are more to be decided.
     */
    decide(
      run: JobRunRow,
      plan: JobRunPlan,
      ended: ReadonlySet<string> | 'all',
    ): { stoppedBy: JobRunTaskRow | null; isComplete: boolean } {
      let stoppedBy: JobRunTaskRow | null = null
      const standings = new Map<string, NodeStanding>(nodes.standings(run.id))
      // Grows while it is walked.
      const candidates =
        ended === 'all' ? plan.order.map(({ key }) => key) : [...ended].flatMap((key) => plan.dependents(key))
      for (const key of candidates) {
        if (standings.get(key)?.status !== 'pending') continue
        const node = plan.node(key)
        const verdict = verdictOn(node, standings)
        if (verdict === 'wait') continue
        const row = decideOne(run, plan, node, verdict)
        if (!row) continue
        standings.set(key, row)
        changed(run, key)
        if (!hasEnded(row.status)) continue
        candidates.push(...plan.dependents(key))
        if (isBad(row.status) && node.kind === 'task' && node.on_failure === 'stop') stoppedBy ??= row
        if (isEnough() && !stoppedBy) return { stoppedBy, isComplete: false }
      }
      return { stoppedBy, isComplete: true }
    },
  }
}
