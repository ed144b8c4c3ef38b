import { describe, test } from 'vitest'
import { allCells, covering, titleOf } from './cells.ts'
import type { Fault } from './faults.ts'
import { badValue, endedSession, invalidBytes, refusedRow } from './kinds/bad-value.ts'
import { cutSource, cutTarget, endedAtTarget } from './kinds/cut.ts'
import { fullAtTarget, fullWhileSpilling, memoryLimit, mountsDisks } from './kinds/space.ts'
import { truncated } from './kinds/truncated.ts'
import { runCell } from './run-cell.ts'
import { useWorld } from './world.ts'

const all: readonly Fault[] = [
  badValue,
  invalidBytes,
  endedSession,
  refusedRow,
  cutSource,
  cutTarget,
  endedAtTarget,
  truncated,
  fullWhileSpilling,
  fullAtTarget,
  memoryLimit,
]

/** The cells of these faults: those that cover every pair of the whole matrix, or this shard of all. */
export function testFaults(title: string, faults: readonly Fault[]): void {
  describe(title, () => {
    const world = useWorld()
    const cells = covering(allCells(all).cells).filter((cell) => faults.includes(cell.fault))
    const needsDisk = (fault: Fault): boolean => fault === fullAtTarget || fault === fullWhileSpilling
    for (const cell of cells)
      test.skipIf(needsDisk(cell.fault) && !mountsDisks)(titleOf(cell), () => runCell(world, cell))
  })
}
