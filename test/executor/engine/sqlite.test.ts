import Database from 'better-sqlite3'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  fileConnector,
  flow,
  runTask,
  sqliteConnector,
  temporaryFolder,
  vegaData,
  type RunOptions,
} from './run-task.ts'

interface Db {
  path: string
  exec(sql: string): void
  all(sql: string): unknown[]
}
function database(setUp = ''): Db {
  const path = join(temporaryFolder(), 'app.db')
  const open = <T>(work: (db: Database.Database) => T): T => {
    const db = new Database(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  if (setUp !== '') open((db) => db.exec(setUp))
  return {
    path,
    exec: (sql) => void open((db) => db.exec(sql)),
    all: (sql) => open((db) => db.prepare(sql).safeIntegers().all()),
  }
}

function write(db: Db, rows: string, target: string, options: RunOptions & { steps?: string; columns?: string } = {}) {
  return runTask(
    `etl: 1
kind: pipeline
name: write
connectors: {db: {type: sqlite, access: write}}
source: {inline: {rows: ${rows}${options.columns ? `, columns: ${options.columns}` : ''}}}
steps: ${options.steps ?? '[]'}
target: {connector: db, table: t, ${target}}
`,
    { db: sqliteConnector(db.path) },
    options,
  )
}

describe('writing', () => {
  it('makes the table with types that mean what was written, exactly', async () => {
    const db = database()
    const run = await write(
      db,
      '[{i: "9007199254740993", d: "12.340", b: true, day: "2024-02-29", at: "2024-01-01T10:00:00+02:00", bytes: "hé", j: {a: [1]}, n: 1.5, none: null}]',
      'mode: append',
      { columns: '{i: integer, d: "decimal(18,3)", day: date, at: datetime, bytes: binary, j: json, none: string}' },
    )
    expect(run.error).toBeUndefined()
    expect(db.all('SELECT * FROM t')).toEqual([
      {
        i: 9007199254740993n,
        d: 12.34,
        b: 1n,
        day: '2024-02-29',
        at: '2024-01-01T08:00:00',
        bytes: Buffer.from('hé'),
        j: '{"a":[1]}',
        n: 1.5,
        none: null,
      },
    ])
    expect(
      db.all("SELECT name, type FROM pragma_table_info('t')").map((row) => Object.values(row as object).join(' ')),
    ).toEqual([
      'i INTEGER',
      'd DECIMAL(18,3)',
      'b BOOLEAN',
      'day DATE',
      'at TIMESTAMP',
      'bytes BLOB',
      'j JSON_TEXT',
      'n REAL',
      'none TEXT',
    ])
    // …and it comes back as the same types.
    const out = temporaryFolder()
    const back = await runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite, access: read}, out: {type: file, access: write}}
source: {connector: db, sql: {table: t}}
target: {connector: out, file: {path: o.parquet}}
`,
      { db: sqliteConnector(db.path), out: fileConnector(out) },
    )
    expect(back.error).toBeUndefined()
    expect(back.steps[0]?.columns.map((column) => column.type)).toEqual([
      'BIGINT',
      'DECIMAL(18,3)',
      'BOOLEAN',
      'DATE',
      'TIMESTAMP',
      'BLOB',
      'JSON',
      'DOUBLE',
      'VARCHAR',
    ])
  })

  it('an upsert run twice changes nothing the second time', async () => {
    const db = database()
    const yaml = `etl: 1
kind: pipeline
name: weather
connectors: {in: {type: file, access: read}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: seattle-weather.csv}}
target: {connector: db, table: weather, mode: upsert, key: [date]}
`
    const bound = { in: fileConnector(vegaData), db: sqliteConnector(db.path) }
    const first = await runTask(yaml, bound)
    expect(first).toMatchObject({ status: 'success', item_count: 1461 })
    db.exec("UPDATE weather SET wind = 0 WHERE date < '2012-01-04'; DELETE FROM weather WHERE date >= '2015-12-20'")
    const second = await runTask(yaml, bound)
    expect(second).toMatchObject({ status: 'success', item_count: 15 })
    expect(second.log.map((line) => line.message)).toContain(
      'Upserted 1,461 rows into weather: 12 inserted, 3 updated, 1,446 unchanged',
    )
    const third = await runTask(yaml, bound)
    expect(third).toMatchObject({ status: 'success', item_count: 0, reject_count: 0 })
    expect(flow(third)).toBe('source 1461→1461 | target 1461→1461')
  })

  it('an upsert takes the last of rows with one key, and rejects rows without one', async () => {
    const db = database('CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)')
    const rows = '[{id: 1, v: a}, {id: 2, v: b}, {id: 1, v: c}, {id: null, v: d}]'
    const run = await write(db, rows, 'mode: upsert, key: [id]')
    expect(run).toMatchObject({ status: 'completed', item_count: 2, reject_count: 1 })
    expect(run.rejects).toMatchObject([
      { step: 'target', reason: 'key column `id` is NULL', row: { id: null, v: 'd' } },
    ])
    expect(db.all('SELECT * FROM t')).toEqual([
      { id: 1n, v: 'c' },
      { id: 2n, v: 'b' },
    ])
    expect(await write(db, rows, 'mode: upsert, key: [id]')).toMatchObject({ item_count: 0 })
  })

  it.each([
    ['REAL', '9007199254740993', '9007199254740992'],
    ['DECIMAL(20,4)', '1234567890123456.7812::DECIMAL(20,4)', '123456.7812::DECIMAL(20,4)'],
    ['NUMERIC', '12345678901234567890::DECIMAL(38,0)', '1234567890123456789::DECIMAL(38,0)'],
  ])('a column %s refuses what SQLite would round: %s', async (type, refused, taken) => {
    const db = database(`CREATE TABLE t (a ${type})`)
    const append = (value: string) =>
      write(db, '[{x: 1}]', 'mode: append', { steps: `[{sql: "SELECT ${value} AS a FROM stream"}]` })
    const run = await append(refused)
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
    expect((await append(taken)).error).toBeUndefined()
    expect(db.all(`SELECT count(*) AS n FROM t WHERE a = ${taken.split('::')[0]}`)).toEqual([{ n: 1n }])
  })

  it('copies no integers into a column that would round them', async () => {
    const db = database(
      'CREATE TABLE s (a INTEGER); INSERT INTO s VALUES (9007199254740993); CREATE TABLE t (a DOUBLE)',
    )
    const run = await runTask(
      `etl: 1
kind: pipeline
name: copy
connectors: {db: {type: sqlite, access: read_write}}
source: {connector: db, sql: {table: s}}
target: {connector: db, table: t, mode: append}
`,
      { db: sqliteConnector(db.path) },
    )
    expect(run.error?.message).toContain('cannot hold 9007199254740993')
  })

  it('keeps the order of rows whose own column is called `rowid`', async () => {
    const db = database('CREATE TABLE t (k INTEGER PRIMARY KEY, rowid INTEGER, v TEXT)')
    const rows = '[{rowid: 9, k: 1, v: first}, {rowid: 3, k: 1, v: last}]'
    await write(db, rows, 'mode: upsert, key: [k]')
    expect(db.all('SELECT k, v FROM t')).toEqual([{ k: 1n, v: 'last' }])
    db.exec(`CREATE TABLE s (rowid INTEGER, v TEXT); INSERT INTO s VALUES (9, 'first'), (3, 'last')`)
    const copied = await runTask(
      `etl: 1
kind: pipeline
name: copy
connectors: {db: {type: sqlite, access: read_write}}
source: {connector: db, sql: {table: s}}
target: {connector: db, table: made, mode: append}
`,
      { db: sqliteConnector(db.path) },
    )
    expect(copied.metrics.lane).toBe('pushdown')
    expect(db.all('SELECT v FROM made')).toEqual([{ v: 'first' }, { v: 'last' }])
  })

  it('an upsert needs a unique index, and says which', async () => {
    const db = database('CREATE TABLE t (id INTEGER, v TEXT)')
    const run = await write(db, '[{id: 1, v: a}]', 'mode: upsert, key: [id]')
    expect(run.error).toMatchObject({ code: 'KEY_NOT_UNIQUE', step: 'target' })
    expect(run.error?.hint).toContain('CREATE UNIQUE INDEX "t_key" ON "t" ("id")')
  })

  it('replaces all or nothing, and keeps the table’s indexes', async () => {
    const db = database(
      "CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT CHECK (v <> 'bad')); CREATE INDEX tv ON t(v); INSERT INTO t VALUES (7, 'old')",
    )
    const failed = await write(db, '[{id: 1, v: a}, {id: 2, v: bad}]', 'mode: replace')
    expect(failed.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target', retryable: false })
    expect(failed.error?.message).toMatch(/^Row 2: CHECK constraint failed.*\(table t, id = 2, v = bad\)$/)
    // An upsert would meet the same check.
    expect(failed.error?.hint).toBe('Reject such rows before the target with an `expect` step (`on_fail: quarantine`).')
    expect(db.all('SELECT * FROM t')).toEqual([{ id: 7n, v: 'old' }])
    expect(await write(db, '[{id: 1, v: a}]', 'mode: replace')).toMatchObject({ status: 'success', item_count: 1 })
    expect(db.all('SELECT * FROM t')).toEqual([{ id: 1n, v: 'a' }])
    expect(db.all("SELECT name FROM sqlite_schema WHERE type = 'index'")).toEqual([{ name: 'tv' }])
  })

  it('follows the schema policy for columns', async () => {
    const make = () => database('CREATE TABLE t (id INTEGER, v TEXT)')
    const rows = '[{id: 1, v: a, extra: 2}]'
    const frozen = await write(make(), rows, 'mode: append, schema: {columns: freeze}')
    expect(frozen.error).toMatchObject({ code: 'SCHEMA_MISMATCH', message: 'Table t has no column `extra`' })
    const evolved = make()
    expect(await write(evolved, rows, 'mode: append, schema: {columns: evolve}')).toMatchObject({ status: 'success' })
    expect(evolved.all('SELECT * FROM t')).toEqual([{ id: 1n, v: 'a', extra: 2n }])
    const discarded = make()
    expect(await write(discarded, rows, 'mode: append, schema: {columns: discard}')).toMatchObject({
      status: 'success',
    })
    expect(discarded.all('SELECT * FROM t')).toEqual([{ id: 1n, v: 'a' }])
  })

  it('follows the schema policy for types', async () => {
    const make = () => database('CREATE TABLE t (id INTEGER)')
    const frozen = await write(make(), '[{id: one}]', 'mode: append, schema: {types: freeze}')
    expect(frozen.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: 'Column `id` of t is INTEGER; the task gives VARCHAR',
    })
    const widened = make()
    expect(await write(widened, '[{id: 1.5}]', 'mode: append, schema: {types: widen}')).toMatchObject({
      status: 'success',
    })
    expect(widened.all('SELECT * FROM t')).toEqual([{ id: 1.5 }])
  })

  it('writes sums of integers as integers', async () => {
    const db = database()
    await write(db, '[{a: 1}, {a: 2}]', 'mode: append', { steps: '[{sql: "SELECT sum(a) AS total FROM stream"}]' })
    expect(db.all('SELECT total, typeof(total) AS type FROM t')).toEqual([{ total: 3n, type: 'integer' }])
  })

  it('writes many rows and columns across statements and chunks', async () => {
    const db = database()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: many
connectors: {in: {type: file, access: read}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: flights-200k.json}}
target: {connector: db, table: flights, mode: append}
`,
      { in: fileConnector(vegaData), db: sqliteConnector(db.path) },
    )
    const rows = JSON.parse(readFileSync(join(vegaData, 'flights-200k.json'), 'utf8')) as { distance: number }[]
    expect(run).toMatchObject({ status: 'success', item_count: rows.length })
    expect(db.all('SELECT count(*) AS n, sum(distance) AS d FROM flights')).toEqual([
      { n: BigInt(rows.length), d: BigInt(rows.reduce((sum, row) => sum + row.distance, 0)) },
    ])
  })

  it('waits for a lock, and goes on when it is released', async () => {
    const db = database('CREATE TABLE t (a INTEGER)')
    const other = new Database(db.path)
    other.exec('BEGIN IMMEDIATE')
    const running = write(db, '[{a: 1}]', 'mode: append')
    setTimeout(() => other.exec('COMMIT'), 300)
    expect(await running).toMatchObject({ status: 'success', item_count: 1 })
    other.close()
  })

  it('is stopped while it waits for a lock', async () => {
    const db = database('CREATE TABLE t (a INTEGER)')
    const other = new Database(db.path)
    other.exec('BEGIN IMMEDIATE')
    const abort = new AbortController()
    const running = write(db, '[{a: 1}]', 'mode: append', { signal: abort.signal })
    setTimeout(() => abort.abort(), 200)
    expect((await running).error?.code).toBe('CANCELLED')
    other.close()
  })

  it('refuses a read-only connector', async () => {
    const db = database('CREATE TABLE t (a INTEGER)')
    const run = await runTask(
      `etl: 1
kind: pipeline
name: ro
connectors: {db: {type: sqlite, access: write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: db, table: t, mode: append}
`,
      { db: sqliteConnector(db.path, { read_only: true }) },
    )
    expect(run.error).toMatchObject({ code: 'CONNECTOR_READ_ONLY', step: 'target' })
  })
})

describe('reading', () => {
  function read(db: Db, sql: string, options: RunOptions & { args?: string } = {}) {
    const out = temporaryFolder()
    return runTask(
      `etl: 1
kind: pipeline
name: read
connectors: {db: {type: sqlite, access: read}, out: {type: file, access: write}}
${options.args ?? ''}
source: {connector: db, sql: ${sql}}
target: {connector: out, file: {path: o.jsonl}}
`,
      { db: sqliteConnector(db.path), out: fileConnector(out) },
      options,
    ).then((run) => ({ run, text: run.status === 'failed' ? '' : readFileSync(join(out, 'o.jsonl'), 'utf8') }))
  }

  it('binds arguments', async () => {
    const db = database("CREATE TABLE t (id INTEGER, v TEXT); INSERT INTO t VALUES (1, 'a'), (2, 'it''s'), (3, 'c')")
    const { run, text } = await read(db, `{query: "SELECT id FROM t WHERE v = :v OR id > :least"}`, {
      args: 'args: {v: {type: string}, least: {type: integer}}',
      arguments: { v: "it's", least: 2 },
    })
    expect(run.error).toBeUndefined()
    expect(text).toBe('{"id":2}\n{"id":3}\n')
  })

  it('reads values as they are stored, whatever the column says', async () => {
    const db = database(
      "CREATE TABLE t (a INTEGER, d DATE); INSERT INTO t VALUES (1, '2024-01-01'), ('two', 'never'), (2.5, NULL)",
    )
    const { run, text } = await read(db, '{table: t}')
    expect(run.error).toBeUndefined()
    expect(text.split('\n')[1]).toBe('{"a":"two","d":"never"}')
    expect(run.log.find((line) => line.level === 'warn')?.message).toContain(
      'Column `d`, 1 value: declared as DATE, read as VARCHAR (such as never)',
    )
  })

  it('never rounds an integer that stands beside numbers', async () => {
    const db = database('CREATE TABLE t (a ANY); INSERT INTO t VALUES (9007199254740993), (2.5)')
    expect((await read(db, '{table: t}')).text).toBe('{"a":"9007199254740993"}\n{"a":"2.5"}\n')
    db.exec('DELETE FROM t; INSERT INTO t VALUES (2.5), (9007199254740993)')
    expect((await read(db, '{table: t}')).text).toBe('{"a":"2.5"}\n{"a":"9007199254740993"}\n')
  })

  it('takes an offset of a moment into account', async () => {
    const db = database(
      "CREATE TABLE t (at DATETIME); INSERT INTO t VALUES ('2024-01-01T10:00:00+02:00'), ('2024-01-01 10:00:00.5')",
    )
    const { run, text } = await read(db, '{table: t}')
    expect(run.error).toBeUndefined()
    expect(text).toBe('{"at":"2024-01-01 08:00:00"}\n{"at":"2024-01-01 10:00:00.5"}\n')
  })

  it('keeps a column as stored where its declared type would cut values', async () => {
    const db = database(
      `CREATE TABLE t (day DATE, price NUMERIC(10,2), exact DECIMAL_TEXT(10,2), flag BOOLEAN);
       INSERT INTO t VALUES ('2024-01-01 12:34:56', 1.239, '1.239', 2)`,
    )
    const { run, text } = await read(db, '{table: t}')
    expect(run.error).toBeUndefined()
    expect(text).toBe('{"day":"2024-01-01 12:34:56","price":1.239,"exact":"1.239","flag":2}\n')
    expect(run.log.filter((line) => line.level === 'warn')).toHaveLength(4)
  })

  it('gives a column its declared type where that loses nothing', async () => {
    const db = database(
      `CREATE TABLE t (day DATE, price NUMERIC(10,2), exact DECIMAL_TEXT(20,3), flag BOOLEAN);
       INSERT INTO t VALUES ('2024-01-01', 1.24, '12345678901234567.890', 1), (NULL, 7, '0.1000', 0)`,
    )
    const { run } = await read(db, '{table: t}')
    expect(run.error).toBeUndefined()
    expect(run.steps[0]?.columns.map((column) => column.type)).toEqual([
      'DATE',
      'DECIMAL(10,2)',
      'DECIMAL(20,3)',
      'BOOLEAN',
    ])
  })

  it.each([
    ['{query: "SELECT * FROM gone"}', 'TABLE_NOT_FOUND'],
    ['{table: t, columns: [nope]}', 'COLUMN_NOT_FOUND'],
    ['{query: "SELEC 1"}', 'SQL_INVALID'],
    ['{query: "DELETE FROM t"}', 'SQL_NOT_ALLOWED'],
    ['{query: "PRAGMA user_version = 3"}', 'SQL_NOT_ALLOWED'],
    ['{query: "SELECT 1 AS a, 2 AS A"}', 'COLUMN_DUPLICATE'],
  ])('%s is %s', async (sql, code) => {
    const { run } = await read(database('CREATE TABLE t (a INTEGER)'), sql)
    expect([code, 'TASK_INVALID']).toContain(run.error?.code)
    expect(run.error?.retryable).toBe(false)
  })

  it('says that the database does not exist', async () => {
    const { run } = await read({ ...database(), path: join(temporaryFolder(), 'none.db') }, '{table: t}')
    expect(run.error?.code).toBe('DATABASE_NOT_FOUND')
  })
})
