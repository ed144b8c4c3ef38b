import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { windowKeeper } from '../../src/main/windows/window-keeper.ts'
import { parseWindowMemory, readWindowMemory, windowsToOpen } from '../../src/main/windows/window-memory.ts'
import { DEFAULT_STATE, type WindowState } from '../../src/main/windows/window-state.ts'

const at = (path: string, x = 10): WindowState => ({ ...DEFAULT_STATE, x, y: 20, path, zoom: 125 })

let folder: string
let file: string
beforeEach(() => {
  vi.useFakeTimers()
  folder = mkdtempSync(join(tmpdir(), 'headgate-windows-'))
  file = join(folder, 'deep', 'window.json')
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(folder, { recursive: true })
})

function keeper(open: WindowState[], failures: string[] = []) {
  const kept = windowKeeper({ file, systemLanguage: 'en-GB', log: (text) => failures.push(text) })
  kept.begin(() => open)
  return kept
}

test('the windows come back as they were when the app began to end, however they close then', () => {
  const open = [at('/runs'), at('/tasks/7?tab=runs', 60)]
  const kept = keeper(open)
  kept.freeze()
  open.length = 0
  kept.changed()
  vi.advanceTimersByTime(1_000)
  expect(readWindowMemory(file).windows).toEqual([at('/runs'), at('/tasks/7?tab=runs', 60)])
})

test('when the user stays, what he does then is kept again', () => {
  const open = [at('/runs')]
  const kept = keeper(open)
  kept.freeze()
  kept.thaw()
  open.push(at('/tasks'))
  kept.changed()
  vi.advanceTimersByTime(1_000)
  expect(readWindowMemory(file).windows).toHaveLength(2)
})

test('an app that was killed finds its windows again, but not for the fourth time in a row', () => {
  keeper([at('/runs'), at('/tasks')])
  for (let start = 2; start <= 3; start++) {
    const kept = keeper([at('/runs'), at('/tasks')])
    expect(windowsToOpen(kept.before)).toHaveLength(2)
  }
  expect(windowsToOpen(keeper([at('/')]).before)).toEqual([at('/')])
})

test('a start that lived for a minute was a good one', () => {
  for (let start = 1; start <= 3; start++) keeper([at('/runs'), at('/tasks')])
  keeper([at('/runs'), at('/tasks')])
  vi.advanceTimersByTime(61_000)
  expect(windowsToOpen(readWindowMemory(file))).toHaveLength(2)
})

test('the language is that of the page, and of the system before there was one', () => {
  const kept = keeper([at('/')])
  expect(kept.language).toBe('en-GB')
  kept.setLanguage('de')
  kept.freeze()
  expect(keeper([at('/')]).language).toBe('de')
})

test('a file of the time of one window is understood; a damaged one costs no more than places', () => {
  expect(parseWindowMemory({ x: 1, y: 2, width: 900, height: 700, maximized: true }).windows).toEqual([
    { x: 1, y: 2, width: 900, height: 700, maximized: true, path: '/', zoom: 100 },
  ])
  const hopeless = { windows: [DEFAULT_STATE], bad_starts: 0, language: '' }
  for (const saved of [null, 7, [], { windows: [] }, { windows: ['x'], bad_starts: -1, language: '../x' }])
    expect(parseWindowMemory(saved)).toEqual(hopeless)
  expect(readWindowMemory(file)).toEqual(hopeless)
})

test('a disk that takes nothing is said once', () => {
  const failures: string[] = []
  file = join(folder, 'file', 'window.json')
  writeFileSync(join(folder, 'file'), '')
  const kept = keeper([at('/')], failures)
  kept.changed()
  vi.advanceTimersByTime(1_000)
  kept.freeze()
  expect(failures).toHaveLength(1)
  expect(failures[0]).toContain('could not be kept')
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('')
})
