import { describe, expect, test } from 'vitest'
import {
  cascade,
  DEFAULT_STATE,
  MIN_SIZE,
  parseWindowState,
  placeOnScreens,
} from '../../src/main/windows/window-state.ts'
import { zoomed } from '../../src/main/windows/zoom.rules.ts'

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 }
const STATE = { ...DEFAULT_STATE, x: 100, y: 100, width: 900, height: 700 }

test.each([null, [], 'text', { width: '900', height: 700 }, { width: 900.5, height: 700 }])(
  'damaged content %j gives the default',
  (saved) => {
    expect(parseWindowState(saved)).toEqual(DEFAULT_STATE)
  },
)

test('a window does not come back smaller than it may be, nor outside of the app, nor at a zoom that there is not', () => {
  expect(parseWindowState({ width: 1, height: 1 })).toEqual({ ...DEFAULT_STATE, ...MIN_SIZE })
  const read = (path: unknown, zoom: unknown) => parseWindowState({ width: 900, height: 700, path, zoom })
  expect(read('/tasks/3?tab=runs#L1', 150)).toMatchObject({ path: '/tasks/3?tab=runs#L1', zoom: 150 })
  for (const path of ['//evil.example', '/\\evil.example', 'tasks', 7, `/${'a'.repeat(3_000)}`])
    expect(read(path, 1e9)).toMatchObject({ path: '/', zoom: 100 })
})

test('a place on a screen that is gone is forgotten, the rest is kept', () => {
  const state = { ...STATE, x: 2_000, path: '/runs', zoom: 125 }
  const { x: _x, y: _y, ...rest } = state
  expect(placeOnScreens(state, [SCREEN])).toEqual(rest)
  expect(placeOnScreens(state, [SCREEN, { ...SCREEN, x: 1_920 }])).toEqual(state)
  expect(placeOnScreens({ ...state, x: 1_900 }, [SCREEN])).not.toHaveProperty('x')
  expect(placeOnScreens({ ...state, x: 100, y: -10 }, [SCREEN])).not.toHaveProperty('y')
})

describe('a new window', () => {
  test('stands beside the one last used, not on it, at the start page', () => {
    const next = cascade({ ...STATE, path: '/runs', maximized: true, zoom: 125 }, [STATE], [SCREEN])
    expect(next).toMatchObject({ x: 128, y: 128, width: 900, path: '/', maximized: false, zoom: 125 })
    const third = cascade(STATE, [STATE, { ...STATE, x: 128, y: 128 }], [SCREEN])
    expect(third).toMatchObject({ x: 156, y: 156 })
  })

  test('ten in a row stay within reach and cover none', () => {
    const places = [{ x: 100, y: 100, width: 900, height: 700 }]
    for (let n = 1; n <= 10; n++) {
      const { x, y, width, height } = cascade({ ...STATE, ...places.at(-1)! }, places, [SCREEN])
      expect(places).not.toContainEqual({ x, y, width, height })
      expect(y).toBeLessThan(SCREEN.height - 64)
      places.push({ x: x!, y: y!, width, height })
    }
  })

  test('the first has the default', () => {
    expect(cascade(undefined, [], [SCREEN])).toEqual(DEFAULT_STATE)
  })
})

test('zoom goes by steps to its ends and back', () => {
  expect([zoomed(100, 'in'), zoomed(100, 'out'), zoomed(175, 'reset')]).toEqual([110, 90, 100])
  expect([zoomed(300, 'in'), zoomed(50, 'out')]).toEqual([300, 50])
})
