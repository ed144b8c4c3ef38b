import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BoundConnector } from '../../../../src/contract/executor-protocol.ts'
import type { BodyOf } from '../../../../src/contract/operation.ts'
import { createConnector } from '../../../../src/contract/connectors.ts'
import { getRunLogs, type Run } from '../../../../src/contract/runs.ts'
import { isGone } from '../../../support/processes.ts'
import { childrenOf } from '../../process/executor-process.ts'
import { startRealWorld, type RealWorld } from '../../process/real-world.ts'
import type { FinishedRun } from '../../engine/run-task.ts'
import type { Fault, Scene, Struck } from '../faults.ts'
import type { Place } from '../rows.ts'
import { taskOf } from '../run-cell.ts'
import type { OpenedSource } from '../sources/source.types.ts'
import type { OpenedTarget } from '../targets/target.types.ts'

/** What a process has read and written is how far its run is, and only Linux tells. */
export const showsProgress: boolean = process.platform === 'linux'

/** Of all that a run reads and writes. The last words of a run are its commit: nobody could tell whether that was done. */
const share: Record<Place, number> = { first: 0.05, middle: 0.5, last: 0.9 }

/** A real server and executor; the worker that does the run is killed when it has read and written so much. */
export const workerKilled: Fault = {
  name: 'worker killed',
  unfit: () => null,
  async strike(scene) {
    const real = await realWorld(scene)
    const all = await traffic(scene, real)
    // How much is read before the first row differs a little from run to run: one that was too fast is tried again.
    for (let less = 1; less > 0.3; less *= 0.9) {
      const struck = await killed(scene, real, all * share[scene.cell.place] * less)
      if (struck) return struck
    }
    throw new Error(`The run was over before its worker had read and written ${all * share[scene.cell.place]} bytes`)
  },
}

const realWorld = ({ world }: Scene): Promise<RealWorld> =>
  world.once('real world', async () => {
    const real = await startRealWorld()
    world.atEnd(() => real.close())
    await until(async () => (await real.online()) === 'online')
    return real
  })

/** Bytes that a run without a fault reads and writes. */
async function traffic(scene: Scene, real: RealWorld): Promise<number> {
  const [source, target] = [await scene.source(null), await scene.target()]
  let most = 0
  const run = await runReally(scene, real, source, target, (bytes) => {
    most = Math.max(most, bytes)
    return false
  })
  if (run.status !== 'success') throw new Error(`The run without a fault failed: ${run.error?.message}`)
  return most
}

async function killed(scene: Scene, real: RealWorld, bytes: number): Promise<Struck | null> {
  const [source, target] = [await scene.source(null), await scene.target()]
  const before = await target.look()
  const failed = await runReally(scene, real, source, target, (done) => done >= bytes)
  if (failed.status === 'success') return null
  return {
    failed,
    codes: ['WORKER_CRASHED'],
    mayLeave: 'until the next run',
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
  // A worker that was killed is replaced: the next run needs one.
  await until(async () => childrenOf(executor).filter((pid) => !isGone(pid)).length >= 3)
  const begun = new Map(childrenOf(executor).map((pid) => [pid, trafficOf(pid)]))
  const id = await real.trigger(yaml, { out, ...(from === null ? {} : { in: from }) })
  let alive = true
  const run = await finished(real, id, () => {
    const [busiest] = [...begun]
      .map(([pid, from]) => ({ pid, bytes: trafficOf(pid) - from }))
      .toSorted((a, b) => b.bytes - a.bytes)
    if (!alive || !busiest || !ends(busiest.bytes)) return
    alive = false
    process.kill(busiest.pid, 'SIGKILL')
  })
  const { lines } = await real.client.call(getRunLogs, { params: { id } })
  return asFinished(run, lines)
}

async function finished(real: RealWorld, id: number, look: () => void): Promise<Run> {
  let asked = performance.now()
  for (;;) {
    look()
    await sleep(1)
    if (performance.now() - asked < 100) continue
    const run = await real.runOf(id)
    if (run.completed_at !== null) return run
    asked = performance.now()
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

async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Never: ${condition.toString()}`)
    await sleep(20)
  }
}
