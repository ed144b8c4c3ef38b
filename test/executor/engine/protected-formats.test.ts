// Files of every format, and databases, in the data folder of a server that runs beside `headgate run`: read and written by every detour.
import { DuckDBInstance } from '@duckdb/node-api'
import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { protect } from '../../../src/executor/engine/protected.ts'
import { ownPlaces } from '../../../src/process/own-places.ts'
import { detours, makeGrounds, secret, type Detour, type Grounds } from './protected-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

let grounds: Grounds
let before: string
beforeEach(async () => {
  grounds = await makeGrounds()
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`COPY (SELECT '${secret}' AS a) TO '${join(grounds.data, 'inner.parquet')}'`)
  connection.closeSync()
  instance.closeSync()
  writeFileSync(join(grounds.data, 'inner.jsonl'), `{"a":"${secret}"}\n`)
  const folder = temporaryFolder()
  await runTask(writing('file', 'file: {path: inner.xlsx}'), { far: fileConnector(folder) })
  copyFileSync(join(folder, 'inner.xlsx'), join(grounds.data, 'inner.xlsx'))
  before = grounds.content()
})
afterEach(() => {
  protect([])
  grounds.remove()
})

const reading = (type: string, source: string) => `etl: 1
kind: pipeline
name: read
connectors: {far: {type: ${type}, access: read}, out: {type: file, access: write}}
source: {connector: far, ${source}}
target: {connector: out, file: {path: out.jsonl}}
`
const writing = (type: string, target: string) => `etl: 1
kind: pipeline
name: write
connectors: {far: {type: ${type}, access: write}}
source: {inline: {rows: [{a: ${secret}}]}}
target: {connector: far, ${target}}
`
const duckdbConnector = (path: string): BoundConnector => ({
  id: 1,
  name: 'ware',
  type: 'duckdb',
  config: { path },
  secrets: {},
})

const refused = /^(PATH_PROTECTED|PATH_OUTSIDE_FOLDER|FOLDER_NOT_FOUND|FILE_NOT_FOUND|TASK_INVALID)$/

async function attempt(yaml: string, far: BoundConnector): Promise<string> {
  const run = await runTask(yaml, { far, out: fileConnector(temporaryFolder()) })
  expect(JSON.stringify(run)).not.toContain(secret)
  return run.error?.code ?? run.status
}

/** Root of a connector, and the path below it, by this detour. */
function waysTo({ to }: Detour, inside: string): [root: string, path: string][] {
  const whole = to(grounds, inside)
  const at = whole.lastIndexOf('/')
  const below = whole.replace(`${grounds.parent}/`, '')
  const own: [string, string] = [whole.slice(0, at), whole.slice(at + 1)]
  return whole.startsWith(grounds.parent) ? [own, [grounds.parent, below]] : [own]
}

const cwd: Detour = {
  name: '/proc/self/cwd',
  to: ({ data }, inside) => join('/proc/self/cwd', join('../'.repeat(20), data, inside)),
}
const all = process.platform === 'linux' ? [...detours, cwd] : detours

describe.each([
  ['a process that was told of the folder', true],
  ['a process that was not', false],
])('%s', (_name, told) => {
  // `headgate run` is told of the folders of all servers that run: a hard link says nothing of where it leads.
  it.each(told ? all : all.filter(({ files }) => !files))('neither reads nor writes by $name', async (detour) => {
    protect(told ? ownPlaces([grounds.data]) : [])
    const ends: Record<string, string> = {}
    for (const format of ['csv', 'jsonl', 'parquet', 'xlsx']) {
      for (const [root, path] of waysTo(detour, `inner.${format}`)) {
        const far = fileConnector(root)
        ends[`read ${root} ${path}`] = await attempt(
          reading('file', `files: {glob: "${path}", format: ${format}}`),
          far,
        )
        ends[`write ${root} ${path}`] = await attempt(
          writing('file', `file: {path: "${path}", format: ${format}}`),
          far,
        )
      }
    }
    const sqlite = sqliteConnector(detour.to(grounds, 'headgate.db'))
    ends['read SQLite'] = await attempt(reading('sqlite', 'sql: {table: users}'), sqlite)
    ends['write SQLite'] = await attempt(writing('sqlite', 'table: t, mode: replace'), sqlite)
    const duckdb = duckdbConnector(detour.to(grounds, 'inner.duckdb'))
    ends['read DuckDB'] = await attempt(reading('duckdb', 'sql: {table: users}'), duckdb)
    ends['write DuckDB'] = await attempt(writing('duckdb', 'table: t, mode: replace'), duckdb)
    for (const [way, end] of Object.entries(ends))
      expect([way, refused.test(end) ? 'refused' : end]).toEqual([way, 'refused'])
    expect(grounds.content()).toBe(before)
  })
})
