import { describe, test } from 'vitest'
import { allCells, isWhole, covering, shuffled, titleOf } from './cells.ts'
import type { Cell, Fault } from './faults.ts'
import { badValue, endedSession, invalidBytes, refusedRow } from './kinds/bad-value.ts'
import { cutSource, cutTarget, endedAtTarget } from './kinds/cut.ts'
import { fullAtTarget, fullWhileSpilling, memoryLimit, mountsDisks } from './kinds/space.ts'
import { showsProgress, workerKilled } from './kinds/killed.ts'
import { truncated } from './kinds/truncated.ts'
import { runCell } from './run-cell.ts'
import { useWorld } from './world.ts'

/** Two or three runs each, on a machine that may have much else to do. */
const timeout = 300_000

export const all: readonly Fault[] = [
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

/** Of all cells a shard, `3/100`, in the order of a seed. */
const { HEADGATE_FAULT_SHARD: shard = '1/1', HEADGATE_FAULT_SEED: seed = '1' } = process.env

export function chosenCells(): Cell[] {
  const { cells } = allCells(all)
  if (!isWhole) return covering(cells)
  const [one = 1, of = 1] = shard.split('/').map(Number)
  return shuffled(cells, Number(seed)).filter((_, at) => at % of === one - 1)
}

/** The cells of these faults. */
export function testFaults(title: string, faults: readonly Fault[]): void {
  describe(title, () => {
    const world = useWorld()
    const needs = (fault: Fault): boolean =>
      fault === workerKilled ? showsProgress : mountsDisks || (fault !== fullAtTarget && fault !== fullWhileSpilling)
    for (const cell of chosenCells().filter(({ fault }) => faults.includes(fault)))
      test.runIf(needs(cell.fault))(titleOf(cell), { timeout }, () => runCell(world, cell))
  })
}
