import { describe, test } from 'vitest'
import { allCells, covering, titleOf } from './cells.ts'
import { badValue, refusedRow, invalidBytes, endedSession } from './kinds/bad-value.ts'
import { runCell } from './run-cell.ts'
import { useWorld } from './world.ts'

describe('a value that does not fit fails the run, wherever it stands', () => {
  const world = useWorld()
  const { cells } = allCells([badValue, refusedRow, invalidBytes, endedSession])
  test.each(covering(cells).map((cell) => [titleOf(cell), cell] as const))('%s', (_title, cell) => runCell(world, cell))
})
