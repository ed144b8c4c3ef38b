import { test } from 'vitest'
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

/** Of all cells a shard, `3/100`, in the order of a seed. */
const { HEADGATE_FAULT_SHARD: shard = '1/1', HEADGATE_FAULT_SEED: seed = '1' } = process.env

function chosenCells(): Cell[] {
  const { cells } = allCells(all)
  if (!isWhole) return covering(cells)
  const [one = 1, of = 1] = shard.split('/').map(Number)
  return shuffled(cells, Number(seed)).filter((_, at) => at % of === one - 1)
}

/** The cells of these faults. */
export function testFaults(faults: readonly Fault[]): void {
  const world = useWorld()
  const cells = chosenCells().filter(({ fault }) => faults.includes(fault))
  const titled = (list: Cell[]): [string, Cell][] => list.map((cell) => [titleOf(cell), cell])
  // oxlint-disable-next-line vitest/expect-expect -- What it expects stands in `runCell`.
  test.each(titled(cells.filter(isPossible)))('%s', { timeout }, (_title, cell) => runCell(world, cell))
  // oxlint-disable-next-line vitest/expect-expect, vitest/no-disabled-tests -- Told by name, as every test that a machine cannot do.
  test.skip.each(titled(cells.filter((cell) => !isPossible(cell))))('%s', () => undefined)
}

/** On this machine. */
function isPossible({ fault }: Cell): boolean {
  if (fault === workerKilled) return showsProgress
  return mountsDisks || (fault !== fullAtTarget && fault !== fullWhileSpilling)
}
