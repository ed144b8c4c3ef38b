import { describe, test } from 'vitest'
import { allCells, covering, titleOf } from './cells.ts'
import type { Fault } from './faults.ts'
import { badValue, endedSession, invalidBytes, refusedRow } from './kinds/bad-value.ts'
import { cutSource, cutTarget, endedAtTarget } from './kinds/cut.ts'
import { fullAtTarget, fullWhileSpilling, memoryLimit, mountsDisks } from './kinds/space.ts'
import { showsProgress, workerKilled } from './kinds/killed.ts'
import { truncated } from './kinds/truncated.ts'
import { runCell } from './run-cell.ts'
import { useWorld } from './world.ts'

/** Two or three runs each, on a machine that may have much else to do. */
const timeout = 300_000

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
  workerKilled,
]

/** The cells of these faults: those that cover every pair of the whole matrix, or this shard of all. */
export function testFaults(title: string, faults: readonly Fault[]): void {
  describe(title, () => {
    const world = useWorld()
    const cells = covering(allCells(all).cells).filter((cell) => faults.includes(cell.fault))
    const needs = (fault: Fault): boolean =>
      fault === workerKilled ? showsProgress : mountsDisks || (fault !== fullAtTarget && fault !== fullWhileSpilling)
    for (const cell of cells) test.runIf(needs(cell.fault))(titleOf(cell), { timeout }, () => runCell(world, cell))
  })
}
