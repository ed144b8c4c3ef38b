import { describe, expect, test } from 'vitest'
import {
  ArgumentError,
  BadFeed,
  readAbsolutePath,
  readFileRange,
  readMenuState,
  readNotification,
  readOpenFileOptions,
  readSaveFileOptions,
  readSettingsChanges,
  readTheme,
} from '../../src/main/bridge/ipc-arguments.ts'

describe('readOpenFileOptions', () => {
  test('nothing said means one file', () => {
    expect(readOpenFileOptions(undefined)).toMatchObject({ multiple: false, kind: undefined })
  })

  test('takes what it knows', () => {
    const options = {
      kind: 'folder',
      multiple: true,
      filters: [{ name: 'CSV', extensions: ['csv'] }],
      start_path: '/a',
    }
    expect(readOpenFileOptions(options)).toMatchObject(options)
  })

  test.each([
    'text',
    { kind: 'device' },
    { filters: 'csv' },
    { filters: [{ name: 'CSV' }] },
    { filters: [{ name: 'CSV', extensions: [1] }] },
    { title: 7 },
    { title: 'x'.repeat(5_000) },
  ])('refuses %j', (options) => {
    expect(() => readOpenFileOptions(options)).toThrow(ArgumentError)
  })
})

test('a save dialog is checked alike', () => {
  expect(readSaveFileOptions({ start_path: 'runs.csv' })).toMatchObject({ start_path: 'runs.csv' })
  expect(() => readSaveFileOptions({ start_path: {} })).toThrow(ArgumentError)
})

describe('readNotification', () => {
  test('takes a path of the app', () => {
    const notification = { title: 'Run failed', body: 'orders', path: '/runs/17' }
    expect(readNotification(notification)).toEqual(notification)
  })

  test.each(['//evil.example/', 'https://evil.example/', '/\\evil.example', 'runs/17'])(
    'refuses the path %s',
    (path) => {
      expect(() => readNotification({ title: 'a', body: 'b', path })).toThrow('path of the app')
    },
  )
})

test('paths must be absolute', () => {
  expect(readAbsolutePath('/data/out.csv')).toBe('/data/out.csv')
  expect(() => readAbsolutePath('out.csv')).toThrow('absolute')
})

test('themes are the three', () => {
  expect(readTheme('dark')).toBe('dark')
  expect(() => readTheme('blue')).toThrow('light, dark, system')
})

describe('readMenuState', () => {
  const command = { id: 'save', title: 'Save', menu: 'page', group: 'Task', accelerator: 'CmdOrCtrl+S' }
  const read = (fields: object) => readMenuState({ language: 'en', commands: [{ ...command, ...fields }] }).commands[0]

  test('takes what it knows, and no more', () => {
    expect(read({ click: 'x' })).toEqual(command)
    expect(readMenuState({ language: 'pt-BR', commands: [] })).toEqual({ language: 'pt-BR', commands: [] })
  })

  test.each(['Q', 'CmdOrCtrl+Shift+Plus', 'Alt+F12', '?', 'CmdOrCtrl+,', 'Shift+Alt+Down'])(
    'shows the key %s',
    (accelerator) => {
      expect(read({ accelerator })).toMatchObject({ accelerator })
    },
  )

  test.each(['', 'g t', 'Mod+S', 'CmdOrCtrl+', 'CmdOrCtrl+Shift', 'F25', 'é', 'Ctrl++'])(
    'leaves out the key %j, which Electron does not know',
    (accelerator) => {
      expect(read({ accelerator })!.accelerator).toBeUndefined()
    },
  )

  test.each([
    null,
    { language: '', commands: [] },
    { language: '../de', commands: [] },
    { language: 'en', commands: {} },
    { language: 'en', commands: [{ ...command, menu: 'window' }] },
    { language: 'en', commands: [{ ...command, id: 7 }] },
    { language: 'en', commands: Array.from({ length: 501 }, () => command) },
  ])('refuses %#', (value) => {
    expect(() => readMenuState(value)).toThrow(ArgumentError)
  })
})

test('a part of a file has an order, and at most 8 MiB', () => {
  const most = 8 * 1024 * 1024
  expect(readFileRange('t', 5, 5 + most)).toEqual({ token: 't', start: 5, end: 5 + most })
  for (const [start, end] of [
    [2, 1],
    [0, most + 1],
    [-1, 1],
    [0.5, 1],
    [0, Infinity],
    ['0', 1],
    [0, 2 ** 60],
  ])
    expect(() => readFileRange('t', start, end)).toThrow(ArgumentError)
  expect(() => readFileRange(undefined, 0, 1)).toThrow(ArgumentError)
})

test('settings change by name; an address for updates is https without a password', () => {
  const changes = { keep_awake: true, update_feed_url: ' https://example.org/headgate ' }
  expect(readSettingsChanges(changes)).toEqual({ keep_awake: true, update_feed_url: 'https://example.org/headgate' })
  expect(readSettingsChanges({ update_feed_url: '' })).toEqual({ update_feed_url: '' })
  for (const wrong of [{ keep_awake: 1 }, { other: true }, { __proto__: null, constructor: 1 }, null])
    expect(() => readSettingsChanges(wrong)).toThrow(ArgumentError)
  for (const update_feed_url of ['http://example.org', 'file:///x', 'https://u:p@example.org/', 'example.org'])
    expect(() => readSettingsChanges({ update_feed_url })).toThrow(BadFeed)
  expect(() => readSettingsChanges({ update_feed_url: 7 })).toThrow(ArgumentError)
})
