import { startCutProxy, type CutProxy } from '../../../support/cut-proxy.ts'
import type { Fault, Scene, Struck } from '../faults.ts'
import { rowAt, shareAt } from '../rows.ts'

const broken = ['CONNECTION_FAILED', 'REQUEST_FAILED', 'OUTCOME_UNKNOWN']

/** The connection to the source ends for good after a part of what comes over it. */
export const cutSource: Fault = {
  name: 'connection to the source cut',
  ofSource: true,
  // Requests are tried again for a while.
  seconds: ({ source }) => (source.retries === true ? 9 : 2),
  unfit({ source, lane }) {
    if (!source.remote) return 'the source is reached without a connection'
    return lane.direct === 'pushdown' ? 'pushdown: source and target are one connection' : null
  },
  async strike(scene) {
    const source = await scene.source(null)
    if (!source.link) throw new Error('The source has no link')
    const all = await bytesOf(scene, 'in')
    const proxy = await startCutProxy(source.link.port)
    proxy.breakAfter(all * shareAt[scene.cell.place], 'back')
    return cut(scene, 'source', { proxy, connectors: { in: source.link.through(proxy.port) } })
  },
}

/** The same on the way to the target. What is cut is never on its way there: nobody is in doubt whether it arrived. */
export const cutTarget: Fault = {
  name: 'connection to the target cut',
  seconds: () => 3,
  unfit: ({ target }) => (target.remote ? null : 'the target is reached without a connection'),
  async strike(scene) {
    const all = await bytesOf(scene, 'out')
    const target = await scene.target()
    if (!target.link) throw new Error('The target has no link')
    const proxy = await startCutProxy(target.link.port)
    proxy.breakAfter(all * shareAt[scene.cell.place], 'there')
    return cut(scene, 'target', { proxy, target, connectors: { out: target.link.through(proxy.port) } })
  },
}

interface Cut {
  proxy: CutProxy
  target?: Struck['target']
  connectors: NonNullable<Parameters<Scene['run']>[2]>['connectors']
}

async function cut(scene: Scene, stage: string, { proxy, target: given, connectors }: Cut): Promise<Struck> {
  const source = await scene.source(null)
  const target = given ?? (await scene.target())
  const before = await target.look()
  try {
    const failed = await scene.run(source, target, { connectors: connectors ?? {} })
    if (!proxy.isBroken()) throw new Error(`The connection was not cut: ${JSON.stringify(proxy.passed())}`)
    return {
      failed,
      stages: stagesOf(scene, stage),
      codes: broken,
      target,
      before,
      mayLeave: 'until the process ends',
      again: () => scene.run(source, target),
    }
  } finally {
    await proxy.stop()
  }
}

/** Where one connection is both, either end may be the one to notice. */
const stagesOf = ({ cell }: Scene, stage: string): string[] =>
  cell.lane.direct === 'pushdown' ? ['source', 'target'] : [stage]

/** How much passes when nothing goes wrong; measured once for each way. */
function bytesOf(scene: Scene, end: 'in' | 'out'): Promise<number> {
  const { source, lane, target, mode } = scene.cell
  const what = end === 'in' ? `${source.name} ${lane.typed}` : `${target.name} ${mode}`
  return scene.world.once(`bytes ${end} ${what} ${lane.direct ?? ''} ${scene.rows}`, async () => {
    const [from, to] = [await scene.source(null), await scene.target()]
    const link = end === 'in' ? from.link : to.link
    if (!link) throw new Error('Nothing to be measured')
    const proxy = await startCutProxy(link.port)
    try {
      const run = await scene.run(from, to, { connectors: { [end]: link.through(proxy.port) } })
      if (run.status !== 'success') throw new Error(`The run without a fault failed: ${run.error?.message}`)
      return end === 'in' ? proxy.passed().back : proxy.passed().there
    } finally {
      await proxy.stop()
    }
  })
}

/** The server ends the target's session when it comes to a row. */
export const endedAtTarget: Fault = {
  name: 'session ended at the target',
  seconds: () => 2,
  unfit: ({ target }) => (target.ends === true ? null : 'the target has no session that its server ends'),
  async strike(scene) {
    const [source, target] = [
      await scene.source(null),
      await scene.target({ ends: rowAt(scene.cell.place, scene.rows) }),
    ]
    const before = await target.look()
    return {
      failed: await scene.run(source, target),
      stages: ['target'],
      codes: ['CONNECTION_FAILED', 'DATABASE_REFUSED'],
      target,
      before,
      async again() {
        await target.relent?.()
        return scene.run(source, target)
      },
    }
  },
}
