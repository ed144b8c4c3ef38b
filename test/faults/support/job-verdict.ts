import type { JobRunGraph, JobRunNode } from '../../../src/contract/job-runs.ts'
import type { Run } from '../../../src/contract/runs.ts'
import type { Call } from './call-ledger.ts'
import type { Started } from './job-load.ts'
import { type Outcome, type PlanNode, giverOf, outputOf, predict } from './job-plans.ts'

const byUnit = ({ task_key, item_index }: Run) => `${task_key}/${item_index ?? 0}`

/** Its executor died between the end of the work and the word of it. */
const wasLost = ({ id, attempt, status, error_code }: Run, calls: readonly Call[]) =>
  status === 'failed' &&
  error_code === 'EXECUTOR_LOST' &&
  calls.some((call) => call.run === id && call.attempt === attempt && call.answered === 200)

/** A pause stopped it, and its executor died, when its work was committed already: it is not done again. */
const hadCommitted = (run: Run, calls: readonly Call[], runs: readonly Run[]) =>
  run.status === 'cancelled' &&
  runs.every((other) => byUnit(other) !== byUnit(run) || other.id <= run.id) &&
  calls.some((call) => call.run === run.id && call.attempt === run.attempt && call.answered === 200)

/** What of a job run that has ended is not as the model and the ledger have it. */
export function judge(graph: JobRunGraph, started: Started, allCalls: readonly Call[], runs: readonly Run[]): string[] {
  const { id, status } = graph.job_run
  const wrong: string[] = []
  const must = (holds: boolean, what: string) => holds || wrong.push(`job run ${id}: ${what}`)
  const { plan } = started.job
  const calls = allCalls.filter(({ job_run }) => job_run === id)
  const lost = runs.filter((run) => wasLost(run, calls) || (started.pauses > 0 && hadCommitted(run, calls, runs)))
  const expected = predict(plan, started.seed, new Set(lost.map(byUnit)))
  const cancelled = started.cancelled === 'sure' || (started.cancelled === 'maybe' && status === 'cancelled')
  must(status === (cancelled ? 'cancelled' : expected.status), `is ${status}, not ${expected.status}`)
  must(graph.nodes.length === plan.length, `has ${graph.nodes.length} nodes of ${plan.length}`)

  const runsOf = new Map<string, Run[]>()
  for (const run of runs) runsOf.set(byUnit(run), [...(runsOf.get(byUnit(run)) ?? []), run])
  // A pause that stopped what was under way gives it another run; nothing else does.
  for (const [unit, ofUnit] of runsOf) {
    must(ofUnit.length <= 1 + started.pauses, `${unit} has the runs ${ofUnit.map((run) => run.id).join()}`)
    const done = ofUnit.filter((run) => run.status === 'success')
    must(done.length <= 1, `${unit} was done by the runs ${done.map((run) => run.id).join()}`)
  }
  for (const run of runs) {
    const heard = calls.filter((call) => call.run === run.id)
    must(
      heard.every(({ attempt }) => attempt <= run.attempt),
      `run ${run.id} did an attempt that it has not`,
    )
    must(run.status !== 'success' || heard.some(({ attempt }) => attempt === run.attempt), `run ${run.id} did nothing`)
  }
  const ids = new Set(runs.map((run) => run.id))
  must(
    calls.every(({ run }) => ids.has(run)),
    'a run that is not there called',
  )
  for (const [index, node] of plan.entries()) {
    const shown = graph.nodes[index]
    if (shown?.key !== node.key) must(false, `${node.key} is not where it should be`)
    else wrong.push(...judgeNode(shown, node, expected.nodes.get(node.key)!, { cancelled, started, calls }))
  }
  return wrong
}

interface Surroundings {
  cancelled: boolean
  started: Started
  calls: readonly Call[]
}

function judgeNode(
  shown: JobRunNode,
  node: PlanNode,
  outcome: Outcome,
  { cancelled, started: { id, seed, job, pauses }, calls }: Surroundings,
): string[] {
  const wrong: string[] = []
  const must = (holds: boolean, what: string) => holds || wrong.push(`${id}/${node.key} ${what}`)
  if (!cancelled)
    must(
      shown.status === outcome.status || (shown.status === 'cancelled' && outcome.status === 'failed' && pauses > 0),
      `is ${shown.status} (${shown.reason}: ${shown.error_message}), not ${outcome.status}`,
    )
  const called = calls.filter(({ key }) => key === node.key)
  if (outcome.status === 'skipped') must(called.length === 0, 'was called though it is skipped')
  if (outcome.status === 'success' && !cancelled && node.kind === 'task') {
    const outputs = outcome.items.map((_, item) => ({ n: outputOf(seed, node.key, item) }))
    const expected = JSON.stringify(node.fan ? outputs : outputs[0])
    must(shown.outputs === expected, `put out ${shown.outputs}, not ${expected}`)
  }
  const giver = giverOf(node, job.plan)
  if (giver) {
    const right = new Set([`got ${outputOf(seed, giver.key, 0)}`, 'got ', 'got null'])
    const given = called.find((call) => !right.has(call.given))
    must(!given, `was given ${given?.given} by ${giver.key}`)
  }
  for (const [item, fate] of cancelled ? [] : outcome.items.entries()) {
    const times = called.filter((call) => call.item === item).length
    if (fate === 'third') must(times >= 3, `item ${item} was called ${times} times`)
    else if (fate !== null) must(times >= 1, `item ${item} was never called`)
  }
  return wrong
}

/**
 * Attempts whose work was done more than once: an executor that is so slow that its heartbeats do not know yet of a claim that it
 * was given counts as one that never got it, and the attempt is handed out again. Rare, and never told as done twice.
 */
export function doneTwice(calls: readonly Call[]): string[] {
  const times = new Map<string, number>()
  for (const { run, attempt } of calls) times.set(`${run}/${attempt}`, (times.get(`${run}/${attempt}`) ?? 0) + 1)
  return [...times].flatMap(([name, n]) => (n > 1 ? [name] : []))
}
