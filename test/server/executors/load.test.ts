import { expect, test } from 'vitest'
import { loadSpans } from '../../../src/contract/executors.ts'
import { createLoad } from '../../../src/server/features/executors/load.ts'

const minute = 60_000

test('the last hour is told by averages of two minutes; what was not measured is null, and what is older is gone', () => {
  const load = createLoad()
  const at = (minutes: number) => 1_000 * 120_000 + minutes * minute
  expect(load.lastHour(1, at(0))).toEqual(Array.from({ length: loadSpans }, () => null))
  load.sample(1, 0, at(0))
  load.sample(1, 1, at(1))
  load.sample(1, 0.25, at(4))
  load.sample(2, 1, at(4))
  expect(load.lastHour(1, at(4)).slice(-3)).toEqual([0.5, null, 0.25])
  expect(load.lastHour(2, at(4)).filter((share) => share !== null)).toEqual([1])
  // An hour after the first, it has moved out.
  expect(load.lastHour(1, at(60)).filter((share) => share !== null)).toEqual([0.25])
  expect(load.lastHour(1, at(62)).filter((share) => share !== null)).toEqual([0.25])
  expect(load.lastHour(1, at(64)).every((share) => share === null)).toBe(true)
})
