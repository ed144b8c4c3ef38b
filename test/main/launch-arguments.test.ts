import { expect, test } from 'vitest'
import { readOpening } from '../../src/main/incoming/launch-arguments.ts'

const packaged = (...args: string[]) => readOpening(['/opt/headgate', ...args], '/home/ada', true)
const fromSources = (...args: string[]) => readOpening(['/usr/bin/electron', ...args], '/home/ada', false)

test('files are found from where the command was given, links are left as they are', () => {
  expect(packaged('a.csv', '../b.yaml', '/c/d.parquet', 'headgate://runs/17')).toEqual({
    links: ['headgate://runs/17'],
    files: ['/home/ada/a.csv', '/home/b.yaml', '/c/d.parquet'],
  })
})

test('switches and their values are no files', () => {
  const args = ['--data-dir', '/data', '--port=0', '--no-sandbox', '-psn_0_123', '--user-data-dir', '/x', 'a.csv', '']
  expect(packaged(...args)).toEqual({ links: [], files: ['/home/ada/a.csv'] })
})

test('after -- everything is a name', () => {
  expect(packaged('--', '--odd name.csv', '-', 'headgate://runs')).toEqual({
    links: ['headgate://runs'],
    files: ['/home/ada/--odd name.csv', '/home/ada/-'],
  })
})

test('the app’s own folder, which Electron is given first, is no file', () => {
  expect(fromSources('--no-sandbox', '.', '--data-dir=/x', 'a.csv').files).toEqual(['/home/ada/a.csv'])
  expect(fromSources('/src/headgate', '--', 'a.csv').files).toEqual(['/home/ada/a.csv'])
  expect(fromSources('.')).toEqual({ links: [], files: [] })
})

test('file managers that give addresses are understood', () => {
  expect(packaged('file:///home/ada/a%20b.csv').files).toEqual(['/home/ada/a b.csv'])
  expect(packaged('file://elsewhere/a.csv').files).toEqual(['file://elsewhere/a.csv'])
})
