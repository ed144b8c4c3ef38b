import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openLogFile } from '../../src/main/lifecycle/log-file.ts'

let folder = ''
const stderr = vi.spyOn(process.stderr, 'write')

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-log-'))
  stderr.mockReset().mockReturnValue(true)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('the file and stderr get the text, and the tail its last lines', () => {
  const log = openLogFile(join(folder, 'logs'))
  for (let n = 1; n <= 10; n++) log.write(`line ${n}\n`)
  expect(readFileSync(log.path, 'utf8').split('\n')).toHaveLength(11)
  expect(log.tail()).toEqual(['line 3', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8', 'line 9', 'line 10'])
  expect(stderr).toHaveBeenCalledTimes(10)
})

test('a full file is set aside, also over restarts', () => {
  openLogFile(folder, 100).write('a'.repeat(101))
  const log = openLogFile(folder, 100)
  log.write('b')
  expect(readFileSync(log.path, 'utf8')).toBe('b')
  expect(readFileSync(`${log.path}.1`, 'utf8')).toBe('a'.repeat(101))
})

test('a folder that cannot be made costs one complaint, not the start', () => {
  writeFileSync(join(folder, 'file'), '')
  for (const place of [join(folder, 'file', 'logs'), '/proc/headgate/logs']) {
    stderr.mockClear()
    openLogFile(place).write('one\n')
    expect(stderr.mock.calls.filter(([text]) => String(text).includes('can’t write'))).toHaveLength(1)
  }
})

test('a folder that is gone costs one complaint, not the app', () => {
  const log = openLogFile(join(folder, 'logs'))
  rmSync(join(folder, 'logs'), { recursive: true })
  log.write('one\n')
  log.write('two\n')
  const complaints = stderr.mock.calls.filter(([text]) => String(text).includes('can’t write'))
  expect(complaints).toHaveLength(1)
})
