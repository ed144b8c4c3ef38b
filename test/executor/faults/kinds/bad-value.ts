import type { Fault, Scene, Struck } from '../faults.ts'
import { rowAt } from '../rows.ts'
import type { Harm } from '../sources/source.types.ts'

/** Where one statement of the server reads and writes. */
const oneStatement = ['source', 'target']

/** A value that the source, or the first step that looks at it, cannot take. */
export const badValue: Fault = {
  name: 'bad value',
  ofSource: true,
  unfit: ({ source }) => (source.harms.includes('bad value') ? null : 'the source cannot hold such a value'),
  async strike(scene) {
    const { lane, source } = scene.cell
    const row = rowAt(scene.cell.place, scene.rows)
    const struck = await harmed(scene, { kind: 'bad value', row })
    if (lane.direct !== undefined) return { ...struck, stages: lane.direct === 'pushdown' ? oneStatement : ['source'] }
    // Where the source itself is to make a number of it, its own words tell of what its own SQL did.
    if (lane.typed && !source.harms.includes('truncated')) return { ...struck, stages: [lane.breaks] }
    const says = lane.typed ? struck.says : /oops|`code`/
    return { ...struck, stages: [lane.breaks], ...(says === undefined ? {} : { says }) }
  },
}

export const invalidBytes: Fault = {
  name: 'invalid bytes',
  ofSource: true,
  unfit: ({ source }) => (source.harms.includes('invalid bytes') ? null : 'the source carries no text of its own'),
  strike: (scene) => harmed(scene, { kind: 'invalid bytes', row: rowAt(scene.cell.place, scene.rows) }),
}

export const endedSession: Fault = {
  name: 'ended session',
  ofSource: true,
  unfit: ({ source }) => (source.harms.includes('ended session') ? null : 'there is no session that the server ends'),
  async strike(scene) {
    const struck = await harmed(scene, { kind: 'ended session', row: rowAt(scene.cell.place, scene.rows) })
    return scene.cell.lane.direct === 'pushdown' ? { ...struck, stages: oneStatement } : struck
  },
}

/** A source with something wrong in it, then the same source without. */
export async function harmed(scene: Scene, harm: Harm): Promise<Struck> {
  const [bad, target] = [await scene.source(harm), await scene.target()]
  const before = await target.look()
  return {
    failed: await scene.run(bad, target),
    stages: ['source'],
    says: bad.place,
    target,
    before,
    again: async () => scene.run(await scene.source(null), target),
  }
}

/** A row that the target's own rules refuse. */
export const refusedRow: Fault = {
  name: 'row the target refuses',
  unfit: ({ target, mode }) => (target.refuses?.(mode) === true ? null : 'the target takes every row'),
  async strike(scene) {
    const row = rowAt(scene.cell.place, scene.rows)
    const [good, target] = [await scene.source(null), await scene.target({ refuses: row })]
    const before = await target.look()
    return {
      failed: await scene.run(good, target),
      stages: ['target'],
      says: /no_such_row|items/,
      target,
      before,
      async again() {
        await target.relent?.()
        return scene.run(good, target)
      },
    }
  },
}
