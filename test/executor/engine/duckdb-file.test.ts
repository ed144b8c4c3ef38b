import Sqlite from 'better-sqlite3'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { duckdbConnector } from '../../../src/executor/connectors/duckdb/connector.ts'
import { prepareTask, readTask } from '../../../src/executor/engine/prepare-task.ts'
import { previewTask } from '../../../src/executor/engine/preview.ts'
import { duckFile, end, holdOpen, runElsewhere, type DuckFile } from './duckdb-fixture.ts'
import { fileConnector, flow, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

let db: DuckFile
beforeEach(() => {
  db = duckFile()
})

const head = `etl: 1
kind: pipeline
name: test
connectors: {db: {type: duckdb, access: read_write}, out: {type: file, access: write}}
`
const write = (rows: string, target: string, more = ''): string => `${head}source: {inline: {rows: ${rows}}}
${more}target: {connector: db, table: t, ${target}}
`
const put = (rows: string, target: string): Promise<FinishedRun> => runTask(write(rows, target), { db: db.bound })

/** The rows that a source gives, by way of a file. */
async function read(source: string, steps = ''): Promise<{ run: FinishedRun; rows: Record<string, unknown>[] }> {
  const folder = temporaryFolder()
  const run = await runTask(
    `${head}source: {connector: db, sql: {${source}}}\n${steps}target: {connector: out, file: {path: o.jsonl, format: jsonl}}\n`,
    { db: db.bound, out: fileConnector(folder) },
  )
  const path = join(folder, 'o.jsonl')
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
  return { run, rows: lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Record<string, unknown>) }
}

describe('a run that fails while it reads', () => {
  it.each(['the target refuses a row', 'it is canceled'])('lets go of its DuckDB file: %s', async (how) => {
    await db.sql('CREATE TABLE s AS SELECT i AS n FROM range(200000) AS r(i)')
    const path = join(temporaryFolder(), 'a.db')
    const target = new Sqlite(path)
    target.exec('CREATE TABLE t (n INTEGER CHECK (n <> 5))')
    target.close()
    const stopping = new AbortController()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: test
connectors: {db: {type: duckdb, access: read}, out: {type: sqlite, access: write}}
source: {connector: db, sql: {table: s}}
steps: [{derive: {more: "n + 1"}}, {drop: [more]}]
target: {connector: out, table: t, mode: append}
`,
      { db: db.bound, out: sqliteConnector(path) },
      how === 'it is canceled'
        ? {
            signal: stopping.signal,
            heard: (message) => void (message.startsWith('Reads') && setImmediate(() => stopping.abort())),
          }
        : {},
    )
    expect(run.error?.code).toBe(how === 'it is canceled' ? 'CANCELLED' : 'CONSTRAINT_VIOLATED')
    // Another program writes the file now.
    const free = await holdOpen(db.path)
    await free()
  })
})

describe('a table of a DuckDB file as target', () => {
  it('makes file and table, and leaves the file free for others', async () => {
    const run = await put('[{id: 1, s: é}, {id: 2, s: null}]', 'mode: append')
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: 2 })
    expect(await db.sql('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'é'],
      ['2', null],
    ])
    // Nothing is left beside it.
    expect(readdirSync(dirname(db.path))).toEqual(['warehouse.duckdb'])
  })

  it('inserts, updates and leaves alone by key; again changes nothing', async () => {
    await put('[{id: 1, s: a}, {id: 2, s: b}]', 'mode: upsert, key: [id]')
    const again = () => put('[{id: 2, s: c}, {id: 1, s: a}, {id: 3, s: null}]', 'mode: upsert, key: [id]')
    const first = await again()
    expect(first.log.map((line) => line.message)).toContain(
      'Upserted 3 rows into t: 1 inserted, 1 updated, 1 unchanged',
    )
    const second = await again()
    expect(second.item_count).toBe(0)
    expect(second.log.map((line) => line.message)).toContain(
      'Upserted 3 rows into t: 0 inserted, 0 updated, 3 unchanged',
    )
    expect(await db.sql('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', 'a'],
      ['2', 'c'],
      ['3', null],
    ])
  })

  it('updates columns that are lists or unique themselves', async () => {
    await db.sql(
      `CREATE TABLE t (id BIGINT PRIMARY KEY, u BIGINT UNIQUE, l BIGINT[]); INSERT INTO t VALUES (1, 1, [1]), (2, 2, [2])`,
    )
    const run = await runTask(
      write(
        '[{id: 1, u: 9, l: [1, 2]}, {id: 2, u: 2, l: [2]}]',
        'mode: upsert, key: [id]',
        'steps: [{sql: "SELECT id, u, CAST(l AS BIGINT[]) AS l FROM stream"}]\n',
      ),
      { db: db.bound },
    )
    expect(run.error).toBeUndefined()
    expect(run.item_count).toBe(1)
    expect(await db.sql('SELECT u, l FROM t ORDER BY id')).toEqual([
      ['9', ['1', '2']],
      ['2', ['2']],
    ])
  })

  it('upserts by a unique index of any case, and refuses a key that is not unique', async () => {
    await db.sql(`CREATE TABLE t ("Id" BIGINT, "a b" BIGINT, n BIGINT); CREATE UNIQUE INDEX u ON t ("a b", "Id")`)
    const run = await put('[{id: 1, a b: 2, n: 3}]', 'mode: upsert, key: [id, a b]')
    expect(run.error).toBeUndefined()
    const refused = await put('[{id: 1, a b: 2, n: 3}]', 'mode: upsert, key: [id]')
    expect(refused.error?.code).toBe('KEY_NOT_UNIQUE')
  })

  it.each(["it's", 'back\\slash', 'a,b', `with "q"`, '[x]', `all'of,\\'"them`])(
    'upserts by a unique index of a column called %s, and shows the column under that name',
    async (column) => {
      const quoted = column.replaceAll('"', '""')
      await db.sql(`CREATE TABLE t (id BIGINT, "${quoted}" BIGINT); CREATE UNIQUE INDEX u ON t ("${quoted}", id)`)
      const run = await put(
        `[${JSON.stringify({ id: 1, [column]: 2 })}]`,
        `mode: upsert, key: ${JSON.stringify([column, 'id'])}`,
      )
      expect(run.error).toBeUndefined()
      const io = { signal: new AbortController().signal, tempDir: temporaryFolder() }
      expect((await duckdbConnector.getResource(db.bound, 't', io)).indexes).toEqual([
        { name: 'u', columns: [column, 'id'], unique: true },
      ])
    },
  )

  it('replaces all rows, also those of a table with a primary key', async () => {
    await db.sql('CREATE TABLE t (id BIGINT PRIMARY KEY, s VARCHAR); INSERT INTO t VALUES (1, $$a$$), (2, $$b$$)')
    const run = await put('[{id: 2, s: z}]', 'mode: replace')
    expect(run.log.map((line) => line.message)).toContain('Replaced the 2 rows of t with 1')
    expect(await db.sql('SELECT * FROM t')).toEqual([['2', 'z']])
  })

  it('deletes the rows whose keys come in, and inserts all that come', async () => {
    await db.sql(
      `CREATE TABLE t (day VARCHAR, n BIGINT); INSERT INTO t VALUES ('mo', 1), ('mo', 2), ('tu', 3), (NULL, 4)`,
    )
    const again = () => put('[{day: mo, n: 5}, {day: mo, n: 6}]', 'mode: delete_insert, key: [day]')
    expect((await again()).log.map((line) => line.message)).toContain(
      'Deleted the 2 rows of t whose keys came in, inserted 2',
    )
    await again()
    expect(await db.sql('SELECT * FROM t ORDER BY n')).toEqual([
      ['tu', '3'],
      [null, '4'],
      ['mo', '5'],
      ['mo', '6'],
    ])
  })

  it('reads and writes the same table', async () => {
    await db.sql('CREATE TABLE t AS SELECT range AS id FROM range(3)')
    const run = await runTask(
      `${head}source: {connector: db, sql: {table: t}}\nsteps: [{derive: {id: id + 10}}]\ntarget: {connector: db, table: t, mode: replace}\n`,
      { db: db.bound },
    )
    expect(run.error).toBeUndefined()
    expect(flow(run)).toBe('source 3→3 | derive 3→3 | target 3→3')
    expect(await db.sql('SELECT id FROM t ORDER BY id')).toEqual([['10'], ['11'], ['12']])
  })

  it('adds columns, widens them, or leaves them out, as the task says', async () => {
    await db.sql(`CREATE TABLE t (id BIGINT, o STRUCT(a BIGINT)); INSERT INTO t VALUES (1, {a: 1})`)
    const rows = '[{id: x, o: {a: 2, b: 3}, more: 1.5}]'
    const frozen = await put(rows, 'mode: append, schema: {columns: freeze}')
    expect(frozen.error?.code).toBe('SCHEMA_MISMATCH')
    const types = await put('[{id: 1, o: {a: 2, b: 3}}]', 'mode: append, schema: {types: freeze}')
    expect(types.error?.code).toBe('SCHEMA_MISMATCH')
    expect(types.error?.message).toContain('STRUCT')
    const done = await put(rows, 'mode: append, schema: {columns: evolve, types: widen}')
    expect(done.error).toBeUndefined()
    await put('[{id: y, secret: 1}]', 'mode: append, schema: {columns: discard}')
    expect(await db.sql('SELECT * FROM t ORDER BY id')).toEqual([
      ['1', '{"a":1}', null],
      ['x', '{"a":2,"b":3}', 1.5],
      ['y', null, null],
    ])
  })

  it('names column and value of what does not fit, and takes everything back', async () => {
    await db.sql(
      `CREATE TABLE t (id INTEGER NOT NULL, g INTEGER GENERATED ALWAYS AS (id * 2), n INTEGER CHECK (n < 100)); INSERT INTO t (id) VALUES (7)`,
    )
    const failures = {
      '[{id: 1}, {id: 99999999999}]': ['VALUE_INVALID', /Column `id` of t is INTEGER: it cannot hold 99999999999/],
      '[{id: 1}, {id: null}]': ['CONSTRAINT_VIOLATED', /NOT NULL.*t\.id/],
      '[{id: 1, n: 100}]': ['CONSTRAINT_VIOLATED', /CHECK.*n < 100/],
      '[{id: 1, g: 2}]': ['SCHEMA_MISMATCH', /`g` of t is computed/],
    } as const
    for (const [rows, [code, message]] of Object.entries(failures)) {
      const { error } = await put(rows, 'mode: replace')
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) as string })
      expect(await db.sql('SELECT id FROM t')).toEqual([[7]])
    }
  })

  it.each([
    ['DECIMAL(10,2)', '1.239::DECIMAL(10,3)', '1.230::DECIMAL(10,3)', '1.23'],
    ['DECIMAL(10,2)', '1.239::DOUBLE', '1.1::DOUBLE', '1.10'],
    ['TIMESTAMP_S', `TIMESTAMP '2024-01-01 00:00:00.9'`, `TIMESTAMP 'infinity'`, 'infinity'],
    [
      'TIMESTAMP',
      `'2024-01-01 00:00:00.123456789'::TIMESTAMP_NS`,
      `'2024-01-01 00:00:00.123456'::TIMESTAMP_NS`,
      '2024-01-01 00:00:00.123456',
    ],
    ['DOUBLE', '9007199254740993', '9007199254740992', '9007199254740992.0'],
    ['UBIGINT', '1.5::DOUBLE', '3::DOUBLE', '3'],
    ['UHUGEINT', '1.50::DECIMAL(9,2)', '3.00::DECIMAL(9,2)', '3'],
    ['HUGEINT', '1.5::DOUBLE', '18446744073709551615::UBIGINT', '18446744073709551615'],
    ['HUGEINT', `('1' || repeat('0', 45))::BIGNUM`, '5::UHUGEINT', '5'],
    [
      'BIGNUM',
      '1.5::DOUBLE',
      '170141183460469231731687303715884105727::HUGEINT',
      '170141183460469231731687303715884105727',
    ],
    ['TIMESTAMP_NS', `TIMESTAMP '1600-01-01 00:00:00'`, `TIMESTAMP '2024-01-01 00:00:00'`, '2024-01-01 00:00:00'],
    ['JSON', `'{bad'`, `'{"n": 1.10}'`, '{"n": 1.10}'],
  ])('a column %s refuses what it cannot hold: %s', async (type, refused, taken, stored) => {
    await db.sql(`CREATE TABLE t (id INTEGER, a ${type})`)
    const append = (value: string) =>
      runTask(
        write(
          '[{x: 1}]',
          'mode: append',
          `steps: [{sql: ${JSON.stringify(`SELECT 5 AS id, ${value} AS a FROM stream`)}}]\n`,
        ),
        {
          db: db.bound,
        },
      )
    expect((await append(refused)).error?.message).toMatch(/Column `a` is .*, which cannot hold .*\(table t, id = 5\)/)
    expect((await append(taken)).error).toBeUndefined()
    expect(await db.sql('SELECT a::VARCHAR FROM t')).toEqual([[stored]])
  })

  it('is refused by a read-only connector, and a view is no table', async () => {
    await db.sql('CREATE VIEW t AS SELECT 1 AS id')
    expect((await put('[{id: 1}]', 'mode: append')).error?.code).toBe('TABLE_NOT_FOUND')
    const readOnly = duckFile(dirname(db.path), 'warehouse.duckdb', { read_only: true })
    const run = await runTask(write('[{id: 1}]', 'mode: append'), { db: readOnly.bound })
    expect(run.error?.code).toBe('CONNECTOR_READ_ONLY')
  })

  it('leaves the file as it was when its process is killed in mid-write', async () => {
    await db.sql(`CREATE TABLE t AS SELECT range AS id, 'x' AS s FROM range(1000)`)
    const source = duckFile()
    await source.sql('CREATE TABLE big AS SELECT range AS id, md5(range::VARCHAR) AS s FROM range(3000000)')
    const before = statSync(db.path).size
    const child = runElsewhere(
      `${head.replace('out: {type: file, access: write}', 'src: {type: duckdb, access: read}')}source: {connector: src, sql: {table: big}}\ntarget: {connector: db, table: t, mode: replace}\n`,
      { db: db.bound, src: source.bound },
    )
    try {
      await expect
        .poll(() => statSync(db.path).size, { timeout: 60_000, interval: 5 })
        .toBeGreaterThan(before + 1_000_000)
    } finally {
      await end(child)
    }
    expect(await db.sql('SELECT count(*), sum(id) FROM t')).toEqual([['1000', '499500']])
    expect((await put('[{id: 1, s: a}]', 'mode: append')).error).toBeUndefined()
  })

  it('waits a little for another program, then says who has the file', async () => {
    await db.sql('CREATE TABLE t (id BIGINT)')
    const letGo = await holdOpen(db.path)
    try {
      const { error } = await put('[{id: 1}]', 'mode: append')
      expect(error).toMatchObject({
        code: 'DATABASE_LOCKED',
        retryable: true,
        message: expect.stringMatching(/node.*PID \d+/) as string,
      })
      expect((await read('table: t')).run.error?.code).toBe('DATABASE_LOCKED')
      const run = put('[{id: 1}]', 'mode: append')
      await letGo()
      expect((await run).error).toBeUndefined()
    } finally {
      await letGo()
    }
  })

  it('takes the rows of two runs at once, one after the other', async () => {
    const runs = await Promise.all([put('[{id: 1}]', 'mode: append'), put('[{id: 2}]', 'mode: append')])
    expect(runs.map((run) => run.error)).toEqual([undefined, undefined])
    expect(await db.sql('SELECT id FROM t ORDER BY id')).toEqual([['1'], ['2']])
  })
})

describe('a DuckDB file as source', () => {
  const every = `SELECT 170141183460469231731687303715884105727::HUGEINT AS h, 9007199254740993::BIGINT AS i, 12345678901234567890.123456789::DECIMAL(38,9) AS d,
    [1, NULL]::BIGINT[] AS l, {a: 1, b: 'x'} AS o, MAP {'k': 1} AS m, TIMESTAMPTZ '2026-03-01 12:00:00.123456+02' AS z, TIMESTAMP_NS '2026-03-01 12:00:00.123456789' AS ns,
    UUID 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11' AS u, '\\x00\\xFF'::BLOB AS b, '{"a": 1.0}'::JSON AS j, 'sad'::ENUM('sad', 'ok') AS e, INTERVAL 1 MONTH AS iv, '😀' AS t, NULL::DATE AS n, '101'::BIT AS bits`

  it('keeps every type from file to file', async () => {
    await db.sql(`CREATE TABLE s AS ${every}`)
    const types = await db.sql(`DESCRIBE s`)
    const values = await db.sql('SELECT * FROM s')
    const run = await runTask(
      `${head}source: {connector: db, sql: {table: s}}\ntarget: {connector: db, table: t, mode: upsert, key: [u]}\n`,
      { db: db.bound },
    )
    expect(run.error).toBeUndefined()
    expect(await db.sql('SELECT * FROM t')).toEqual(values)
    expect((await db.sql('DESCRIBE t')).map(([column, type]) => [column, type])).toEqual(
      types.map(([column, type]) => [column, type]),
    )
    const other = duckFile()
    const across = await runTask(
      `${head.replace('out: {type: file, access: write}', 'src: {type: duckdb, access: read}')}source: {connector: src, sql: {table: s}}\ntarget: {connector: db, table: t, mode: replace}\n`,
      { src: db.bound, db: other.bound },
    )
    expect(across.error).toBeUndefined()
    expect(await other.sql('SELECT * FROM t')).toEqual(values)
  })

  it('reads tables of a schema, some columns, views, and from a cursor on', async () => {
    await db.sql(
      `CREATE SCHEMA sales; CREATE TABLE sales.orders AS SELECT range AS id, TIMESTAMP '2026-01-01' + INTERVAL (range) DAY AS at FROM range(10); CREATE VIEW v AS SELECT count(*) AS n FROM sales.orders`,
    )
    expect((await read('table: sales.orders, columns: [ID]')).rows).toHaveLength(10)
    const view = await read('table: v')
    expect(view.rows).toEqual([{ n: 10 }])
    const folder = temporaryFolder()
    const run = await runTask(
      `${head}state: {cursor: {field: id, type: integer, initial: 7}}\nsource: {connector: db, sql: {table: sales.orders}}\ntarget: {connector: out, file: {path: o.csv, format: csv}}\n`,
      { db: db.bound, out: fileConnector(folder) },
    )
    expect(run.error).toBeUndefined()
    expect(run.item_count).toBe(3)
    expect(run.state?.cursor).toBe(9)
    for (const [table, code] of [
      ['nothing', 'TABLE_NOT_FOUND'],
      ['nowhere.x', 'TABLE_NOT_FOUND'],
    ])
      expect((await read(`table: ${table}`)).run.error?.code).toBe(code)
    expect((await read('table: sales.orders, columns: [x]')).run.error?.code).toBe('COLUMN_NOT_FOUND')
  })

  it('compares texts by their characters, whatever the collations of its columns', async () => {
    await db.sql(`CREATE TABLE s (a VARCHAR COLLATE NOCASE, b VARCHAR COLLATE NOACCENT)`)
    await db.sql(`INSERT INTO s VALUES ('A', 'é'), ('a', 'e'), ('B', NULL), (NULL, '')`)
    const joined = 'steps: [{derive: {both: "a || b"}}, {filter: "a = \'a\'"}]\n'
    for (const source of [
      'table: s',
      'query: "SELECT a, b FROM s"',
      'query: "SELECT a, b COLLATE NOCASE AS b FROM s"',
    ]) {
      const { run, rows } = await read(source, joined)
      expect(run.error).toBeUndefined()
      expect(rows).toEqual([{ a: 'a', b: 'e', both: 'ae' }])
    }
    // So does a cursor: from `B` on it reads `B` and `a`.
    const run = await runTask(
      `${head}state: {cursor: {field: a, type: string, initial: B}}\nsource: {connector: db, sql: {table: s}}\ntarget: {connector: out, file: {path: o.csv, format: csv}}\n`,
      { db: db.bound, out: fileConnector(temporaryFolder()) },
    )
    expect(run.error).toBeUndefined()
    expect([run.item_count, run.state?.cursor]).toEqual([2, 'a'])
  })

  it('counts the rows of a query and of every step after it', async () => {
    await db.sql(
      'CREATE TABLE a AS SELECT range AS id FROM range(3000); CREATE TABLE b AS SELECT range AS id, range % 7 AS k FROM range(3000)',
    )
    const { run } = await read(
      `query: "SELECT b.k, é.id FROM a AS é, main.b WHERE é.id = b.id AND k < 5 -- é", params: {}`,
      'steps: [{filter: id < 700}, {sql: "SELECT k, count(*) AS n FROM stream GROUP BY k"}, {filter: k > 0}]\n',
    )
    expect(run.error).toBeUndefined()
    expect(flow(run)).toBe('source 2144→2144 | filter 2144→500 | sql 500→5 | filter_2 5→4 | target 4→4')
  })

  it('binds values, and reads nothing but its own tables', async () => {
    await db.sql(
      `CREATE SCHEMA s; CREATE TABLE t (id BIGINT); INSERT INTO t VALUES (1), (2); CREATE TABLE s.u AS SELECT 5 AS id; CREATE VIEW leak AS SELECT * FROM read_csv('/etc/passwd')`,
    )
    expect(
      (
        await read(
          `query: "WITH c AS (SELECT * FROM t WHERE id >= :from) SELECT id FROM c UNION ALL FROM s.u", params: {from: 2}`,
        )
      ).rows,
    ).toEqual([{ id: 2 }, { id: 5 }])
    for (const query of [
      `SELECT * FROM read_csv('/etc/passwd')`,
      `SELECT * FROM '/etc/passwd'`,
      `SELECT * FROM leak`,
      `ATTACH ':memory:' AS m`,
      `COPY t TO '/tmp/x.csv'`,
      `PRAGMA database_list`,
      `SET threads = 1`,
      `SELECT * FROM duckdb_settings()`,
      `SELECT * FROM duckdb_tables`,
      `SELECT * FROM memory.main.t`,
      `SELECT * FROM temp.t`,
      `SELECT current_setting('temp_directory')`,
      `SELECT 1; SELECT 2`,
      `DELETE FROM t`,
      `DESCRIBE t`,
      `SELECT * FROM query('SELECT 1')`,
      `SELECT * FROM query_table('t')`,
    ]) {
      const { run } = await read(`query: ${JSON.stringify(query)}`)
      // The language itself refuses what is plainly no query.
      expect({ query, ...run.error }).toMatchObject({
        query,
        code: expect.stringMatching(/^(SQL_NOT_ALLOWED|TABLE_NOT_FOUND|TASK_INVALID)$/) as string,
        message: expect.not.stringContaining('is missing') as string,
      })
    }
  })

  it.each([
    ['a view over a file', "CREATE VIEW v AS SELECT * FROM read_csv('FILE', header = false)", 'view `v`'],
    ['a view over a file name', "CREATE VIEW v (p) AS SELECT column0 FROM 'FILE'", 'view `v`'],
    [
      'a view over such a view',
      `CREATE VIEW "w as x" AS SELECT * FROM read_csv('FILE', header = false); CREATE VIEW v AS WITH c AS (FROM "w as x") FROM c`,
      'view `w as x`',
    ],
    [
      'a view over a macro',
      "CREATE MACRO m() AS (SELECT max(content) FROM read_text('FILE')); CREATE VIEW v AS SELECT m() AS a",
      'macro `m`',
    ],
    [
      'a default of a macro',
      "CREATE MACRO m(x := json_serialize_plan('SELECT nosuch FROM read_csv(''FILE'')')) AS x; CREATE VIEW v AS SELECT m() AS a",
      'macro `m`',
    ],
    [
      'a computed column',
      "CREATE TABLE v (id INT, a AS (json_serialize_plan('SELECT nosuch FROM read_csv(''FILE'')')))",
      'table `v`',
    ],
  ])('reads no file that a file of it may name: %s', async (_what, definition, said) => {
    const folder = temporaryFolder()
    const file = join(folder, 'secret.csv')
    writeFileSync(file, 'TOPSECRET,1\nx,2\n')
    await db.sql(definition.replace('FILE', file))
    for (const source of ['table: v', 'query: SELECT * FROM v']) {
      // The folder is open to this session: another connector of the task writes there.
      const run = await runTask(
        `${head}source: {connector: db, sql: {${source}}}\ntarget: {connector: out, file: {path: o.jsonl, format: jsonl}}\n`,
        { db: db.bound, out: fileConnector(folder) },
      )
      expect(run.error).toMatchObject({ code: 'SQL_NOT_ALLOWED', message: expect.stringContaining(said) as string })
      expect(JSON.stringify(run.error)).not.toContain('TOPSECRET')
    }
  })

  it('reads views, macros and computed columns that keep to their file', async () => {
    await db.sql(`CREATE SEQUENCE n; CREATE SCHEMA s;
      CREATE TABLE s.t (id BIGINT DEFAULT nextval('n'), price INT, twice AS (price * 2)); INSERT INTO s.t (price) VALUES (4);
      CREATE MACRO plus(a) AS a + 1;
      CREATE VIEW v AS WITH c AS (SELECT * FROM s.t) SELECT id, plus(twice) AS p FROM c, range(1)`)
    expect((await read('table: v')).rows).toEqual([{ id: 1, p: 9 }])
    expect((await read('query: SELECT p FROM v')).rows).toEqual([{ p: 9 }])
    expect((await read('table: s.t')).rows).toEqual([{ id: 1, price: 4, twice: 8 }])
  })

  it('says what is wrong with a file', async () => {
    const folder = dirname(db.path)
    const at = (file: string): string => join(folder, file)
    await db.sql('CREATE TABLE t AS SELECT 1 AS id')
    writeFileSync(at('text.duckdb'), 'hello world\n'.repeat(2000))
    writeFileSync(at('empty.duckdb'), '')
    copyFileSync(db.path, at('cut.duckdb'))
    truncateSync(at('cut.duckdb'), 9000)
    copyFileSync(db.path, at('bad.duckdb'))
    const bytes = readFileSync(at('bad.duckdb'))
    writeFileSync(at('bad.duckdb'), bytes.fill(7, 4096, 7000))
    mkdirSync(at('folder.duckdb'))
    new Sqlite(at('lite.duckdb')).exec('CREATE TABLE t (id)').close()
    const expected = {
      text: 'FILE_UNREADABLE',
      empty: 'FILE_UNREADABLE',
      cut: 'FILE_UNREADABLE',
      bad: 'FILE_UNREADABLE',
      folder: 'FILE_UNREADABLE',
      lite: 'FILE_UNREADABLE',
      missing: 'DATABASE_NOT_FOUND',
    }
    for (const [file, code] of Object.entries(expected)) {
      db = duckFile(folder, `${file}.duckdb`)
      const { run } = await read('table: t')
      expect(run.error).toMatchObject({ code, message: expect.stringContaining(`${file}.duckdb`) as string })
    }
    for (const file of Object.keys(expected).filter((name) => name !== 'missing')) {
      db = duckFile(folder, `${file}.duckdb`)
      expect((await put('[{id: 1}]', 'mode: append')).error).toMatchObject({ code: 'FILE_UNREADABLE' })
    }
    db = duckFile(folder, 'secret.duckdb')
    const secret = duckFile(folder, 'other.duckdb')
    await secret.sql(
      `SET force_mbedtls_unsafe = true; ATTACH '${db.path}' AS s (ENCRYPTION_KEY 'k'); CREATE TABLE s.t AS SELECT 1 AS id; DETACH s`,
    )
    const { run: encrypted } = await read('table: t')
    expect(encrypted.error).toMatchObject({ message: expect.stringContaining('encrypted') as string })
    db = duckFile(join(folder, 'nowhere'))
    expect((await put('[{id: 1}]', 'mode: append')).error?.code).toBe('DATABASE_NOT_FOUND')
  })

  it('shows in a preview, and serves as an input', async () => {
    await db.sql(
      `CREATE TABLE t AS SELECT range AS id FROM range(100000); CREATE TABLE names AS SELECT range AS id, 'n' || range AS n FROM range(50)`,
    )
    const yaml = `${head}source: {connector: db, sql: {query: "SELECT a.id FROM t a, names b WHERE a.id = b.id"}}
inputs: {names: {connector: db, sql: {table: names}}}
steps: [{sql: "SELECT s.id, names.n FROM stream s JOIN names USING (id)"}]
target: {connector: db, table: joined, mode: replace}
`
    const values = {
      id: 1,
      attempt: 1,
      logical_date: '2026-03-01T00:00:00.000Z',
      trigger_type: 'manual',
      job_run_id: null,
      task_name: 't',
    } as const
    const connectors: Record<string, BoundConnector> = { db: db.bound }
    const { task, cursor } = prepareTask(readTask(yaml, {}, values))
    const preview = await previewTask({
      task,
      cursor,
      connectors,
      step: null,
      limit: 20,
      io: { signal: new AbortController().signal, tempDir: temporaryFolder() },
    })
    expect(preview.stages.map((stage) => stage.error)).toEqual([undefined, undefined])
    expect(preview.stages.map((stage) => stage.row_count)).toEqual([20, 20])
    expect(await db.sql(`SELECT count(*) FROM duckdb_tables()`)).toEqual([['2']])
    const run = await runTask(yaml, connectors)
    expect(run.error).toBeUndefined()
    expect(await db.sql('SELECT count(*), max(n) FROM joined')).toEqual([['50', 'n9']])
  })

  it('stops at once when the run is', async () => {
    await db.sql('CREATE TABLE t AS SELECT range AS id FROM range(2000000)')
    const abort = new AbortController()
    setTimeout(() => abort.abort(), 300)
    const run = await runTask(
      `${head}source: {connector: db, sql: {query: "SELECT sum(a.id * b.id) AS n FROM t a CROSS JOIN t b"}}\ntarget: {connector: db, table: u, mode: replace}\n`,
      { db: db.bound },
      { signal: abort.signal },
    )
    expect(run.error?.code).toBe('CANCELLED')
    expect(await db.sql('SELECT count(*) FROM duckdb_tables()')).toEqual([['1']])
  })
})
