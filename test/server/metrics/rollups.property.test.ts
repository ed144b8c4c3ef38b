// Random histories: runs that end in every way, clocks that jump, runs that are removed, transactions that are undone, rebuilds.
// After each, the roll-ups are those of every run that ever ended.
import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import { createRollupsStore } from '../../../src/server/features/metrics/rollups.store.ts'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import { controlPlane, movableClock, taskYaml } from '../runs/control-plane.ts'
import { success } from '../runs/fake-executor.ts'
import { type LedgerRun, endedRuns, expectRollupsOf } from './naive-rollups.ts'

const pick = fc.nat({ max: 40 })
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('trigger' as const), times: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('claim' as const),
      count: fc.integer({ min: 1, max: 4 }),
      by: fc.nat({ max: 1 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('complete' as const),
      plan: pick,
      status: fc.constantFrom('success' as const, 'completed' as const, 'failed' as const, 'cancelled' as const),
      code: fc.constantFrom('X', 'TIMEOUT'),
      retryable: fc.boolean(),
      duration: fc.oneof(fc.nat({ max: 5_000 }), fc.nat({ max: 100_000_000 })),
      items: fc.nat({ max: 1_000_000 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('give_up' as const),
      plan: pick,
      why: fc.constantFrom('executor_lost' as const, 'timeout' as const, 'executor_gone' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give_back' as const), plan: pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), run: pick }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      by: fc.integer({ min: -90_000_000, max: 90_000_000 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('purge' as const), run: pick, undone: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'rebuild' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'start_again' as const }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('count_some' as const), limit: fc.integer({ min: 1, max: 5 }) }),
  },
)

test('whatever happens to runs, the roll-ups are those of every run that ever ended', async () => {
  const clock = movableClock()
  const plane = await controlPlane({ yaml: taskYaml('demo.random', 'retries: {max: 3, delay: 0s}\n'), clock })
  const { runs, metrics, executors } = plane.services
  const { store } = plane.platform
  const { sqlite } = store
  const rollups = createRollupsStore(sqlite)
  const other = await plane.editor.post('/api/tasks', { yaml_content: taskYaml('demo.other') })
  const tasks = [plane.taskId, (other.body as { id: number }).id]
  const origin = { trigger_type: 'manual', created_by: null } as const
  const claimants = ['first', 'second'].map((name) => {
    const registration = {
      name,
      version: '1',
      protocol: executorProtocolVersion,
      capabilities: [],
      slots: 4,
      instance: name,
    }
    return { id: executors.register(registration, '127.0.0.1').id, name }
  })
  const refused: string[] = []
  const refusable = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refused.push(error.code)
    }
  }
  /** Done in a savepoint that is undone while its transaction goes on, then in a transaction that is undone, then, if wanted, for good. */
  const inTheEnd = (work: () => void, done: boolean): void => {
    const undone = () => {
      work()
      throw new Error('undone')
    }
    store.transaction(() => expect(() => store.transaction(undone)).toThrow('undone'))
    expect(() => store.transaction(undone)).toThrow('undone')
    if (done) store.transaction(work)
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 50 }), async (steps) => {
      sqlite.exec('DELETE FROM runs; DELETE FROM metric_rollups; UPDATE metric_settings SET uncounted_after = NULL')
      const ledger = new Map<number, LedgerRun>()
      const learn = () => endedRuns(sqlite).forEach((run) => ledger.set(run.id, run))
      const ids: number[] = []
      const plans: RunPlan[] = []
      for (const one of steps) {
        const plan = 'plan' in one ? plans[one.plan % Math.max(plans.length, 1)] : undefined
        const id = 'run' in one ? ids[one.run % Math.max(ids.length, 1)] : undefined
        if (one.kind === 'trigger') {
          // In one turn of the event loop, so that they share a transaction.
          const started = Array.from({ length: one.times }, (_, at) =>
            runs.trigger(tasks[at % 2]!, { connector_mapping: plane.mapping }, origin),
          )
          ids.push(...(await Promise.all(started)).map((run) => run.id))
        } else if (one.kind === 'claim') {
          plans.push(
            ...store.transaction(() => runs.attempts.claim(runs.attempts.ready(one.count), claimants[one.by]!)),
          )
        } else if (one.kind === 'clock') clock.offset += one.by
        else if (one.kind === 'cancel' && id !== undefined) await refusable(runs.cancel(id))
        else if (one.kind === 'purge' && id !== undefined && ledger.has(id)) {
          const purge = () => {
            metrics.runLeaving(id)
            sqlite.prepare('DELETE FROM runs WHERE id = ?').run(id)
          }
          inTheEnd(purge, !one.undone)
        } else if (one.kind === 'rebuild') store.transaction(() => rollups.rebuild(-Infinity))
        else if (one.kind === 'start_again') rollups.startAgain()
        else if (one.kind === 'count_some') inTheEnd(() => void rollups.countSome(-Infinity, one.limit), true)
        else if (plan && one.kind === 'complete') {
          const started = Date.parse(clock.iso()) - one.duration
          await refusable(
            runs.callbacks.complete(plan.run_id, {
              ...success(),
              attempt: plan.attempt,
              lease_token: plan.lease_token,
              status: one.status,
              started_at: new Date(started).toISOString(),
              completed_at: clock.iso(),
              duration_ms: one.duration,
              item_count: one.items,
              ...(one.status === 'failed' && { error: { code: one.code, message: 'x', retryable: one.retryable } }),
            }),
          )
        } else if (plan && one.kind === 'give_up') {
          inTheEnd(() => runs.attempts.giveUp(plan, one.why), true)
        } else if (plan && one.kind === 'give_back') runs.attempts.giveBack(plan)
        learn()
      }
      // All that is left ends in one transaction.
      await Promise.all(ids.map((run) => refusable(runs.cancel(run))))
      learn()
      // What is being counted anew is counted to its end.
      while (store.transaction(() => rollups.countSome(-Infinity, 3)) !== null);
      expectRollupsOf(sqlite, [...ledger.values()])
      store.transaction(() => rollups.rebuild(-Infinity))
      expectRollupsOf(sqlite, [...ledger.values()])
    }),
    { numRuns: 60 },
  )
  expect(refused).not.toContain('INTERNAL_ERROR')
}, 240_000)
