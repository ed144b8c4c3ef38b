import type { Fault } from '../faults.ts'
import { shareAt } from '../rows.ts'
import { harmed } from './bad-value.ts'

/** A file, an archive or an answer of which only the beginning is there. */
export const truncated: Fault = {
  name: 'truncated body',
  ofSource: true,
  // An answer that breaks off is asked for again for a while.
  seconds: ({ source }) => (source.retries === true ? 8 : 1),
  unfit: ({ source, lane }) =>
    lane.direct !== undefined
      ? `${lane.direct}: the rows come from a server`
      : source.harms.includes('truncated')
        ? null
        : 'the source sends no body',
  strike: (scene) => harmed(scene, { kind: 'truncated', share: shareAt[scene.cell.place] }),
}
