import Database from 'better-sqlite3'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from './postgres-fixture.ts'
import { flow, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

interface System {
  from: BoundConnector
  to: BoundConnector
  exec(sql: string): Promise<void>
  rows(sql: string): Promise<Record<string, unknown>[]>
}

/** Steps that change nothing, but must look at the rows: the columnar lane. */
const looked = '[{filter: "true"}]'

describe.skipIf(postgresPrograms === null)('rows that no value is looked at for', () => {
  const postgres = usePostgres()
  const systems: Record<string, () => System> = {
    'pushdown in SQLite'() {
      const path = join(temporaryFolder(), 'app.db')
      const open = <T>(work: (db: Database.Database) => T): T => {
        const db = new Database(path)
        try {
          return work(db)
        } finally {
          db.close()
        }
      }
      const bound = sqliteConnector(path)
      return {
        from: bound,
        to: bound,
        exec: async (sql) => void open((db) => db.exec(sql)),
        rows: async (sql) => open((db) => db.prepare(sql).all() as Record<string, unknown>[]), // rows are objects
      }
    },
    'pushdown in PostgreSQL'() {
      const bound = postgres.connector()
      return { from: bound, to: bound, exec: async (sql) => void (await postgres.query(sql)), rows: postgres.query }
    },
    'bytes between PostgreSQL'() {
      return {
        from: postgres.connector(1),
        to: postgres.connector(2),
        exec: async (sql) => void (await postgres.query(sql)),
        rows: postgres.query,
      }
    },
  }

  describe.each(Object.keys(systems))('%s', (title) => {
    const lane = title.split(' ')[0]
    let system: System
    const run = (target: string, more: { source?: string; steps?: string; args?: string } = {}): Promise<FinishedRun> =>
      runTask(
        `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: ${system.from.type}, access: read}, b: {type: ${system.to.type}, access: write}}
${more.args ?? ''}
source: {connector: a, sql: ${more.source ?? '{table: s}'}}
steps: ${more.steps ?? '[]'}
target: {connector: b, table: ${target}}
`,
        { a: system.from, b: system.to },
      )
    beforeEach(async () => {
      system = systems[title]!()
      await system.exec(`CREATE TABLE s (id INTEGER, name TEXT, n DOUBLE PRECISION);
        INSERT INTO s VALUES (1, 'a', 1.5), (2, '', NULL), (3, NULL, -0.25), (4, '😀', 1e308)`)
    })
    const content = (table: string) => system.rows(`SELECT * FROM ${table} ORDER BY 1, 2`)

    it.each([
      'mode: append',
      'mode: replace',
      'mode: upsert, key: [id]',
      'mode: delete_insert, key: [id]',
      'mode: append, schema: {columns: discard}',
    ])('does with %s what the columnar lane does', async (mode) => {
      for (const table of ['t1', 't2']) {
        await system.exec(
          `CREATE TABLE ${table} (id INTEGER, name TEXT${mode.includes('discard') ? '' : ', n DOUBLE PRECISION'});
           CREATE UNIQUE INDEX ${table}_id ON ${table} (id);`,
        )
        if (!mode.includes('append'))
          await system.exec(`INSERT INTO ${table} VALUES (1, 'old', 0), (2, '', NULL), (9, 'nine', 9)`)
      }
      const [direct, columnar] = [await run(`t1, ${mode}`), await run(`t2, ${mode}`, { steps: looked })]
      expect(direct.error).toBeUndefined()
      expect([direct.metrics.lane, columnar.metrics.lane === lane]).toEqual([lane, false])
      expect(await content('t1')).toEqual(await content('t2'))
      expect(direct.item_count).toBe(columnar.item_count)
      expect(direct.metrics.rows_out).toBe(columnar.metrics.rows_out)
      expect(direct.log.at(-3)?.message.replace('t1', 't2')).toBe(columnar.log.at(-4)?.message)
      expect(flow(direct)).toBe('source 4→4 | target 4→4')
    })

    it('makes a missing table as the columnar lane does', async () => {
      await run('t1, mode: upsert, key: [id]')
      await run('t2, mode: upsert, key: [id]', { steps: looked })
      expect(await content('t1')).toEqual(await content('t2'))
      const types = (table: string) =>
        system.rows(
          system.to.type === 'sqlite'
            ? `SELECT name, type, pk, "notnull" FROM pragma_table_info('${table}')`
            : `SELECT column_name, data_type, is_nullable FROM information_schema.columns WHERE table_name = '${table}' ORDER BY ordinal_position`,
        )
      expect(await types('t1')).toEqual(await types('t2'))
    })

    it('passes select, rename and drop on, and binds values', async () => {
      const done = await run('t1', {
        source: `{query: "SELECT id, name, n FROM s WHERE id > :low AND (name = :who OR :who IS NULL)", params: {low: "\${{ args.low }}", who: "\${{ args.who }}"}}`,
        args: 'args: {low: {type: integer, default: 1}, who: {type: string, default: "😀"}}',
        steps: '[{select: [name, id]}, {rename: {id: key}}]',
      })
      expect(done.error).toBeUndefined()
      expect(done.metrics.lane).toBe(lane)
      expect(await content('t1')).toEqual([{ name: '😀', key: 4 }])
    })

    it('upserts the same rows again without a change', async () => {
      await run('t1, mode: upsert, key: [id]')
      const again = await run('t1, mode: upsert, key: [id]')
      expect(again).toMatchObject({ item_count: 0, metrics: { lane, rows_out: 4 } })
    })

    it('reads the table that it replaces', async () => {
      const done = await run('s, mode: replace', { source: '{query: "SELECT id + 10 AS id, name, n FROM s"}' })
      expect(done).toMatchObject({ status: 'success', metrics: { lane } })
      expect((await content('s')).map((row) => row['id'])).toEqual([11, 12, 13, 14])
    })

    it.each([
      ['rows without a key', `INSERT INTO s VALUES (NULL, 'x', 1)`, 1],
      ['rows with the same key', `INSERT INTO s VALUES (4, 'again', 1)`, 0],
    ])('leaves %s to the columnar lane', async (_, insert, rejected) => {
      await system.exec(insert)
      const done = await run('t1, mode: upsert, key: [id]')
      expect(done.error).toBeUndefined()
      expect(done.metrics.lane).not.toBe(lane)
      expect(done.rejects).toHaveLength(rejected)
      expect(await content('t1')).toHaveLength(4)
      expect(done.log.some(({ message }) => message.startsWith(`Not by the ${lane} lane`))).toBe(true)
    })

    it('leaves types that differ to the columnar lane and its schema policy', async () => {
      await system.exec('CREATE TABLE t1 (id INTEGER, name INTEGER, n DOUBLE PRECISION)')
      const done = await run('t1')
      expect(done.error?.code).toBe('SCHEMA_MISMATCH')
      expect(await content('t1')).toEqual([])
    })

    it('writes nothing when a row is refused', async () => {
      await system.exec(
        `CREATE TABLE t1 (id INTEGER, name TEXT NOT NULL, n DOUBLE PRECISION); INSERT INTO t1 VALUES (7, 'old', 1)`,
      )
      const done = await run('t1, mode: replace')
      expect(done.error?.code).toBe('CONSTRAINT_VIOLATED')
      expect(done.steps.map((step) => step.status)).toEqual(['success', 'failed'])
      expect(await content('t1')).toEqual([{ id: 7, name: 'old', n: 1 }])
    })

    it('fails in the source when the source does', async () => {
      const done = await run('t1', { source: '{query: "SELECT nowhere FROM s"}' })
      expect(done.error).toMatchObject({ code: 'COLUMN_NOT_FOUND', step: 'source' })
    })

    it('is refused by a connector that only reads', async () => {
      system.to = { ...system.to, config: { ...system.to.config, read_only: true } }
      expect((await run('t1')).error?.code).toBe('CONNECTOR_READ_ONLY')
    })
  })

  it('name the source, not a step that computes nothing, when SQLite cannot compute a value', async () => {
    const { from, to, exec } = (systems['pushdown in SQLite'] ?? expect.fail)()
    await exec('CREATE TABLE s (id INTEGER); INSERT INTO s VALUES (1), (2); CREATE TABLE t (id INTEGER, v TEXT)')
    const run = await runTask(
      `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: sqlite, access: read}, b: {type: sqlite, access: write}}
source: {connector: a, sql: {query: "SELECT id, json('{' || id) AS v FROM s"}}
steps: [{select: [id, v]}]
target: {connector: b, table: t}
`,
      { a: from, b: to },
    )
    expect(run.error).toMatchObject({ step: 'source', message: expect.stringContaining('malformed JSON') as string })
  })

  it('of many types arrive bit by bit', async () => {
    await postgres.query(`CREATE TABLE s AS SELECT 1::int8 AS id, numeric 'NaN' AS n, 12345678901234567890123456789012345678901234567890.5::numeric AS big,
        'infinity'::timestamptz AS at, '0044-03-15 BC'::date AS ides, '\\x00ff'::bytea AS bytes, '{"b": 1, "a": [null]}'::jsonb AS j,
        '{"b":1, "b":2}'::json AS raw, interval '1 mon 2 days 00:00:03.000001' AS span, inet '10.0.0.1/8' AS net, 'x'::varchar(5) AS v,
        time '24:00' AS t, 'NaN'::float8 AS nan, '-0'::float8 AS minus, gen_random_uuid() AS u;
      CREATE TABLE t (LIKE s)`)
    const done = await runTask(
      `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {table: s}}
target: {connector: b, table: t}
`,
      { a: postgres.connector(1), b: postgres.connector(2) },
    )
    expect(done.error).toBeUndefined()
    expect(done.metrics.lane).toBe('bytes')
    expect(await postgres.query('SELECT d::text AS row FROM t AS d')).toEqual(
      await postgres.query('SELECT s::text AS row FROM s'),
    )
  })

  describe.each([
    ['date', 'infinity', 'arrives'],
    ['date', '5874897-12-31', 'arrives'],
    ['timestamp without time zone', '-infinity', 'arrives'],
    ['timestamp with time zone', '4713-01-01 00:00:00+00 BC', 'arrives'],
    ['timestamp without time zone', '294276-12-31 23:59:59.5', 'is refused'],
    ['timestamp with time zone', '294276-12-31 23:59:59.5+00', 'is refused'],
    ['numeric(10,2)', 'NaN', 'is refused'],
  ])('of the %s %s', (type, value, elsewhere) => {
    it.each([
      ['pushdown', 1, '[]'],
      ['bytes', 2, '[]'],
      ['columnar', 2, looked],
      ['objects', 2, "[{map: '$'}]"],
    ])(
      `the value arrives as it is by the lane %s, or where that looks at it: ${elsewhere}`,
      async (lane, id, steps) => {
        await postgres.query(`CREATE TABLE s AS SELECT 1 AS id, '${value}'::${type} AS v`)
        const done = await runTask(
          `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {table: s}}
steps: ${steps}
target: {connector: b, table: t}
`,
          { a: postgres.connector(1), b: postgres.connector(id) },
        )
        const isLooked = lane === 'columnar' || lane === 'objects'
        const isRefused = isLooked && elsewhere === 'is refused'
        expect(done.error?.message ?? done.metrics.lane).toMatch(
          isRefused ? `Column \`v\` holds ${value.slice(0, 21)}, which` : lane,
        )
        const there = await postgres.query(`SELECT to_regclass('app.t')::text AS t`)
        expect(there).toEqual([{ t: isRefused ? null : 't' }])
        const arrived = isRefused
          ? []
          : await postgres.query('SELECT v::text AS v, format_type(pg_typeof(v), NULL) AS type FROM t')
        expect(arrived).toEqual(isRefused ? [] : [{ v: value, type: type.replace('(10,2)', '') }])
      },
    )
  })

  it('take the columnar lane when the table that is read gets a new column', async () => {
    await postgres.query('CREATE TABLE t (id integer); INSERT INTO t VALUES (1), (2)')
    const done = await runTask(
      `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {query: "SELECT id, id + 1 AS next FROM t"}}
target: {connector: b, table: t, mode: replace}
`,
      { a: postgres.connector(1), b: postgres.connector(2) },
    )
    expect(done.error).toBeUndefined()
    expect(done.metrics.lane).toBe('columnar')
    expect(await postgres.query('SELECT * FROM t ORDER BY id')).toEqual([
      { id: 1, next: 2 },
      { id: 2, next: 3 },
    ])
  })

  it('are stopped at both servers when the run is', async () => {
    const stop = new AbortController()
    await postgres.query('CREATE TABLE t (x text)')
    const busy = `SELECT pid FROM pg_stat_activity WHERE application_name = 'headgate' AND state <> 'idle'`
    const running = runTask(
      `etl: 1
kind: pipeline
name: copy
connectors: {a: {type: postgres, access: read}, b: {type: postgres, access: write}}
source: {connector: a, sql: {query: "SELECT pg_sleep(62)::text AS x"}}
target: {connector: b, table: t}
`,
      { a: postgres.connector(1), b: postgres.connector(2) },
      { signal: stop.signal },
    )
    await expect.poll(async () => (await postgres.query(busy)).length, { timeout: 60_000 }).toBe(2)
    stop.abort()
    expect((await running).error?.code).toBe('CANCELLED')
    await expect.poll(async () => (await postgres.query(busy)).length).toBe(0)
  })
})
