import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

const rows = 200_000
const text = `id,name\n${Array.from({ length: rows }, (_, id) => `${id},Zoë Łódź 東京 \u{1F600} ${id}\n`).join('')}`
const little = Buffer.from(text, 'utf16le')
const big = Buffer.from(text, 'utf16le').swap16()

test.each([
  ['utf-16', 'little-endian with a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), little])],
  ['utf-16', 'big-endian with a mark', Buffer.concat([Buffer.from([0xfe, 0xff]), big])],
  ['utf-16', 'little-endian without a mark', little],
  ['utf-16', 'big-endian without a mark', big],
  ['utf-16be', 'big-endian without a mark', big],
])('%s reads every row of a file that is %s', async (encoding, _, bytes) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'in.csv'), bytes)
  const yaml = `etl: 1
kind: pipeline
name: wide
connectors: {dir: {type: file, access: read_write}}
source: {connector: dir, files: {glob: in.csv, csv: {encoding: ${encoding}}}}
target: {connector: dir, file: {path: out.csv}}
`
  expect(await runTask(yaml, { dir: fileConnector(folder) })).toMatchObject({ status: 'success', item_count: rows })
  expect(readFileSync(join(folder, 'out.csv'), 'utf8')).toBe(text)
})

test.each([
  ['utf-16', Buffer.from('\uFEFFid,n\n1,a\n', 'utf16le'), 'in.csv is in UTF-16: it begins with its byte order mark'],
  [
    'utf-16',
    Buffer.from('\uFEFFid,n\n1,a\n', 'utf16le').swap16(),
    'in.csv is in UTF-16: it begins with its byte order mark',
  ],
  [
    'windows-1252',
    Buffer.from('id,n\n1,é\n2,\u0080\n', 'latin1'),
    'in.csv, line 3: the byte 0x80 is not a character in latin-1',
  ],
  [
    'windows-1252',
    Buffer.from(`id,n\n${'1,é\n'.repeat(rows)}2,\u0085\n`, 'latin1'),
    `in.csv, line ${rows + 2}: the byte 0x85 is not a character in latin-1`,
  ],
])('a file in another encoding is refused, with what to set: %s', async (encoding, bytes, message) => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'in.csv'), bytes)
  for (const onError of ['fail', 'quarantine']) {
    const yaml = (option: string) => `etl: 1
kind: pipeline
name: other
connectors: {dir: {type: file, access: read_write}}
source: {connector: dir, files: {glob: in.csv, on_error: ${onError}, csv: {${option}}}}
target: {connector: dir, file: {path: out.csv}}
`
    const run = await runTask(yaml(encoding === 'utf-16' ? '' : 'encoding: latin-1'), { dir: fileConnector(folder) })
    expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE' })
    expect(run.error?.message.replaceAll(`${folder}/`, '')).toBe(message)
    expect(run.error?.hint).toContain(`encoding: ${encoding}`)
    expect(await runTask(yaml(`encoding: ${encoding}`), { dir: fileConnector(folder) })).toMatchObject({
      status: 'success',
    })
  }
})

test('a preview counts lines that could not be read once, among its rejects', async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'in.csv'), 'a,b\n1,2\n3\n4,5\n')
  writeFileSync(join(folder, 'in.jsonl'), '{"a": 1}\n{bad\n{"a": 2}\n')
  for (const glob of ['in.csv', 'in.jsonl']) {
    const yaml_content = `etl: 1
kind: pipeline
name: aside
connectors: {dir: {type: file, access: read_write}}
source: {connector: dir, files: {glob: ${glob}, on_error: quarantine}}
target: {connector: dir, file: {path: out.csv}}
`
    const work = { kind: 'preview' as const, yaml_content, arguments: {}, connectors: { dir: fileConnector(folder) } }
    const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
    const { value } = await runCall({ ...work, step: null, limit: 100 }, io)
    expect(value).toMatchObject({ stages: [{ rejected: 1, rejects: [{ row: expect.anything() as unknown }] }] })
    expect(value).not.toMatchObject({ stages: [{ notes: expect.anything() as unknown }] })
    const run = await runTask(yaml_content, { dir: fileConnector(folder) })
    expect(run.log.filter(({ level }) => level === 'warn').map(({ message }) => message)).toContainEqual(
      expect.stringContaining('could not be read and were rejected'),
    )
  }
})
