import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

interface Copying {
  from: BoundConnector
  to: BoundConnector
  source?: string
  steps?: string
  target?: string
}

function copy({
  from,
  to,
  source = '{table: s}',
  steps = '[]',
  target = 't, mode: replace',
}: Copying): Promise<FinishedRun> {
  return runTask(
    `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: ${from.type}, access: read}, b: {type: ${to.type}, access: write}}
source: {connector: a, sql: ${source}}
steps: ${steps}
target: {connector: b, table: ${target}}
`,
    { a: from, b: to },
  )
}

const messages = (run: FinishedRun): string => run.log.map(({ message }) => message).join('\n')

describe('types between two tables of PostgreSQL', () => {
  const postgres = usePostgres()
  /** A type, and values of it whose text says all there is to them. */
  const types: [type: string, values: string[]][] = [
    ['json', [`{"b": 1,  "a": 1.10, "a": 2}`, '[ 9007199254740993, 1e2 ]', 'null']],
    ['jsonb', ['{"a": 1.10}', 'null']],
    ['integer[]', ['{1,NULL,-2147483648}', '{}', '{{1,2},{3,4}}', '[0:1]={5,6}']],
    ['text[]', ['{"a,b","c\\"d","NULL",NULL,"","\\\\"}', '{"line\nend"}']],
    ['numeric(5,2)[]', ['{1.25,NULL,-999.99}']],
    ['timestamptz[]', ['{"2024-02-29 12:34:56.123456+00"}']],
    ['interval', ['1 year 2 mons -3 days 04:05:06.789012', '-00:00:01', '178000000 years']],
    ['interval(3)', ['00:00:01.125']],
    ['inet', ['192.168.1.1', '10.0.0.0/8', '::1', '2001:db8::/32']],
    ['cidr', ['10.0.0.0/8', '2001:db8::/32']],
    ['macaddr', ['08:00:2b:01:02:03']],
    ['macaddr8', ['08:00:2b:ff:fe:01:02:03']],
    ['money', ['-$92,233,720,368,547,758.08', '$0.01', '$1,234,567.89']],
    ['bit(5)', ['10110', '00000']],
    ['bit varying(8)', ['101', '']],
    ['character(5)', ['ab', '']],
    ['character varying(7)', ['seven77', '']],
    ['"char"', ['x']],
    ['name', ['pg_class']],
    ['oid', ['4294967295']],
    ['xml', ['<a b="1">&amp;</a>']],
    ['point', ['(0.1,-1e-05)']],
    ['box', ['(2,2),(1,1)']],
    ['polygon', ['((0,0),(1,0),(1,1))']],
    ['int4range', ['[1,5)', 'empty', '(,3)']],
    ['numrange', ['[1.10,2.200]']],
    ['tstzrange', ['["2024-01-01 00:00:00+00",)']],
    ['datemultirange', ['{[2024-01-01,2024-02-01),[2024-03-01,)}']],
    ['tsvector', [`'a':1 'b':2A`]],
    ['pg_lsn', ['16/B374D848']],
    ['time with time zone', ['23:59:59.999999+05:30']],
    ['timestamp(3) without time zone', ['2024-02-29 12:34:56.789', 'infinity', '-infinity']],
    ['numeric', ['NaN', '1.10', '1e-20', '123456789012345678901234567890.123456789012345678901234567890']],
    ['numeric(12,3)', ['123456789.125', '-0.001']],
    ['real', ['1.1', 'NaN', '-0', 'Infinity']],
    ['double precision', ['0.1', '5e-324', '-0']],
    ['uuid', ['123e4567-e89b-12d3-a456-426614174000']],
    ['bytea', ['\\x00ff', '']],
    ['date', ['0044-03-15 BC', '5874897-12-31', 'infinity']],
    ['mood', ['sad', `o'k, "fine"`]],
    ['mood[]', [`{sad,"o'k, \\"fine\\"",NULL}`]],
    ['positive', ['7']],
  ]
  const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

  async function makeSource(): Promise<void> {
    await postgres.query(
      `CREATE TYPE mood AS ENUM ('sad', 'o''k, "fine"'); CREATE DOMAIN positive AS integer CHECK (VALUE > 0)`,
    )
    const fields = types.map(([type], at) => `c${at} ${type}`)
    await postgres.query(`CREATE TABLE s (id bigint, ${fields.join(', ')})`)
    const rows = Math.max(...types.map(([, values]) => values.length)) + 1
    for (let row = 0; row < rows; row++) {
      const values = types.map(([, list]) => {
        const value = list[row]
        return value === undefined ? 'NULL' : literal(value)
      })
      await postgres.query(`INSERT INTO s VALUES (${row}, ${values.join(', ')})`)
    }
  }
  const typesOf = async (table: string): Promise<unknown[]> =>
    (
      await postgres.query(
        `SELECT attname || ' ' || format_type(atttypid, atttypmod) AS is FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 ORDER BY attnum`,
      )
    ).map((row) => row['is'])
  const differing = (one: string, other: string) =>
    postgres.query(`SELECT t::text AS row FROM ${one} t EXCEPT ALL SELECT t::text FROM ${other} t`)

  it.each([
    ['pushdown', (p: typeof postgres) => [p.connector(1), p.connector(1)], '[]'],
    [
      'columnar',
      (p: typeof postgres) => [p.connector(1), p.connector(2)],
      '[{filter: "true"}, {derive: {more: "id + 1"}}, {drop: [more]}]',
    ],
  ] as const)('stay in a table that a run makes, with every value, by the %s lane', async (lane, bound, steps) => {
    await makeSource()
    const [from, to] = bound(postgres)
    const run = await copy({ from: from!, to: to!, steps })
    expect(run.error).toBeUndefined()
    expect(run.metrics.lane).toBe(lane)
    expect(await typesOf('t')).toEqual(await typesOf('s'))
    expect(await differing('s', 't')).toEqual([])
    expect(await differing('t', 's')).toEqual([])
    // Into the table as it is now, the same values come again.
    const again = await copy({ from: from!, to: to!, steps })
    expect(again.error).toBeUndefined()
    expect(await differing('s', 't')).toEqual([])
  })

  it('stay by the bytes lane, which takes what every server writes alike', async () => {
    await makeSource()
    const own = types.flatMap(([type], at) => (/mood|positive/.test(type) ? [`c${at}`] : []))
    const run = await copy({
      from: postgres.connector(1),
      to: postgres.connector(2),
      steps: `[{drop: [${own.join(', ')}]}]`,
    })
    expect([run.error, run.metrics.lane]).toEqual([undefined, 'bytes'])
    await postgres.query(`ALTER TABLE s ${own.map((column) => `DROP COLUMN ${column}`).join(', ')}`)
    expect(await differing('s', 't')).toEqual([])
  })

  it('arrive in 200,000 rows by both lanes between two connectors', async () => {
    await postgres.query(`CREATE TABLE s AS SELECT n AS id, ARRAY[n, NULL, -n] AS list, make_interval(secs => n / 8.0) AS span,
      ('10.0.' || n % 256 || '.' || n / 256 % 256)::inet AS host, (n::text || '.5')::money AS price, int4range(n, n + 5) AS reach,
      json_build_object('n', n) AS doc FROM generate_series(1, 200000) AS n`)
    for (const [lane, steps] of [
      ['bytes', '[]'],
      ['columnar', '[{filter: "true"}]'],
    ] as const) {
      await postgres.query('DROP TABLE IF EXISTS t')
      const run = await copy({ from: postgres.connector(1), to: postgres.connector(2), steps })
      expect([run.error, run.metrics.lane, run.item_count]).toEqual([undefined, lane, 200_000])
      expect(await typesOf('t')).toEqual(await typesOf('s'))
      expect(await differing('s', 't')).toEqual([])
    }
  }, 60_000)

  it('keep NOT NULL and the primary key of a table in `replace`, in the order of the key', async () => {
    await postgres.query(`CREATE TABLE s (a text NOT NULL, b integer, c date NOT NULL, d integer, PRIMARY KEY (b, a));
      INSERT INTO s VALUES ('x', 1, '2024-01-01', NULL), ('x', 2, '2024-01-01', 4)`)
    const run = await copy({
      from: postgres.connector(1),
      to: postgres.connector(2),
      steps: '[{filter: "b > 0"}, {rename: {a: code}}]',
    })
    expect(run.error).toBeUndefined()
    expect(await constraints('t')).toEqual(['PRIMARY KEY (b, code)', 'b', 'c', 'code'])
  })

  const constraints = async (table: string): Promise<unknown[]> =>
    (
      await postgres.query(
        `SELECT pg_get_constraintdef(oid) AS is FROM pg_constraint WHERE conrelid = '${table}'::regclass AND contype = 'p'
         UNION ALL (SELECT attname FROM pg_attribute WHERE attrelid = '${table}'::regclass AND attnum > 0 AND attnotnull ORDER BY attname)`,
      )
    ).map((row) => row['is'])

  it.each([
    [
      'a column of it is computed',
      '[{derive: {id: "id + 1"}}]',
      't, mode: replace',
      'not all of its columns arrive as they were read',
      ['v'],
    ],
    [
      'a step may make several rows of one',
      '[{explode: {column: doc}}]',
      't, mode: replace',
      'the step `explode` may make several rows of one',
      ['id', 'v'],
    ],
    ['rows are added', '[]', 't, mode: append', '`mode: append` may bring a key once more', ['id', 'v']],
  ])('leave out the primary key where %s, and say so', async (_, steps, target, why, required) => {
    await postgres.query(
      `CREATE TABLE s (id integer, v text NOT NULL, doc json, PRIMARY KEY (id, v)); INSERT INTO s VALUES (1, 'a', '[1,2]')`,
    )
    const run = await copy({ from: postgres.connector(1), to: postgres.connector(2), steps, target })
    expect(run.error).toBeUndefined()
    expect(messages(run)).toContain(`The primary key of the source (\`id\`, \`v\`) is not kept: ${why}`)
    expect(await constraints('t')).toEqual(required)
  })

  it('stay in columns that a `map` step passes on, under whatever name, and not in those that it declares', async () => {
    await postgres.query(`CREATE TABLE s (id integer PRIMARY KEY, doc json NOT NULL, hosts inet[], took interval, ip inet);
      INSERT INTO s VALUES (1, '{"b": 1, "a": 1.10}', '{10.0.0.0/8,NULL}', '1 mon 2 days', '::1'), (2, '1e2', NULL, NULL, NULL)`)
    for (const [map, types] of [
      ['$', ['id integer', 'doc json', 'hosts inet[]', 'took interval', 'ip inet']],
      ['id > 0 ? $ : null', ['id integer', 'doc json', 'hosts inet[]', 'took interval', 'ip inet']],
      [
        '{"id": id, "doc": doc, "h": hosts, "took": $string(took)}',
        ['id integer', 'doc json', 'h inet[]', 'took text'],
      ],
    ] as const) {
      await postgres.query('DROP TABLE IF EXISTS t')
      const steps = `[{map: '${map}'}]`
      const run = await copy({ from: postgres.connector(1), to: postgres.connector(2), steps })
      expect({ map, error: run.error }).toEqual({ map, error: undefined })
      expect(await typesOf('t')).toEqual(types)
      expect(await constraints('t')).toEqual(['doc', 'id'])
      expect(messages(run)).toContain(
        'The primary key of the source (`id`) is not kept: the step `map` may make several',
      )
      expect(await postgres.query('SELECT doc::text AS doc FROM t ORDER BY id')).toEqual(
        await postgres.query('SELECT doc::text AS doc FROM s ORDER BY id'),
      )
    }
    await postgres.query('DROP TABLE t')
    const declared = `[{map: {expression: '$', columns: {ip: string, doc: json}}}, {drop: [took]}]`
    const run = await copy({ from: postgres.connector(1), to: postgres.connector(2), steps: declared })
    expect(run.error).toBeUndefined()
    expect(await typesOf('t')).toEqual(['id integer', 'doc jsonb', 'hosts inet[]', 'ip text'])
  })

  it('become text where the other database has no such type, or another one of that name', async () => {
    await postgres.query(`CREATE TYPE mood AS ENUM ('sad', 'ok'); CREATE TABLE s (m mood); INSERT INTO s VALUES ('ok');
      DROP SCHEMA IF EXISTS other CASCADE; CREATE SCHEMA other`)
    await postgres.query('DROP DATABASE IF EXISTS elsewhere')
    await postgres.query('CREATE DATABASE elsewhere')
    const to = postgres.connector(2, { database: 'elsewhere', schema: 'public' })
    const run = await copy({ from: postgres.connector(1), to })
    expect(run.error).toBeUndefined()
    expect(messages(run)).toContain('Column `m` is mood in the source and becomes text: this database has no such type')
    await postgres.query('DROP DATABASE elsewhere WITH (FORCE)')
  })

  it('do not stay where a cast asks for another one', async () => {
    await postgres.query(`CREATE TABLE s (id integer, host inet NOT NULL); INSERT INTO s VALUES (1, '10.0.0.1')`)
    const run = await copy({
      from: postgres.connector(1),
      to: postgres.connector(2),
      steps: '[{cast: {host: string}}]',
    })
    expect(run.error).toBeUndefined()
    expect(await typesOf('t')).toEqual(['id integer', 'host text'])
  })

  it.each([
    ['integer[]', '{1,2}'],
    ['interval', '1 day 02:00:00'],
    ['inet', '10.0.0.0/8'],
    ['money', '$1,234.50'],
    ['numrange', '[1.1,2.2)'],
  ])('are taken as text into an existing column %s', async (type, value) => {
    await postgres.query(`CREATE TABLE s (id integer, v text); INSERT INTO s VALUES (1, '${value}'), (2, NULL);
      CREATE TABLE t (id integer PRIMARY KEY, v ${type}); INSERT INTO t VALUES (1, NULL), (3, NULL)`)
    for (const mode of ['append', 'replace', 'upsert, key: [id]', 'delete_insert, key: [id]']) {
      if (mode === 'append') await postgres.query('DELETE FROM t')
      const run = await copy({ from: postgres.connector(1), to: postgres.connector(2), target: `t, mode: ${mode}` })
      expect([mode, run.error]).toEqual([mode, undefined])
      expect(await postgres.query(`SELECT v::text AS v FROM t WHERE id = 1`)).toEqual([{ v: value }])
    }
  })

  it.each([
    ['money', '1.005'],
    ['interval(0)', '00:00:01.5'],
    ['numeric(5,1)[]', '{1.25}'],
    ['timestamp(0) without time zone[]', '{"2024-01-01 00:00:00.5"}'],
  ])('refuse what an existing column %s would round', async (type, value) => {
    await postgres.query(
      `CREATE TABLE s (id integer, v text); INSERT INTO s VALUES (1, '${value}'); CREATE TABLE t (id integer, v ${type})`,
    )
    const run = await copy({ from: postgres.connector(1), to: postgres.connector(2), steps: '[{filter: "true"}]' })
    expect(run.error?.message).toContain(`Column \`v\` is ${type}, which cannot hold`)
  })
})

describe('types between two tables of MariaDB', () => {
  const mariadb = useMariaDb()

  it('stay in a table that a run makes, with NOT NULL and the primary key', async () => {
    await mariadb.query(`CREATE TABLE s (id int unsigned NOT NULL, code varchar(20) CHARACTER SET latin1 COLLATE latin1_german1_ci NOT NULL,
      size enum('s','m','x''l') NOT NULL, flags set('a','b'), made year, at datetime(3) NOT NULL, took time(2), bits bit(9), doc json, price decimal(10,2) NOT NULL,
      small tinyint unsigned, note mediumtext, raw varbinary(8), huge decimal(38,30), PRIMARY KEY (code, id))`)
    await mariadb.query(`INSERT INTO s VALUES (1, 'Äb', 'x''l', 'a,b', 1999, '2024-01-01 00:00:00.125', '23:00:00.25', b'101010101', '{"a": 1.10}', 1.50, 255, 'ü', x'00ff',
      12345678.123456789012345678901234567891), (2, 'c', 's', '', NULL, '2024-01-01', NULL, NULL, NULL, -0.01, 0, NULL, NULL, NULL)`)
    const run = await copy({ from: mariadb.connector(), to: mariadb.connector(), steps: '[{filter: "true"}]' })
    expect(run.error).toBeUndefined()
    const columns = (table: string) =>
      mariadb.query(
        `SELECT column_name, column_type, is_nullable, collation_name, column_key FROM information_schema.columns WHERE table_schema = 'app' AND table_name = '${table}' ORDER BY ordinal_position`,
      )
    expect(await columns('t')).toEqual(await columns('s'))
    expect(await mariadb.query('SELECT * FROM t ORDER BY id')).toEqual(
      await mariadb.query('SELECT * FROM s ORDER BY id'),
    )
  })
})

describe('types between two tables of SQLite', () => {
  it.each(['pushdown', 'arrays'])(
    'stay in a table that a run makes, with NOT NULL and the primary key, by the lane %s',
    async (lane) => {
      const path = join(temporaryFolder(), 'app.db')
      const db = new Database(path)
      db.exec(`CREATE TABLE s (id INTEGER NOT NULL, code VARCHAR(20) NOT NULL, amount NUMERIC, x FLOAT, free, PRIMARY KEY (code, id));
      INSERT INTO s VALUES (1, 'a', 1.5, 2, 'x'), (2, 'b', 7.25, NULL, 'y')`)
      const bound = sqliteConnector(path)
      const run = await copy({ from: bound, to: bound, steps: lane === 'arrays' ? '[{filter: "true"}]' : '[]' })
      expect([run.error, run.metrics.lane]).toEqual([undefined, lane])
      const columns = (table: string) =>
        db.prepare(`SELECT name, type, "notnull", pk FROM pragma_table_info(?)`).all(table)
      expect(columns('t').slice(0, 4)).toEqual(columns('s').slice(0, 4))
      expect(db.prepare('SELECT * FROM t ORDER BY id').all()).toEqual(db.prepare('SELECT * FROM s ORDER BY id').all())
      db.close()
    },
  )
})
