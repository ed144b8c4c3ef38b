import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import type { BodyOf } from '../../../../src/contract/operation.ts'
import { createConnector } from '../../../../src/contract/connectors.ts'
import { getRunLogs, type Run } from '../../../../src/contract/runs.ts'
import { childrenOf, isGone } from '../../../support/processes.ts'
import { startRealWorld, type RealWorld } from '../../process/real-world.ts'
import type { FinishedRun } from '../../engine/run-task.ts'
import type { Fault, Scene, Struck } from '../faults.ts'
import type { Place } from '../rows.ts'
import { taskOf } from '../run-cell.ts'
import type { OpenedSource } from '../sources/source.types.ts'
import type { OpenedTarget } from '../targets/target.types.ts'

/** What a process has read and written is how far its run is, and only Linux tells. */
const lacks = process.platform === 'linux' ? null : 'Linux, which shows how far a process is'

/** Of all that a run reads and writes. The last words of a run are its commit: nobody could tell whether that was done. */
const share: Record<Place, number> = { first: 0.05, middle: 0.5, last: 0.9 }

/** A real server and executor; the worker that does the run is killed when it has read and written so much. */
export const workerKilled: Fault = {
  name: 'worker killed',
  lacks,
  seconds: () => 8,
  unfit: () => null,
  async strike(scene) {
    const real = await realWorld(scene)
    // The first run of a worker also loads what it needs: one that was over too soon tells how much the next one does.
    let all = Infinity
    for (let tries = 0; tries < 5; tries++) {
      const done = await killed(scene, real, all * share[scene.cell.place])
      if (typeof done !== 'number') return done
      all = done
    }
    throw new Error(`The run was over before its worker had read and written ${all * share[scene.cell.place]} bytes`)
  },
}

const realWorld = ({ world }: Scene): Promise<RealWorld> =>
  world.once('real world', async () => {
    // One worker for runs: whose traffic it is, and who is to be killed, is beyond doubt.
    const real = await startRealWorld({}, { slots: 1 })
    world.atEnd(() => real.close())
    await until(async () => (await real.online()) === 'online')
    return real
  })

/** What came of a run whose worker was killed when it had read and written so much; all that it did, if that was less. */
async function killed(scene: Scene, real: RealWorld, bytes: number): Promise<Struck | number> {
  const [source, target] = [await scene.source(null), await scene.target()]
  const before = await target.look()
  let most = 0
  const failed = await runReally(scene, real, source, target, (done) => {
    most = Math.max(most, done)
    return done >= bytes
  })
  if (failed.status === 'success') return most
  if (bytes === Infinity) throw new Error(`The run without a fault failed: ${failed.error?.message}`)
  return {
    failed,
    codes: ['WORKER_CRASHED', 'OUTCOME_UNKNOWN'],
    mayLeave: 'until the next run',
    isAnotherRun: true,
    target,
    before,
    again: () => runReally(scene, real, source, target, () => false),
  }
}

let names = 0

/** Runs the cell's task by the executor; a worker for which `ends` is true is killed. */
async function runReally(
  { cell }: Scene,
  real: RealWorld,
  source: OpenedSource,
  target: OpenedTarget,
  ends: (bytes: number) => boolean,
): Promise<FinishedRun> {
  const number = ++names
  const bind = async ({ type, config, secrets }: BoundConnector, slot: string): Promise<number> => {
    type Body = BodyOf<typeof createConnector>
    const body: Body = { name: `${slot} ${number}`, type: type as Body['type'], config, secrets } // one of the types there are
    return (await real.client.call(createConnector, { body })).id
  }
  const out = await bind(target.connector, 'out')
  const from = cell.lane.direct === 'pushdown' ? out : source.connector && (await bind(source.connector, 'in'))
  const yaml = taskOf(cell, source, target).replace('name: cell', `name: cell_${number}`)
  const executor = real.executor().pid
  if (executor === undefined) throw new Error('The executor has no process')
  const worker = await readyWorker(executor)
  const begun = trafficOf(worker)
  const id = await real.trigger(yaml, { out, ...(from === null ? {} : { in: from }) })
  let alive = true
  const run = await finished(real, id, () => {
    if (!alive || !ends(trafficOf(worker) - begun)) return
    alive = false
    process.kill(worker, 'SIGKILL')
  })
  const { lines } = await real.client.call(getRunLogs, { params: { id } })
  return asFinished(run, lines)
}

async function finished(real: RealWorld, id: number, look: () => void): Promise<Run> {
  // Also while the server is asked.
  const looking = setInterval(look, 1)
  try {
    for (;;) {
      const run = await real.runOf(id)
      if (run.completed_at !== null) return run
      await sleep(100)
    }
  } finally {
    clearInterval(looking)
  }
}

/** The worker for runs, which replaces one that was killed; it has loaded all it needs, and rests. */
async function readyWorker(executor: number): Promise<number> {
  let [worker, traffic] = [0, -1]
  await until(async () => {
    worker = childrenOf(executor).find((pid) => !isGone(pid) && titleOf(pid).startsWith('headgate run worker')) ?? 0
    const before = traffic
    traffic = trafficOf(worker)
    return traffic > 0 && traffic === before
  }, 100)
  return worker
}

function titleOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return '' // gone
  }
}

/** Everything that the process has read and written, files and connections. */
function trafficOf(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/io`, 'utf8')
    return Number(/rchar: (\d+)/.exec(text)?.[1]) + Number(/wchar: (\d+)/.exec(text)?.[1])
  } catch {
    return 0 // gone
  }
}

function asFinished(run: Run, lines: { level: string; message: string }[]): FinishedRun {
  const error =
    run.error_code === null
      ? {}
      : { error: { code: run.error_code, message: run.error_message ?? '', retryable: true } }
  return {
    status: run.status === 'failed' ? 'failed' : 'success',
    item_count: run.item_count,
    reject_count: 0,
    steps: [],
    metrics: { rows_in: 0, rows_out: 0, rejected: 0, lane: '' },
    log: lines.map(({ level, message }) => ({ level, message, step: null })),
    rejects: [],
    ...error,
  }
}

async function until(condition: () => Promise<boolean>, everyMs = 20): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Never: ${condition.toString()}`)
    await sleep(everyMs)
  }
}
