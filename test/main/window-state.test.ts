import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  DEFAULT_STATE,
  MIN_SIZE,
  parseWindowState,
  placeOnScreens,
  readWindowState,
  writeWindowState,
} from '../../src/main/window-state.ts'

const SCREEN = { x: 0, y: 0, width: 1920, height: 1080 }

test('what is written is read back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-window-'))
  try {
    const file = join(folder, 'deep', 'window.json')
    const state = { x: 10, y: 20, width: 900, height: 700, maximized: true }
    expect(readWindowState(file)).toEqual(DEFAULT_STATE)
    writeWindowState(file, state)
    expect(readWindowState(file)).toEqual(state)
    writeFileSync(file, '{"width":')
    expect(readWindowState(file)).toEqual(DEFAULT_STATE)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.each([null, [], 'text', { width: '900', height: 700 }, { width: 900.5, height: 700 }])(
  'damaged content %j gives the default',
  (saved) => {
    expect(parseWindowState(saved)).toEqual(DEFAULT_STATE)
  },
)

test('a window does not come back smaller than it may be', () => {
  expect(parseWindowState({ width: 1, height: 1 })).toEqual({ ...MIN_SIZE, maximized: false })
})

test('a place on a screen that is gone is forgotten, the size is kept', () => {
  const state = { x: 2_000, y: 100, width: 900, height: 700, maximized: false }
  expect(placeOnScreens(state, [SCREEN])).toEqual({ width: 900, height: 700, maximized: false })
  expect(placeOnScreens(state, [SCREEN, { ...SCREEN, x: 1_920 }])).toEqual(state)
  expect(placeOnScreens({ ...state, x: 1_900 }, [SCREEN])).not.toHaveProperty('x')
  expect(placeOnScreens({ ...state, x: 100, y: -10 }, [SCREEN])).not.toHaveProperty('y')
})
