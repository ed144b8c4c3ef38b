import { expect, it } from 'vitest'
import { rowsOf, wallScale } from '../../../src/renderer/features/dashboards/wall.rules.ts'

it('a dashboard is larger on a wall, as far as all of it can be seen', () => {
  expect(wallScale({ width: 3840, height: 2160 }, 6, true)).toBe(3.2)
  expect(wallScale({ width: 1920, height: 1080 }, 6, false)).toBe(1.6)
  expect(wallScale({ width: 1920, height: 1080 }, 9, false)).toBe(1.41)
  expect(wallScale({ width: 1920, height: 1080 }, 30, false)).toBe(1.33)
})

it('no dashboard is smaller than on a desk, and its rows end with its lowest widget', () => {
  expect(wallScale({ width: 1280, height: 720 }, 40, true)).toBe(1)
  expect(rowsOf([{ at: [0, 0, 6, 2] }, { at: [6, 1, 6, 4] }])).toBe(5)
})
