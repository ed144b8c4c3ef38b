// What Headgate’s own files is opened by no connector, whatever path leads there; files beside it are.
import { DuckDBInstance } from '@duckdb/node-api'
import Database from 'better-sqlite3'
import { execFileSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { openFileStore } from '../../../src/executor/connectors/stores/stores.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { protect, watchOpening } from '../../../src/executor/engine/protected.ts'
import type { CallResult, CallWork } from '../../../src/executor/worker-protocol.ts'
import { ownPlaces } from '../../../src/process/own-places.ts'
import { detours, makeGrounds, secret, type Grounds } from './protected-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

let grounds: Grounds
let before: string
beforeEach(async () => {
  grounds = await makeGrounds()
  before = grounds.content()
  protect(ownPlaces([grounds.data]))
})
afterEach(() => {
  protect([])
  grounds.remove()
})

const io = () => ({ signal: new AbortController().signal, tempDir: temporaryFolder() })
const call = (work: CallWork) => runCall(work, io())
const duckdbConnector = (path: string): BoundConnector => ({
  id: 1,
  name: 'ware',
  type: 'duckdb',
  config: { path },
  secrets: {},
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
source: {inline: {rows: [{name: eve, role: superadmin}]}}
target: {connector: far, ${target}}
`
const hooked = `etl: 1
kind: pipeline
name: hooked
connectors: {far: {type: sqlite, access: write}, out: {type: file, access: write}}
hooks: {before: [{connector: far, sql: "UPDATE users SET role = 'superadmin'"}]}
source: {inline: {rows: [{a: 1}]}}
target: {connector: out, file: {path: out.jsonl}}
`
const statement = (type: string) => `etl: 1
kind: sql
name: raise
connectors: {far: {type: ${type}, access: write}}
sql: {connector: far, statements: ["UPDATE users SET role = 'superadmin'"]}
`

/** How it ended: the code of a run, or what a call said. */
type Operation = [name: string, run: (connector: BoundConnector) => Promise<string>]

const runs = (name: string, yaml: string): Operation => [
  name,
  async (far) => {
    const run = await runTask(yaml, { far, out: fileConnector(temporaryFolder()) })
    expect(JSON.stringify(run)).not.toContain(secret)
    return run.error?.code ?? run.status
  },
]
const asks = (name: string, work: (connector: BoundConnector) => CallWork): Operation => [
  name,
  async (connector) => {
    const said = await call(work(connector)).then(
      (result: CallResult) => JSON.stringify(result),
      (error: unknown) => JSON.stringify(error, ['message', 'details', 'code']),
    )
    expect(said).not.toContain(secret)
    return /PATH_PROTECTED|Headgate’s own files/.test(said) ? 'PATH_PROTECTED' : said
  },
]
const tests = asks('test', (connector) => ({ kind: 'test', connector }))
const lists = asks('resources', (connector) => ({ kind: 'list_resources', connector, q: null }))
const previews = (yaml: string): Operation =>
  asks('preview', (far) => ({
    kind: 'preview',
    yaml_content: yaml,
    arguments: {},
    connectors: { far, out: fileConnector(temporaryFolder()) },
    step: null,
    limit: 10,
  }))

const database = (type: 'sqlite' | 'duckdb'): Operation[] => [
  tests,
  lists,
  asks('one resource', (connector) => ({ kind: 'get_resource', connector, name: 'users' })),
  previews(reading(type, 'sql: {table: users}')),
  runs('reading a table', reading(type, 'sql: {table: users}')),
  runs('reading a query', reading(type, 'sql: {query: SELECT * FROM users}')),
  runs('appending', writing(type, 'table: users, mode: append')),
  runs('replacing', writing(type, 'table: users, mode: replace')),
  runs('a statement', statement(type)),
]

describe.each(detours.filter(({ files }) => !files))('to a folder by $name', ({ to }) => {
  it('a database that is yet to be made', async () => {
    for (const type of ['sqlite', 'duckdb'] as const) {
      const path = to(grounds, `new.${type}`)
      const connector = type === 'sqlite' ? sqliteConnector(path) : duckdbConnector(path)
      for (const [, operation] of [tests, runs('write', writing(type, 'table: t, mode: append'))]) {
        expect([type, await operation(connector)]).toEqual([type, 'PATH_PROTECTED'])
      }
    }
    expect(grounds.content()).toBe(before)
  })

  it.each([
    tests,
    lists,
    asks('one resource', (connector) => ({ kind: 'get_resource', connector, name: 'inner.csv' })),
    asks('a file trigger', (connector) => ({ kind: 'list_files', connector, glob: '*', limit: 10 })),
    previews(reading('file', 'files: {glob: secret.key, format: csv}')),
    runs('reading', reading('file', 'files: {glob: secret.key, format: csv}')),
    runs('writing', writing('file', 'file: {path: config.yaml, format: csv}')),
  ])('a file connector on it: %s', async (_name, operation) => {
    for (const inside of ['', 'backups']) {
      expect(await operation(fileConnector(to(grounds, inside)))).toBe('PATH_PROTECTED')
    }
    expect(grounds.content()).toBe(before)
  })
})

describe.each(detours)('by $name', ({ to }) => {
  it.each([...database('sqlite'), runs('a hook', hooked)])('SQLite: %s', async (_name, operation) => {
    expect(await operation(sqliteConnector(to(grounds, 'headgate.db')))).toBe('PATH_PROTECTED')
    expect(grounds.content()).toBe(before)
  })

  it.each(database('duckdb'))('DuckDB: %s', async (_name, operation) => {
    expect(await operation(duckdbConnector(to(grounds, 'inner.duckdb')))).toBe('PATH_PROTECTED')
    expect(grounds.content()).toBe(before)
  })

  it('a file connector with a folder above it as its root', async () => {
    const below = (inside: string) => to(grounds, inside).replace(`${grounds.parent}/`, '')
    const parent = fileConnector(grounds.parent)
    const ends: string[] = []
    // Steps up, and paths from the root of the disk, are refused whatever they lead to.
    const refused = ['PATH_PROTECTED', 'PATH_OUTSIDE_FOLDER', 'leads out of', 'TASK_INVALID']
    for (const inside of ['secret.key', 'inner.csv', 'headgate.db']) {
      const path = below(inside)
      const source = reading('file', `files: {glob: "${path}", format: csv}`)
      ends.push(await runs('', source)[1](parent), await previews(source)[1](parent))
      ends.push(await asks('', (connector) => ({ kind: 'get_resource', connector, name: path }))[1](parent))
      ends.push(await runs('', writing('file', `file: {path: "${path}", format: csv}`))[1](parent))
    }
    for (const end of ends) expect(refused.some((word) => end.includes(word)) ? 'refused' : end).toBe('refused')
    expect(grounds.content()).toBe(before)
  })
})

describe('files of a folder above it', () => {
  it('are read and written as ever, and patterns skip the data folder and log it', async () => {
    const { parent } = grounds
    symlinkSync(join(grounds.data, 'inner.csv'), join(parent, 'files', 'linked.csv'))
    linkSync(join(grounds.data, 'inner.csv'), join(parent, 'files', 'hard.csv'))
    const connectors = { far: fileConnector(parent), out: fileConnector(parent) }
    const run = await runTask(reading('file', 'files: {glob: "**/*.csv", format: csv}'), connectors)
    expect(run).toMatchObject({ status: 'success', item_count: 6 })
    const notes = run.log.map(({ message }) => message).filter((message) => message.startsWith('Skipped'))
    expect(notes.toSorted()).toEqual(
      ['data', 'files/hard.csv', 'files/linked.csv'].map(
        (path) => `Skipped ${path}: the path leads to Headgate’s own files`,
      ),
    )
    expect(readFileSync(join(parent, 'out.jsonl'), 'utf8')).not.toContain(secret)
    const listed = await call({ kind: 'list_resources', connector: fileConnector(parent), q: null })
    expect(listed).toMatchObject({
      value: {
        resources: [
          { name: 'files/deep/good.csv' },
          { name: 'files/good.csv' },
          { name: 'out.jsonl' },
          { name: 'top.csv' },
        ],
      },
    })
    expect(grounds.content()).toBe(before)
  })

  it.each(['top.csv', 'files/good.csv'])('%s is read, previewed and shown', async (path) => {
    const far = fileConnector(grounds.parent)
    const source = reading('file', `files: {glob: "${path}", format: csv}`)
    expect(await runTask(source, { far, out: fileConnector(temporaryFolder()) })).toMatchObject({
      status: 'success',
      item_count: 2,
    })
    expect(await call({ kind: 'get_resource', connector: far, name: path })).toMatchObject({
      value: {
        sample: {
          rows: [
            [1, 'x'],
            [2, 'y'],
          ],
        },
      },
    })
    expect(await call({ kind: 'test', connector: far })).toMatchObject({ value: { ok: true } })
  })

  it.each(['new.csv', 'top.csv', 'files/new.csv', 'made/on/the/way.csv'])('%s is written, twice', async (path) => {
    const { parent } = grounds
    for (let n = 0; n < 2; n++) {
      const run = await runTask(writing('file', `file: {path: "${path}", format: csv}`), { far: fileConnector(parent) })
      expect([run.status, run.error]).toEqual(['success', undefined])
      expect(readFileSync(join(parent, path), 'utf8')).toBe('name,role\neve,superadmin\n')
    }
    const left = readdirSync(parent, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.part'))
    expect(left).toEqual([])
  })

  it('are there also for a file that came after the session was opened', async () => {
    const { parent } = grounds
    const store = await openFileStore(fileConnector(parent), { ...io(), log: () => undefined })
    // What SQL may open is settled with the first file.
    await store.open([(await store.find('top.csv'))!], null)
    writeFileSync(join(parent, 'late.csv'), 'a\n1\n')
    const [late] = await store.open([(await store.find('late.csv'))!], null)
    expect(late?.local.startsWith(parent)).toBe(false)
    expect(readFileSync(late!.local, 'utf8')).toBe('a\n1\n')
  })

  it('databases beside the data folder work', async () => {
    for (const far of [
      sqliteConnector(join(grounds.parent, 'app.db')),
      duckdbConnector(join(grounds.parent, 'app.duckdb')),
    ]) {
      const run = await runTask(writing(far.type, 'table: t, mode: append'), { far })
      expect([run.status, run.error]).toEqual(['success', undefined])
      expect(await call({ kind: 'test', connector: far })).toMatchObject({ value: { ok: true } })
    }
  })

  it('a folder that does not exist yet is told as missing', async () => {
    const run = await runTask(writing('file', 'file: {path: a.csv}'), {
      far: fileConnector(join(grounds.parent, 'later')),
    })
    expect(run.error?.code).toBe('FOLDER_NOT_FOUND')
  })
})

describe('SQL', () => {
  it('cannot reach the data folder through a view that came with a database file', async () => {
    const path = join(grounds.parent, 'brought.duckdb')
    const instance = await DuckDBInstance.create(path)
    const connection = await instance.connect()
    await connection.run(`CREATE VIEW leak AS SELECT content FROM read_text('${join(grounds.data, 'secret.key')}')`)
    connection.closeSync()
    instance.closeSync()
    const yaml = `etl: 1
kind: pipeline
name: leak
connectors: {ware: {type: duckdb, access: read}, files: {type: file, access: read_write}}
source: {connector: ware, sql: {table: leak}}
inputs: {other: {connector: files, files: {glob: top.csv, format: csv}}}
steps: [{sql: "SELECT stream.content FROM stream, other"}]
target: {connector: files, file: {path: out.jsonl}}
`
    const run = await runTask(yaml, { ware: duckdbConnector(path), files: fileConnector(grounds.parent) })
    expect(run.status).toBe('failed')
    expect(existsSync(join(grounds.parent, 'out.jsonl'))).toBe(false)
  })

  it.each(['ATTACH', 'VACUUM INTO'])('%s opens no second database', async (word) => {
    const other = join(grounds.data, word === 'ATTACH' ? 'headgate.db' : 'copy.db')
    const sql = word === 'ATTACH' ? `ATTACH '${other}' AS store` : `VACUUM INTO '${other}'`
    const far = sqliteConnector(join(grounds.parent, 'app.db'))
    const run = await runTask(statement('sqlite').replace(/"UPDATE.*"/, JSON.stringify(sql)), { far })
    expect(run.error?.code).toBe('SQL_NOT_ALLOWED')
    expect(grounds.content()).toBe(before)
  })
})

describe('what is not a data folder that this process was told of', () => {
  it('the data folder of another Headgate is known by what it holds', async () => {
    protect([])
    const run = await runTask(statement('sqlite'), { far: sqliteConnector(join(grounds.data, 'headgate.db')) })
    expect(run.error?.code).toBe('PATH_PROTECTED')
  })

  it('no file becomes the mark of a data folder', async () => {
    const folder = temporaryFolder()
    for (const name of ['headgate.db', 'Headgate.DB', 'sub/../headgate.db']) {
      const path = join(folder, name)
      expect((await runTask(statement('sqlite'), { far: sqliteConnector(path) })).error?.code).toBe('PATH_PROTECTED')
      const file = writing('file', `file: {path: ${name}, format: csv}`)
      expect((await runTask(file, { far: fileConnector(folder) })).status).toBe('failed')
    }
    expect(readdirSync(folder)).toEqual([])
  })

  it('a data folder that is a link is protected where it really is', async () => {
    const link = join(grounds.parent, 'linked-data')
    symlinkSync(grounds.data, link)
    rmSync(join(grounds.data, 'lock.db'))
    protect(ownPlaces([link]))
    const run = await runTask(statement('sqlite'), { far: sqliteConnector(join(grounds.data, 'headgate.db')) })
    expect(run.error?.code).toBe('PATH_PROTECTED')
  })

  it('a folder of the same path on another machine is an ordinary one', async () => {
    const files = join(grounds.parent, 'files')
    protect([{ path: files, id: '1:1' }])
    const run = await runTask(writing('file', 'file: {path: a.csv}'), { far: fileConnector(files) })
    expect(run.status).toBe('success')
  })

  it('a folder of backups elsewhere', async () => {
    const files = join(grounds.parent, 'files')
    protect(ownPlaces([grounds.data, files]))
    const run = await runTask(writing('file', 'file: {path: a.csv}'), { far: fileConnector(files) })
    expect(run.error?.code).toBe('PATH_PROTECTED')
  })

  it('files of other runs', async () => {
    const folder = join(tmpdir(), `headgate-executor-${process.pid}-test`)
    mkdirSync(join(folder, 'run-workers'), { recursive: true })
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const run = await runTask(writing('file', 'file: {path: a.csv}'), {
      far: fileConnector(join(folder, 'run-workers')),
    })
    expect(run.error?.code).toBe('PATH_PROTECTED')
  })

  it.runIf(process.platform === 'linux')('environments and open files of processes', async () => {
    const descriptor = openSync(join(grounds.data, 'secret.key'), 'r')
    onTestFinished(() => closeSync(descriptor))
    for (const [root, glob] of [
      ['/proc', `${process.pid}/environ`],
      [`/proc/${process.pid}`, 'environ'],
      ['/', `proc/${process.pid}/environ`],
      ['/', `proc/${process.pid}/fd/${descriptor}`],
      ['/', `dev/fd/${descriptor}`],
    ] as const) {
      const run = await runTask(reading('file', `files: {glob: "${glob}", format: csv}`), {
        far: fileConnector(root),
        out: fileConnector(temporaryFolder()),
      })
      expect([root, glob, run.error?.code]).toEqual([root, glob, 'PATH_PROTECTED'])
    }
  })

  it('a folder that is mounted a second time', async (context) => {
    const mounted = join(grounds.parent, 'mounted')
    mkdirSync(mounted)
    try {
      execFileSync('mount', ['--bind', grounds.data, mounted], { stdio: 'ignore' })
    } catch {
      return context.skip('this user may not mount')
    }
    rmSync(join(grounds.data, 'lock.db'))
    const run = await runTask(statement('sqlite'), { far: sqliteConnector(join(mounted, 'headgate.db')) })
    execFileSync('umount', [mounted])
    expect(run.error?.code).toBe('PATH_PROTECTED')
  })
})

describe('a link that changes between the look and the opening', () => {
  it('is noticed by what was opened, before any statement', () => {
    const path = join(grounds.parent, 'files', 'swapped.db')
    const fine = join(grounds.parent, 'fine.db')
    new Database(fine).exec('CREATE TABLE t (a)').close()
    symlinkSync(fine, path)
    const lookAgain = watchOpening([path], 'app')
    swap(path, join(grounds.data, 'headgate.db'))
    const database = new Database(path)
    onTestFinished(() => void database.close())
    expect(lookAgain).toThrow(/Headgate’s own files/)
  })

  it.skipIf(process.platform === 'win32')('is noticed also when it is as before by then', () => {
    const path = join(grounds.parent, 'files', 'swapped.db')
    const fine = join(grounds.parent, 'fine.db')
    new Database(fine).exec('CREATE TABLE t (a)').close()
    symlinkSync(fine, path)
    const lookAgain = watchOpening([path], 'app')
    swap(path, join(grounds.data, 'headgate.db'))
    const database = new Database(path)
    onTestFinished(() => void database.close())
    swap(path, fine)
    expect(lookAgain).toThrow(/Headgate’s own files/)
  })

  it('a file that was listed is not opened as another one', async () => {
    const { parent } = grounds
    const store = await openFileStore(fileConnector(parent), { ...io(), log: () => undefined })
    const found = (await store.find('top.csv'))!
    unlinkSync(join(parent, 'top.csv'))
    symlinkSync(join(grounds.data, 'inner.csv'), join(parent, 'top.csv'))
    await expect(store.open([found], null)).rejects.toThrow(/Headgate’s own files/)
  })

  it('a file is not put into a folder that has become a link', async () => {
    const { parent } = grounds
    const store = await openFileStore(fileConnector(parent), { ...io(), log: () => undefined })
    const file = await store.write('files/deep/config.yaml')
    writeFileSync(file.local, 'bad')
    renameSync(join(parent, 'files/deep'), join(parent, 'files/was'))
    symlinkSync(grounds.data, join(parent, 'files/deep'))
    await expect(file.commit()).rejects.toThrow(/Headgate’s own files/)
    expect(grounds.content()).toBe(before)
  })
})

function swap(link: string, target: string): void {
  unlinkSync(link)
  symlinkSync(target, link)
}
