import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { entryOf } from '../support/entries.ts'
import { folderWith, headgate } from './command.ts'

const connectors = 'in: {type: file, config: {root: .}}\nout: {type: file, config: {root: .}}\n'
/** A task whose rows are numbers; `bad` of them are rejected. */
const task = (rows: number, bad: number, source = '') => `etl: 1
kind: pipeline
name: numbers
connectors: {in: {type: file}, out: {type: file, access: write}}
source: {connector: in, files: {glob: ${source || 'n.csv'}}}
steps: [{expect: [{name: good, check: "n >= ${bad}", on_fail: quarantine}]}]
target: {connector: out, file: {path: out.jsonl}}
outputs: {rows: ${rows}}
`
const numbers = (rows: number) => `n\n${Array.from({ length: rows }, (_, n) => `${n}\n`).join('')}`

/** The exit code when nobody reads what the command says. */
async function unread(folder: string, args: string[], closed: ('stdout' | 'stderr')[]): Promise<number | null> {
  const child = spawn(process.execPath, [entryOf('headgate'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const name of ['stdout', 'stderr'] as const) {
    if (closed.includes(name)) child[name].destroy()
    else void text(child[name])
  }
  return new Promise((done) => void child.once('exit', done))
}

describe('whoever reads the output may have seen enough:', () => {
  it.each([[['stdout' as const]], [['stderr' as const]], [['stdout' as const, 'stderr' as const]]])(
    'without %j a run that fails still ends with 1',
    async (closed) => {
      const folder = folderWith({ 't.yaml': task(0, 0, 'none.csv'), 'c.yaml': connectors })
      expect(await unread(folder, ['run', 't.yaml', '--connectors', 'c.yaml'], closed)).toBe(1)
    },
  )

  it('a run without readers goes on to its end, and ends with 0', async () => {
    const folder = folderWith({ 't.yaml': task(200_000, 50), 'n.csv': numbers(200_000), 'c.yaml': connectors })
    expect(await unread(folder, ['run', 't.yaml', '--connectors', 'c.yaml'], ['stdout', 'stderr'])).toBe(0)
    expect(readFileSync(join(folder, 'out.jsonl'), 'utf8').trimEnd().split('\n')).toHaveLength(200_000 - 50)
  })

  it('a document with errors still ends with 1', async () => {
    const folder = folderWith({ 't.yaml': 'etl: 1\nkind: pipelin\n' })
    expect(await unread(folder, ['validate', 't.yaml', '--json'], ['stdout'])).toBe(1)
  })
})

describe.skipIf(!existsSync('/dev/full'))('rejected rows for which there is no room', () => {
  it.each([
    ['a few, noticed at the end', 200_000, 50],
    ['many, noticed on the way', 200_000, 60_000],
  ])('%s: the command fails and says so', async (_, rows, bad) => {
    const folder = folderWith({ 't.yaml': task(rows, bad), 'n.csv': numbers(rows), 'c.yaml': connectors })
    const args = ['run', 't.yaml', '--connectors', 'c.yaml', '--rejects', '/dev/full']
    const { code, err, out } = await headgate(folder, args)
    expect(code).toBe(1)
    expect(err).toContain('Can’t write all rejected rows to /dev/full: ENOSPC')
    expect(err).not.toContain('Internal error')
    expect(out).toMatch(/^(completed with rejects|failed), /)
  })

  it('what was read is noted all the same: the next run does not write it twice', async () => {
    const incremental = task(200, 50).replace('glob: n.csv', 'glob: n.csv, new_only: true')
    const folder = folderWith({ 't.yaml': incremental, 'n.csv': numbers(200), 'c.yaml': connectors })
    const args = ['run', 't.yaml', '--connectors', 'c.yaml', '--state', 'state.json', '--rejects']
    expect((await headgate(folder, [...args, '/dev/full'])).code).toBe(1)
    expect(existsSync(join(folder, 'out.jsonl'))).toBe(true)
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('n.csv')
  })
})

it('an exported audit log that is empty was cut off', async () => {
  const folder = folderWith({ 'empty.ndjson': '' })
  expect(await headgate(folder, ['audit', 'verify', 'empty.ndjson'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('empty.ndjson has no audit records'),
  })
})
