import { describe, expect, test } from 'vitest'
import {
  ArgumentError,
  readAbsolutePath,
  readNotification,
  readOpenFileOptions,
  readSaveFileOptions,
  readTheme,
} from '../../src/main/ipc-arguments.ts'

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
