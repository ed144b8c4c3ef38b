import Database from 'better-sqlite3'
import { closeSync, existsSync, linkSync, mkdirSync, openSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunOutcome } from '../../src/executor/worker-protocol.ts'
import type { TaskPreview } from '../../src/contract/task-preview.ts'
import { folderWith, headgate } from './command.ts'

const people = 'id,name,born\n1,Ada,1815\n2,Grace,1906\n3,,1912\n'
const task = `etl: 1
kind: pipeline
name: people
connectors:
  in: {type: file, access: read}
  out: {types: [file, s3], access: write}
args:
  before: {type: integer, default: 3000}
source: {connector: in, files: {glob: people.csv}}
steps:
  - filter: {where: "born < :before"}
  - expect: [{name: named, check: "name IS NOT NULL", on_fail: quarantine}]
target: {connector: out, file: {path: out/people.jsonl}}
outputs: {rows: "\${{ run.item_count }}", before: "\${{ args.before }}"}
`
const connectors = `in: {type: file, config: {root: .}}
out: {type: file, config: {root: .}}
`

describe('headgate run', () => {
  it('runs a task without a server: log to standard error, result to standard output', async () => {
    const folder = folderWith({ 'people.csv': people, 't.yaml': task, 'c.yaml': connectors })
    const { code, out, err } = await headgate(folder, [
      'run',
      't.yaml',
      '--connectors',
      'c.yaml',
      '--arg',
      'before=1910',
    ])
    expect(err).toMatch(/^\d\d:\d\d:\d\d\.\d{3} info {2}Task people/m)
    expect(out).toMatch(/^succeeded, 2 rows, \d+\.\d\d s\nrows = 2\nbefore = 1910\n$/)
    expect(code).toBe(0)
    expect(readFileSync(join(folder, 'out/people.jsonl'), 'utf8')).toBe(
      '{"id":1,"name":"Ada","born":1815}\n{"id":2,"name":"Grace","born":1906}\n',
    )
  })

  it('gives the outcome as JSON, and rejects as a file', async () => {
    const folder = folderWith({ 'people.csv': people, 't.yaml': task, 'c.yaml': connectors })
    const args = ['run', 't.yaml', '--connectors', 'c.yaml', '--json', '--rejects', 'rejects.jsonl']
    const { code, out } = await headgate(folder, args)
    expect(code).toBe(0)
    expect(JSON.parse(out) as RunOutcome).toMatchObject({
      status: 'completed',
      item_count: 2,
      reject_count: 1,
      outputs: { rows: 2, before: 3000 },
    })
    expect(JSON.parse(readFileSync(join(folder, 'rejects.jsonl'), 'utf8'))).toMatchObject({
      row: { id: 3, name: null },
    })
  })

  it('writes every rejected row into the file of --rejects, however many there are', async () => {
    const rows = 150_000
    const broken = people.replace('\n', `\n${'4,Nobody\n'.repeat(rows)}`)
    const yaml = task.replace('{glob: people.csv}', '{glob: people.csv, on_error: quarantine}')
    const folder = folderWith({ 'people.csv': broken, 't.yaml': yaml, 'c.yaml': connectors })
    const args = ['run', 't.yaml', '--connectors', 'c.yaml']
    const kept = await headgate(folder, [...args, '--json', '--rejects', 'rejects.jsonl'])
    expect(kept.code).toBe(0)
    expect(JSON.parse(kept.out) as RunOutcome).toMatchObject({ status: 'completed', reject_count: rows + 1 })
    const lines = readFileSync(join(folder, 'rejects.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines.slice(0, -1).map((line) => (JSON.parse(line) as { row: { line: number } }).row.line)).toEqual(
      Array.from({ length: rows }, (_, at) => at + 2),
    )
    expect(kept.err).not.toContain('only counted')
    const shown = await headgate(folder, args)
    expect(shown.err).toContain(`${rows - 9} more rows were rejected. Use --rejects FILE to save all of them.`)
  })

  it('ends with 1 when the run fails, and says what, where and what to do', async () => {
    const folder = folderWith({ 't.yaml': task, 'c.yaml': connectors })
    const { code, out } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(1)
    expect(out).toMatch(/^failed, \d/)
    expect(out).toContain('FILE_NOT_FOUND in source: ')
  })

  it('a task with errors does not run', async () => {
    const folder = folderWith({ 't.yaml': task.replace('name: people', 'nme: people'), 'c.yaml': connectors })
    const { code, err } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(1)
    expect(err).toContain('t.yaml:3:1: error unknown_key')
  })

  it('tells before the start what is missing or wrong on the command line', async () => {
    const folder = folderWith({ 't.yaml': task, 'c.yaml': 'in: {type: file, config: {root: .}}\n' })
    const unbound = await headgate(folder, ['run', 't.yaml'])
    expect(unbound).toMatchObject({ code: 2, out: '' })
    expect(unbound.err).toContain('`in` (file), `out` (file or s3). Pass a file with --connectors.')
    const half = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(half.err).toBe('headgate: c.yaml has no connectors for `out` (file or s3)\n')
    writeFileSync(join(folder, 'c.yaml'), connectors)
    const wrong = await headgate(folder, [
      'run',
      't.yaml',
      '--connectors',
      'c.yaml',
      '--arg',
      'before=soon',
      '--arg',
      'bfore=1',
    ])
    expect(wrong.code).toBe(2)
    expect(wrong.err).toContain('--arg before: ')
    expect(wrong.err).toContain('--arg bfore: There is no argument `bfore`. Did you mean `before`?')
  })

  it('tells every mistake of the connectors file with its place', async () => {
    const folder = folderWith({
      't.yaml': task,
      'c.yaml': `in: {type: fil, config: {root: .}}
out:
  type: file
  config: {rot: .}
  secret: {}
db: {type: postgres, config: {host: h, database: d, user: u}, secrets: {password: swordfish}}
`,
    })
    const { code, err, out } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml', '--json'])
    expect(code).toBe(1)
    expect(err).toContain('c.yaml:1:12: error not_one_of: Unknown connector type `fil`.\n  Did you mean `file`?')
    expect(err).toContain(
      'c.yaml:4:12: error unknown_key: `rot` of a file connector is not a known field; did you mean root?',
    )
    expect(err).toContain('c.yaml:5:3: error unknown_key: `secret` is not a key of a connector.')
    expect(err).toContain(
      'c.yaml:6:83: error invalid_value: The secret `password` must be the name of an environment variable.',
    )
    expect(err).not.toContain('swordfish')
    expect(JSON.parse(out)).toMatchObject([{ file: 'c.yaml', valid: false }])
  })

  it('takes secrets from the environment, and never shows them', async () => {
    const folder = folderWith({
      't.yaml': `etl: 1
kind: pipeline
name: t
connectors: {db: {type: postgres, access: write}}
source: {inline: {rows: [{id: 1}]}}
target: {connector: db, table: t}
`,
      'c.yaml':
        'db: {type: postgres, config: {host: 127.0.0.1, port: 1, database: canary-4711, user: u}, secrets: {password: {env: APP_PASSWORD}}}\n',
    })
    const unset = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(unset.code).toBe(1)
    expect(unset.err).toContain('The environment variable `APP_PASSWORD` is not set.')
    const set = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'], {
      env: { APP_PASSWORD: 'canary-4711' },
    })
    expect(set.code).toBe(1)
    expect(set.out).toContain('CONNECTION_FAILED in target')
    // The database's name is made the same as the password, and is gone from what is told.
    expect(set.out + set.err).not.toContain('canary-4711')
  })

  it('a slot takes connectors of its types only', async () => {
    const folder = folderWith({
      't.yaml': task,
      'c.yaml': 'in: {type: sqlite, config: {path: a.db}}\nout: {type: sqlite, config: {path: a.db}}\n',
    })
    const { code, err } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(1)
    expect(err).toContain('c.yaml:1:12: error slot_type: The task’s slot accepts file, not sqlite.')
  })

  it('keeps how far an incremental task has got', async () => {
    const folder = folderWith({
      't.yaml': `etl: 1
kind: pipeline
name: incremental
connectors: {db: {type: sqlite, access: read}, out: {type: file, access: write}}
state: {cursor: {field: id, type: integer, initial: 0}}
source: {connector: db, sql: {query: "SELECT id FROM t WHERE id >= :cursor ORDER BY id", params: {cursor: "\${{ state.cursor }}"}}}
target: {connector: out, file: {path: o.csv}}
`,
      'fill.yaml': `etl: 1
kind: pipeline
name: fill
connectors: {db: {type: sqlite, access: write}}
args: {id: {type: integer, required: true}}
source: {inline: {rows: [{id: "\${{ args.id }}"}], columns: {id: integer}}}
target: {connector: db, table: t}
`,
      'c.yaml': 'db: {type: sqlite, config: {path: t.db}}\nout: {type: file, config: {root: .}}\n',
    })
    const go = (file: string, ...more: string[]) => headgate(folder, ['run', file, '--connectors', 'c.yaml', ...more])
    const read = async (...more: string[]): Promise<string> => {
      const { code, err } = await go('t.yaml', '--state', 'state.json', ...more)
      expect([code, err]).toEqual([0, expect.anything()])
      return readFileSync(join(folder, 'o.csv'), 'utf8').trim().split('\n').slice(1).join(',')
    }
    for (const id of [1, 2]) expect((await go('fill.yaml', '--arg', `id=${id}`)).code).toBe(0)
    expect(await read()).toBe('1,2')
    expect((await go('fill.yaml', '--arg', 'id=3')).code).toBe(0)
    expect(await read()).toBe('2,3')
    expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject({
      headgate_state: 1,
      tasks: { incremental: { state: { cursor: 3 } } },
    })
    expect(await read('--full-refresh')).toBe('1,2,3')
    const without = await go('t.yaml')
    expect(without.err).toContain('Without --state')
    writeFileSync(join(folder, 'state.json'), 'nonsense')
    expect(await go('t.yaml', '--state', 'state.json')).toMatchObject({ code: 2 })
  })

  const endless = `etl: 1
kind: pipeline
name: endless
timeout: 10m
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{n: 1}]}}
steps:
  - sql: SELECT sum(a.range * b.range) AS n FROM stream, range(10000000) a, range(10000000) b
target: {connector: out, file: {path: o.csv}}
`
  const outOnly = 'out: {type: file, config: {root: .}}\n'

  it('Ctrl-C stops it cleanly, and ends with 130', async () => {
    const folder = folderWith({ 't.yaml': endless, 'c.yaml': outOnly })
    const { code, out, pid } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'], {
      interrupt: { when: 'Task endless', signal: 'SIGINT' },
    })
    expect(code).toBe(130)
    expect(out).toContain('CANCELLED')
    expect(existsSync(join(folder, 'o.csv'))).toBe(false)
    expect(readdirSync(folder).toSorted()).toEqual(['c.yaml', 't.yaml'])
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith(`headgate-cli-${pid}-`))).toEqual([])
  })

  it('ends at the task’s time limit', async () => {
    const folder = folderWith({ 't.yaml': endless.replace('10m', '300ms'), 'c.yaml': outOnly })
    const { code, out } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(1)
    expect(out).toContain('TIMEOUT')
    expect(out).toContain('time limit of 0.3 s')
  })

  it('tries again as often as the task allows', async () => {
    const folder = folderWith({
      't.yaml': task.replace('args:', 'retries: {max: 2, delay: 10ms}\nargs:'),
      'c.yaml': connectors,
    })
    const { code, err } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(1)
    expect(err).toContain('Attempt 2 failed')
    expect(err).not.toContain('Attempt 3 failed')
    expect(err).toContain('attempt 3')
  })
})

describe('headgate preview', () => {
  const files = { 'people.csv': people, 't.yaml': task, 'c.yaml': 'in: {type: file, config: {root: .}}\n' }

  it('shows the rows after the last step as a table, and opens no target', async () => {
    const folder = folderWith(files)
    const { code, out, err } = await headgate(folder, ['preview', 't.yaml', '--connectors', 'c.yaml'])
    expect(out).toBe('id  name   born\n──  ─────  ────\n 1  Ada    1815\n 2  Grace  1906\n')
    expect(err).toContain('2 expect: expect named: 2 rows, 1 rejected')
    expect(err).toContain('"id":3')
    expect(code).toBe(0)
    expect(readdirSync(folder).toSorted()).toEqual(['c.yaml', 'people.csv', 't.yaml'])
  })

  it('shows an earlier step, fewer rows, or everything as JSON', async () => {
    const folder = folderWith(files)
    const source = await headgate(folder, [
      'preview',
      't.yaml',
      '--connectors',
      'c.yaml',
      '--step',
      '0',
      '--limit',
      '1',
    ])
    expect(source.out).toBe('id  name  born\n──  ────  ────\n 1  Ada   1815\n')
    const { out } = await headgate(folder, ['preview', 't.yaml', '--connectors', 'c.yaml', '--json'])
    expect((JSON.parse(out) as TaskPreview).stages.map(({ key, row_count }) => `${key} ${row_count}`)).toEqual([
      'source 3',
      'filter 3',
      'expect 2',
    ])
  })

  it('says which columns of the rows and of the target’s table differ, and what becomes of them', async () => {
    const yaml = `etl: 1
kind: pipeline
name: drift
connectors: {db: {type: sqlite, access: write}}
source: {inline: {rows: [{id: 1, amount: many, note: new}]}}
target: {connector: db, table: t, mode: replace}
`
    const folder = folderWith({ 't.yaml': yaml, 'c.yaml': 'db: {type: sqlite, config: {path: app.db}}\n' })
    const db = new Database(join(folder, 'app.db'))
    db.exec('CREATE TABLE t (id INTEGER, amount INTEGER, gone TEXT)')
    db.close()
    const { code, err } = await headgate(folder, ['preview', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(0)
    expect(err.split('\n').filter((line) => line.startsWith('target: '))).toEqual([
      'target: Column `amount`, INTEGER in the table, TEXT in the rows: fails the run',
      'target: Column `note`, not in the table, TEXT in the rows: added',
      'target: Column `gone`, TEXT in the table, not in the rows: not written',
    ])
  })

  it('refuses a step that the task does not have', async () => {
    const folder = folderWith(files)
    const { code, out, err } = await headgate(folder, ['preview', 't.yaml', '--connectors', 'c.yaml', '--step', '3'])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain('--step 3 doesn’t exist: the last step of the task is 2')
  })

  it('ends with 1 where a stage fails, and shows the rows before it', async () => {
    const folder = folderWith({ ...files, 't.yaml': task.replace('born < :before', 'brn < :before') })
    const { code, out, err } = await headgate(folder, ['preview', 't.yaml', '--connectors', 'c.yaml'])
    expect(code).toBe(1)
    expect(err).toContain('brn')
    expect(out).toContain('Ada')
    const unbound = await headgate(folder, ['preview', 't.yaml'])
    expect(unbound.code).toBe(1)
    expect(unbound.err).toContain('`in`')
  })
})

describe('beside a server', () => {
  const write = `etl: 1
kind: pipeline
name: write
connectors: {far: {type: file, access: read_write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: far, file: {path: data/config.yaml, format: csv}}
`
  const read = write.replace(
    '{inline: {rows: [{a: 1}]}}',
    '{connector: far, files: {glob: data/secret.key, format: csv}}',
  )
  const rise = `etl: 1
kind: sql
name: rise
connectors: {far: {type: sqlite, access: write}}
sql: {connector: far, statements: ["CREATE TABLE t (a)"]}
`

  it.runIf(process.platform === 'linux').each([
    ['SQLite', rise, '{type: sqlite, config: {path: other/hard.db}}'],
    ['a file', write.replace('data/config.yaml', 'hard.csv'), '{type: file, config: {root: other}}'],
    ['a file that is read', read.replace('data/secret.key', 'hard.csv'), '{type: file, config: {root: other}}'],
  ])(
    'knows a hard link into the data folder of a server that it was not told of: %s',
    async (_name, yaml, connector) => {
      const folder = folderWith({ 't.yaml': yaml, 'c.yaml': `far: ${connector}\n` })
      for (const name of ['data', 'other', 'default']) mkdirSync(join(folder, name))
      for (const name of ['headgate.db', 'lock.db', 'secret.key']) writeFileSync(join(folder, 'data', name), 'a\n1\n')
      linkSync(join(folder, 'data', 'headgate.db'), join(folder, 'other', 'hard.db'))
      linkSync(join(folder, 'data', 'secret.key'), join(folder, 'other', 'hard.csv'))
      // As the server does.
      const held = openSync(join(folder, 'data', 'headgate.db'), 'r')
      onTestFinished(() => closeSync(held))
      const env = { SVC_DATA_DIR: join(folder, 'default') }
      const { code, out, err } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml', '--json'], { env })
      expect([code, /PATH_PROTECTED/.test(out + err)]).toEqual([1, true])
      for (const name of ['headgate.db', 'secret.key'])
        expect(readFileSync(join(folder, 'data', name), 'utf8')).toBe('a\n1\n')
    },
  )

  it('a folder that the server of the data folder once used for backups is protected', async () => {
    const folder = folderWith({ 't.yaml': rise, 'c.yaml': 'far: {type: sqlite, config: {path: old/headgate.db}}\n' })
    for (const name of ['data', 'old']) mkdirSync(join(folder, name))
    writeFileSync(join(folder, 'old', 'headgate.db'), '')
    writeFileSync(join(folder, 'data', 'backup-folders.json'), JSON.stringify([join(folder, 'old')]))
    const env = { SVC_DATA_DIR: join(folder, 'data') }
    const { code, out, err } = await headgate(folder, ['run', 't.yaml', '--connectors', 'c.yaml', '--json'], { env })
    expect([code, /PATH_PROTECTED/.test(out + err)]).toEqual([1, true])
  })

  it.each([
    ['run', write, '{type: file, config: {root: .}}'],
    ['run', write.replace('data/config.yaml', 'config.yaml'), '{type: file, config: {root: data}}'],
    ['run', rise, '{type: sqlite, config: {path: data/headgate.db}}'],
    ['run', rise, '{type: sqlite, config: {path: other/hard.db}}'],
    ['preview', read, '{type: file, config: {root: .}}'],
  ])('%s keeps out of its data folder (%#)', async (command, yaml, connector) => {
    const folder = folderWith({ 't.yaml': yaml, 'c.yaml': `far: ${connector}\n` })
    for (const name of ['data', 'other']) mkdirSync(join(folder, name))
    for (const name of ['headgate.db', 'lock.db', 'secret.key']) writeFileSync(join(folder, 'data', name), '')
    linkSync(join(folder, 'data', 'headgate.db'), join(folder, 'other', 'hard.db'))
    const env = { SVC_DATA_DIR: join(folder, 'data') }
    const { code, out, err } = await headgate(folder, [command, 't.yaml', '--connectors', 'c.yaml', '--json'], { env })
    expect([code, /PATH_PROTECTED/.test(out + err)]).toEqual([1, true])
    expect(readdirSync(join(folder, 'data')).toSorted()).toEqual(['headgate.db', 'lock.db', 'secret.key'])
    expect(readFileSync(join(folder, 'data', 'headgate.db'), 'utf8')).toBe('')
  })
})
