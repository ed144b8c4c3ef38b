import { writeFileSync } from 'node:fs'
import { test } from 'vitest'
import { allCells, isWhole, covering, shuffled, titleOf } from './cells.ts'
import type { Cell, Fault } from './faults.ts'
import { badValue, endedSession, invalidBytes, refusedRow } from './kinds/bad-value.ts'
import { cutSource, cutTarget, endedAtTarget } from './kinds/cut.ts'
import { fullAtTarget, fullWhileSpilling, memoryLimit } from './kinds/space.ts'
import { workerKilled } from './kinds/killed.ts'
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

/** The cells of these faults. */
export function testFaults(faults: readonly Fault[]): void {
  const world = useWorld()
  const cells = chosenCells().filter(({ fault }) => faults.includes(fault))
  const tests = cells.map((cell): [string, Cell | null] => [titleOf(cell), cell])
  // A file without a test is a failure.
  if (tests.length === 0) tests.push(['this machine or this shard has none', null])
  // oxlint-disable-next-line vitest/expect-expect -- What it expects stands in `runCell`.
  test.each(tests)('%s', { timeout }, (_title, cell) => (cell ? runCell(world, cell) : undefined))
}

function chosenCells(): Cell[] {
  const { cells, lacking } = allCells(all)
  if (!isWhole) return covering(cells)
  // For the summary of the campaign.
  writeFileSync('test-results/fault-matrix.json', JSON.stringify(lacking))
  const [one = 1, of = 1] = shard.split('/').map(Number)
  return shuffled(cells, Number(seed)).filter((_, at) => at % of === one - 1)
}
