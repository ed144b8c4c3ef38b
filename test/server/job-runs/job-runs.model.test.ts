// Random DAGs, driven by random events through the real service over a real store, held against the reference model after every
// event: the same states everywhere, what is under way never beyond a limit, and never less than the limits allow.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { RunPlan } from '../../../src/contract/executor-protocol.ts'
import { Refusal } from '../../../src/server/platform/refusal.ts'
import { failure } from '../runs/fake-executor.ts'
import { type JobPlane, jobPlane } from './job-plane.ts'
import { type JobSpec, Model, type NodeSpec, type Outcome } from './reference-model.ts'

type Step =
  | { kind: 'claim'; count: number }
  | { kind: 'report'; pick: number; outcome: Outcome }
  | { kind: 'lost'; pick: number }
  | { kind: 'cancel_run'; pick: number }
  | { kind: 'pause'; stop: boolean }
  | { kind: 'resume' }
  | { kind: 'gate'; pick: number; open: boolean }
  | { kind: 'cancel' }

const pick = fc.nat({ max: 100 })
const outcome = fc.constantFrom<Outcome[]>('success', 'success', 'success', 'completed', 'failed', 'failed_retryable')
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('claim' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 14, arbitrary: fc.record({ kind: fc.constant('report' as const), pick, outcome }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('lost' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel_run' as const), pick }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pause' as const), stop: fc.boolean() }) },
  { weight: 4, arbitrary: fc.constant<Step>({ kind: 'resume' }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('gate' as const), pick, open: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>({ kind: 'cancel' }) },
)

const slots = 2
const nodeOf = (index: number): fc.Arbitrary<NodeSpec> => {
  const above = Array.from({ length: index }, (_, n) => `n${n}`)
  return fc
    .record({
      kind: fc.constantFrom('task' as const, 'task' as const, 'task' as const, 'task' as const, 'gate' as const),
      depends_on: fc.subarray(above, { maxLength: Math.min(3, index) }),
      run_if: fc.constantFrom(
        'all_success' as const,
        'all_success' as const,
        'none_failed' as const,
        'all_done' as const,
        'any_failed' as const,
      ),
      whenKind: fc.constantFrom('none', 'none', 'none', 'none', 'none', 'never', 'broken', 'ok'),
      items: fc.option(fc.integer({ min: 0, max: 4 }), { freq: 2 }),
      on_item_error: fc.constantFrom('fail' as const, 'continue' as const),
      max_parallel: fc.integer({ min: 1, max: 3 }),
      on_failure: fc.constantFrom('fail' as const, 'fail' as const, 'continue' as const, 'stop' as const),
      retries: fc.integer({ min: 0, max: 2 }),
      pool: fc.boolean(),
    })
    .map(({ whenKind, ...node }): NodeSpec => {
      const [first] = node.depends_on
      const when = whenKind === 'ok' ? (first ? { ok: first } : 'none') : whenKind
      return { ...node, key: `n${index}`, when, items: node.kind === 'gate' ? null : node.items }
    })
}
const jobSpec: fc.Arbitrary<JobSpec> = fc.integer({ min: 1, max: 7 }).chain((size) =>
  fc.record({
    nodes: fc.tuple(...Array.from({ length: size }, (_, index) => nodeOf(index))),
    concurrency: fc.integer({ min: 1, max: 4 }),
    selected: fc.option(
      fc.subarray(
        Array.from({ length: size }, (_, n) => `n${n}`),
        { minLength: 1 },
      ),
      { freq: 4 },
    ),
    skip_deps: fc.boolean(),
  }),
)

function yamlOf(node: NodeSpec): string {
  const { when } = node
  const parts = [
    node.kind === 'gate' ? 'gate: "Go on?"' : 'task: work, connectors: {out: dir}',
    `depends_on: [${node.depends_on.join(', ')}], run_if: ${node.run_if}`,
    when === 'never' && `when: "\${{ 1 = 2 }}"`,
    when === 'broken' && `when: "\${{ $number(job.name) = 1 }}"`,
    typeof when === 'object' && `when: "\${{ tasks.${when.ok}.status = 'success' }}"`,
    node.kind === 'task' && `on_failure: ${node.on_failure}, retries: {max: ${node.retries}, delay: 0s}`,
    node.kind === 'task' && node.pool && 'pool: shared',
    node.items !== null &&
      `for_each: {in: [${Array.from({ length: node.items }, (_, n) => n).join(', ')}], as: x, max_parallel: ${node.max_parallel}, on_item_error: ${node.on_item_error}}`,
  ]
  return `  ${node.key}: {${parts.filter(Boolean).join(', ')}}\n`
}

class Driver {
  readonly held: { plan: RunPlan; key: string; index: number }[] = []
  readonly model: Model
  readonly plane: JobPlane
  readonly id: number

  constructor(plane: JobPlane, id: number, spec: JobSpec) {
    this.plane = plane
    this.id = id
    this.model = new Model(spec)
    this.compare()
  }

  claim(count: number): void {
    for (const plan of this.plane.claim(count)) {
      const { task_key, item_index } = this.plane.services.runs.get(plan.run_id)
      const one = { plan, key: String(task_key), index: item_index ?? 0 }
      this.held.push(one)
      this.model.claim(one.key, one.index)
    }
  }

  /** Whether the service took it; only what cannot be at the time may be refused. */
  async asked(work: Promise<unknown>): Promise<boolean> {
    try {
      await work
      return true
    } catch (error) {
      if (error instanceof Refusal && error.code === 'INVALID_STATE') return false
      throw error
    }
  }

  async take(step: Step): Promise<void> {
    const { plane, id, model } = this
    const { jobRuns, runs } = plane.services
    if (step.kind === 'claim') this.claim(step.count)
    else if (step.kind === 'report' || step.kind === 'lost') {
      const [one] = this.held.splice(step.pick % Math.max(1, this.held.length), 1)
      if (!one) return
      if (step.kind === 'lost') {
        runs.attempts.giveUp(one.plan, 'executor_lost')
        model.attempt(one.key, one.index, 'lost')
      } else {
        await plane.complete(one.plan, reportOf(step.outcome))
        model.attempt(one.key, one.index, step.outcome)
      }
    } else if (step.kind === 'cancel_run') {
      const active = model.all('active')
      const found = active[step.pick % Math.max(1, active.length)]
      if (!found) return
      const { key } = found.node.spec
      const run = this.real().find((item) => item.task_key === key && item.item_index === found.index)!
      await runs.cancel(run.run_id!)
      model.cancelRun(key, found.index)
    } else if (step.kind === 'gate') {
      const gates = model.spec.nodes.filter(({ kind }) => kind === 'gate')
      const gate = gates[step.pick % Math.max(1, gates.length)]
      if (!gate) return
      const by = { user_id: null, note: null }
      expect(await this.asked(jobRuns.decideGate(id, gate.key, step.open, by))).toBe(model.gate(gate.key, step.open))
    } else if (step.kind === 'pause')
      expect(await this.asked(jobRuns.pause(id, step.stop))).toBe(model.pause(step.stop))
    else if (step.kind === 'resume') expect(await this.asked(jobRuns.resume(id, null))).toBe(model.resume())
    else expect(await this.asked(jobRuns.cancel(id))).toBe(model.cancel())
    this.compare()
  }

  real() {
    return this.plane.platform.store.sqlite
      .prepare<[number], { task_key: string; item_index: number; status: string; run_id: number | null }>(
        'SELECT task_key, item_index, status, run_id FROM job_run_items WHERE job_run_id = ? ORDER BY task_key, item_index',
      )
      .all(this.id)
  }

  compare(): void {
    const { model, plane, id } = this
    const real = this.real()
    const shown = (status: string) =>
      status === 'queued' ? 'waiting' : status === 'pending' || status === 'running' ? 'active' : status
    for (const { task_key, item_index, status } of real) {
      if (shown(status) === 'active' && model.nodes.get(task_key)!.items[item_index]!.state === 'waiting') {
        model.admit(task_key, item_index)
      }
    }
    const items = real.map(({ task_key, item_index, status }) => `${task_key}[${item_index}] ${shown(status)}`)
    const expected = [...model.nodes].flatMap(([key, node]) =>
      node.items.map(({ state }, index) => `${key}[${index}] ${state}`),
    )
    expect(items).toEqual(expected.toSorted())
    const jobRun = plane.jobRun(id)
    const nodes = plane.graph(id).nodes.map(({ key, status, reason }) => {
      const open = status === 'queued' || status === 'running'
      return [key, open ? 'open' : status, open ? null : reason]
    })
    expect([jobRun.status, ...nodes]).toEqual([
      model.status,
      ...[...model.nodes].map(([key, { status, reason }]) => [key, status, reason]),
    ])
    if (jobRun.status === 'paused') expect(jobRun.pause_reason).toBe(model.pausedBy)
    this.checkRoom()
  }

  /** Nothing beyond a limit; and what may start has started. */
  private checkRoom(): void {
    const { model } = this
    const active = model.all('active')
    const ofNode = (key: string) => active.filter(({ node }) => node.spec.key === key).length
    const inPool = active.filter(({ node }) => node.spec.pool).length
    expect(active.length).toBeLessThanOrEqual(model.spec.concurrency)
    expect(inPool).toBeLessThanOrEqual(slots)
    for (const { spec } of model.nodes.values())
      if (spec.items !== null) expect(ofNode(spec.key)).toBeLessThanOrEqual(spec.max_parallel)
    if (model.status !== 'running' || model.ending || active.length === model.spec.concurrency) return
    const room = model.all('waiting').filter(({ node: { spec } }) => {
      const full = spec.items !== null && ofNode(spec.key) >= spec.max_parallel
      return !full && !(spec.pool && inPool >= slots)
    })
    expect(room.map(({ node, index }) => `${node.spec.key}[${index}]`)).toEqual([])
  }

  /** To the end, whatever it takes. */
  async finish(outcomes: Outcome[]): Promise<void> {
    for (let round = 0; this.model.status === 'running' || this.model.status === 'paused'; round++) {
      if (round > 200) throw new Error('The job run does not come to an end')
      if (this.model.status === 'paused' && !this.model.cancelling) await this.take({ kind: 'resume' })
      this.claim(4)
      const kind = outcomes[round % outcomes.length]!
      if (this.held.length > 0) await this.take({ kind: 'report', pick: round, outcome: kind })
    }
  }
}

const numRuns = Number(process.env['HEADGATE_MODEL_RUNS'] ?? 300)
/** That of a run that failed shows it again. */
const seed = process.env['HEADGATE_MODEL_SEED']

const reportOf = (kind: Outcome) =>
  kind === 'success' || kind === 'completed' ? { status: kind } : failure(kind === 'failed_retryable')

test('random DAGs under random events stand as the reference model says, after every event and in the end', async () => {
  const plane = await jobPlane()
  // Thousands of commits: that they are on disk is not what is tested here.
  plane.platform.store.sqlite.pragma('synchronous = OFF')
  await plane.editor.put('/api/pools/shared', { slots })
  await fc.assert(
    fc.asyncProperty(
      jobSpec,
      fc.array(step, { maxLength: 40 }),
      fc.array(outcome, { minLength: 3, maxLength: 9 }),
      async (spec, steps, outcomes) => {
        const job = await plane.job(spec.nodes.map(yamlOf).join(''), `concurrency: {tasks: ${spec.concurrency}}`)
        const { selected, skip_deps } = spec
        const id = plane.start(job, selected === null ? {} : { selected_tasks: selected, skip_deps })
        const driver = new Driver(plane, id, spec)
        for (const one of steps) await driver.take(one)
        await driver.finish(outcomes)
        expect(plane.jobRun(id).status).toBe(driver.model.status)
        const [row] = plane.services.jobRunReads.list({ job_id: [job], status: ['success'] }).result
        expect(row !== undefined).toBe(driver.model.success)
      },
    ),
    { numRuns, ...(seed === undefined ? {} : { seed: Number(seed) }) },
  )
}, 3_600_000)
