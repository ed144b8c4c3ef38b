import { expect, it } from 'vitest'
import { pagesOf, rowsOf, rowsSeen, wallScale } from '../../../src/renderer/features/dashboards/wall.rules.ts'

it('a dashboard is larger on a wall, as far as all of it can be seen', () => {
  expect(wallScale({ width: 3840, height: 2160 }, 6, true)).toBe(4.36)
  expect(wallScale({ width: 1920, height: 1080 }, 6, false)).toBe(2.18)
  expect(wallScale({ width: 1920, height: 1080 }, 9, false)).toBe(1.94)
  expect(wallScale({ width: 1920, height: 1080 }, 30, false)).toBe(1.94)
})

it('a dashboard that fills several pages is larger than on a desk, and its rows end with its lowest widget', () => {
  expect(wallScale({ width: 1280, height: 720 }, 40, true)).toBe(1.29)
  expect(rowsOf([{ at: [0, 0, 6, 2] }, { at: [6, 1, 6, 4] }])).toBe(5)
})

it('what doesn’t fit on a wall comes in pages that cut no widget', () => {
  const of = (...places: [number, number][]) =>
    places.map(([y, height]) => ({ at: [0, y, 6, height] as [number, number, number, number] }))
  const seen = rowsSeen({ width: 1280, height: 800 }, 1.3, true)
  expect(seen).toBe(8)
  expect(pagesOf(of([0, 2], [2, 4], [6, 4], [10, 3]), seen)).toEqual([
    { from: 0, to: 6 },
    { from: 6, to: 13 },
  ])
  expect(pagesOf(of([0, 4], [4, 4]), seen)).toEqual([{ from: 0, to: 8 }])
  // One that is taller than the screen has a page of its own, which scrolls.
  expect(pagesOf(of([0, 2], [2, 12]), seen)).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 14 },
  ])
})
