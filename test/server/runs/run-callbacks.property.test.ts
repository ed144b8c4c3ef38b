// Random sequences of what executors say and what happens around them: repeated, reordered and stale callbacks, lost
// executors, cancellations. Whatever the sequence, the invariants hold after every step.
import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type RunPlan } from '../../../src/contract/executor-protocol.ts'
import { type Run, runStatuses, triggerTypes } from '../../../src/contract/runs.ts'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import { createRunListStore } from '../../../src/server/features/runs/run-list.store.ts'
import { controlPlane, taskYaml } from './control-plane.ts'
import { line, success } from './fake-executor.ts'

type Step =
  | { kind: 'trigger' }
  | { kind: 'claim'; count: number }
  | { kind: 'complete'; plan: number; status: 'success' | 'failed' | 'cancelled'; logs: boolean }
  | { kind: 'logs'; plan: number; seq: number }
  | { kind: 'state'; plan: number }
  | { kind: 'give_up'; plan: number }
  | { kind: 'give_back'; plan: number }
  | { kind: 'cancel'; run: number }

const index = fc.nat({ max: 40 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.constant<Step>({ kind: 'trigger' }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('claim' as const), count: fc.integer({ min: 1, max: 3 }) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('complete' as const),
      plan: index,
      status: fc.constantFrom('success' as const, 'failed' as const, 'cancelled' as const),
      logs: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('logs' as const), plan: index, seq: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('state' as const), plan: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('give_up' as const), plan: index }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('give_back' as const), plan: index }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cancel' as const), run: index }) },
)

const ended = new Set(['success', 'completed', 'failed', 'cancelled'])

test('repeated, reordered, stale and lost: every run ends once, every line is there once, counters are exact', async () => {
  const plane = await controlPlane({ yaml: taskYaml('demo.random', 'retries: {max: 2, delay: 0s}\n') })
  const { runs } = plane.services
  const { store } = plane.platform
  const counters = createRunListStore(store.sqlite)
  const origin = { trigger_type: 'manual', created_by: null } as const
  const executor = { id: plane.services.executors.register(registrationOf(), '127.0.0.1').id, name: 'random' }

  async function refusable(work: Promise<unknown>): Promise<'accepted' | 'refused'> {
    try {
      await work
      return 'accepted'
    } catch (error) {
      if (error instanceof Refusal && (error.code === 'CONFLICT' || error.code === 'INVALID_STATE')) return 'refused'
      throw error
    }
  }

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      const ids: number[] = []
      const plans: RunPlan[] = []
      const finals = new Map<number, Run>()
      const broken: string[] = []
      const completions = new Map<string, 'accepted' | 'refused'>()
      for (const one of steps) {
        const plan = 'plan' in one ? plans[one.plan % Math.max(plans.length, 1)] : undefined
        if (one.kind === 'trigger') {
          ids.push((await runs.trigger(plane.taskId, { connector_mapping: plane.mapping }, origin)).id)
        } else if (one.kind === 'claim') {
          const mine = runs.attempts
            .ready(100)
            .filter(({ run_id }) => ids.includes(run_id))
            .slice(0, one.count)
          plans.push(...store.transaction(() => runs.attempts.claim(mine, executor)))
        } else if (one.kind === 'cancel') {
          const id = ids[one.run % Math.max(ids.length, 1)]
          if (id !== undefined) await refusable(runs.cancel(id))
        } else if (plan && one.kind === 'complete') {
          const body = {
            ...success(),
            attempt: plan.attempt,
            lease_token: plan.lease_token,
            status: one.status,
            ...(one.status === 'failed' && { error: { code: 'X', message: 'x', retryable: true } }),
            ...(one.logs && { logs: { seq: 1, lines: [line(`complete ${plan.lease_token}`)] } }),
          } as const
          const answer = await refusable(runs.callbacks.complete(plan.run_id, body))
          const before = completions.get(plan.lease_token)
          // Once accepted, always accepted: the same word twice gets the same answer.
          if (before === 'accepted' && answer === 'refused') broken.push(`${plan.run_id}/${plan.attempt}`)
          completions.set(plan.lease_token, answer)
        } else if (plan && one.kind === 'logs') {
          const lines = [line(`${plan.lease_token} ${one.seq}a`), line(`${plan.lease_token} ${one.seq}b`)]
          await refusable(runs.callbacks.logs(plan.run_id, { ...lease(plan), seq: one.seq, lines }))
        } else if (plan && one.kind === 'state') {
          const body = { ...lease(plan), state: 'running', started_at: new Date().toISOString() } as const
          await refusable(runs.callbacks.state(plan.run_id, body))
        } else if (plan && one.kind === 'give_up') runs.attempts.giveUp(plan, 'executor_lost')
        else if (plan && one.kind === 'give_back') runs.attempts.giveBack(plan)

        for (const id of ids) {
          const run = runs.get(id)
          const final = finals.get(id)
          // What has ended never changes again.
          expect(run).toEqual(final ?? run)
          if (ended.has(run.status)) finals.set(id, run)
          expect(run.attempt).toBeLessThanOrEqual(run.max_attempts)
          expect(run.status === 'running').toBe(run.executor_id !== null && !ended.has(run.status))
          expect(run.completed_at !== null).toBe(ended.has(run.status))
        }
      }
      expect(broken).toEqual([])
      for (const id of ids) {
        const { lines, total_lines } = await runs.logs.page(id, { limit: 5000 })
        expect(lines.map((one) => one.line)).toEqual(Array.from({ length: total_lines }, (_, i) => i + 1))
        const texts = lines.map((one) => one.message)
        expect(new Set(texts).size).toBe(texts.length)
      }
      for (const status of [undefined, ...runStatuses]) {
        for (const trigger_type of [undefined, ...triggerTypes]) {
          const where = [status && `status = '${status}'`, trigger_type && `trigger_type = '${trigger_type}'`]
          const real = store.sqlite
            .prepare<[], { n: number }>(
              `SELECT count(*) AS n FROM runs WHERE ${where.filter(Boolean).join(' AND ') || 1}`,
            )
            .get()!.n
          const filters = { status: status && [status], trigger_type: trigger_type && [trigger_type] }
          expect(counters.count(filters)).toBe(real)
          expect(counters.count({ ...filters, task_id: [plane.taskId] })).toBe(real)
        }
      }
    }),
    { numRuns: 60 },
  )
}, 120_000)

const lease = ({ attempt, lease_token }: RunPlan) => ({ attempt, lease_token })
const registrationOf = () => ({
  name: 'random',
  version: '1',
  protocol: executorProtocolVersion,
  capabilities: [],
  slots: 4,
  instance: 'random',
})
