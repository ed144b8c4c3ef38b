import Database from 'better-sqlite3'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

interface System {
  bound: BoundConnector
  exec(sql: string): Promise<void>
  rows(sql: string): Promise<Record<string, unknown>[]>
  /** Makes every INSERT into `t` take very long. */
  slowDown(): Promise<void>
  /** Whether a run is in the middle of writing. */
  writing(): Promise<boolean>
  /** Whether nothing of a run goes on any more: at the server, or as a lock of the file. */
  over(): Promise<boolean>
}

const yaml = (type: string, rows: string, target: string): string => `etl: 1
kind: pipeline
name: write
connectors: {db: {type: ${type}, access: write}}
source: {inline: {rows: ${rows}}}
target: {connector: db, table: t, ${target}}
`

const inTrigger = `SELECT 1 FROM pg_stat_activity WHERE application_name = 'headgate' AND query ~ '^(INSERT|COPY)' AND wait_event = 'PgSleep'`

describe.skipIf(postgresPrograms === null)('writing anew', () => {
  const postgres = usePostgres()
  const systems: Record<string, () => System> = {
    sqlite() {
      const path = join(temporaryFolder(), 'app.db')
      const open = <T>(work: (db: Database.Database) => T): T => {
        const db = new Database(path)
        try {
          return work(db)
        } finally {
          db.close()
        }
      }
      const exec = async (sql: string): Promise<void> => void open((db) => db.exec(sql))
      return {
        bound: sqliteConnector(path),
        exec,
        rows: async (sql) => open((db) => db.prepare(sql).all() as Record<string, unknown>[]), // rows are objects
        slowDown: () =>
          exec(`CREATE VIEW slow AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
            CREATE TRIGGER slow_down AFTER INSERT ON t BEGIN SELECT count(*) FROM slow; END`),
        writing: async () => existsSync(`${path}-journal`),
        over: () => exec('BEGIN IMMEDIATE; ROLLBACK').then(() => true),
      }
    },
    postgres: () => ({
      bound: postgres.connector(),
      exec: async (sql) => void (await postgres.query(sql)),
      rows: postgres.query,
      slowDown: async () =>
        void (await postgres.query(`CREATE FUNCTION slow() RETURNS trigger AS 'BEGIN PERFORM pg_sleep(63); RETURN NEW; END' LANGUAGE plpgsql;
          CREATE TRIGGER slow_down BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION slow()`)),
      writing: async () => (await postgres.query(inTrigger)).length > 0,
      over: async () => (await postgres.query(inTrigger)).length === 0,
    }),
  }

  describe.each(Object.keys(systems))('in %s', (type) => {
    let system: System
    const write = (rows: string, target: string) => runTask(yaml(type, rows, target), { db: system.bound })
    beforeEach(async () => {
      system = systems[type]!()
      await system.exec(
        `CREATE TABLE t (day TEXT, shop INTEGER, n INTEGER); INSERT INTO t VALUES ('mo', 1, 1), ('mo', 1, 2), ('mo', 2, 3), ('tu', 1, 4), (NULL, 1, 5)`,
      )
    })
    // bigint comes as text.
    const content = async () =>
      (await system.rows('SELECT * FROM t ORDER BY n')).map((row) => ({ ...row, n: Number(row['n']) }))

    it('deletes the rows whose keys come in, and inserts all that come, also with the same key', async () => {
      const again = () =>
        write(
          '[{day: mo, shop: 1, n: 6}, {day: mo, shop: 1, n: 7}, {day: we, shop: 9, n: 8}]',
          'mode: delete_insert, key: [day, shop]',
        )
      const done = await again()
      expect(done).toMatchObject({ status: 'success', item_count: 3 })
      expect(done.log.some(({ message }) => message === 'Deleted the 2 rows of t whose keys came in, inserted 3')).toBe(
        true,
      )
      const after = [
        { day: 'mo', shop: 2, n: 3 },
        { day: 'tu', shop: 1, n: 4 },
        { day: null, shop: 1, n: 5 },
        { day: 'mo', shop: 1, n: 6 },
        { day: 'mo', shop: 1, n: 7 },
        { day: 'we', shop: 9, n: 8 },
      ]
      expect(await content()).toEqual(after)
      await again()
      expect(await content()).toEqual(after)
    })

    it('sends rows without a key to the rejects', async () => {
      const done = await write('[{day: tu, n: 9}, {day: null, n: 10}]', 'mode: delete_insert, key: [day]')
      expect(done).toMatchObject({ status: 'completed', item_count: 1, reject_count: 1 })
      expect((await content()).map((row) => row['n'])).toEqual([1, 2, 3, 5, 9])
    })

    it('makes a missing table, whose key need not be unique', async () => {
      await system.exec('DROP TABLE t')
      await write('[{day: mo, n: 1}, {day: mo, n: 2}]', 'mode: delete_insert, key: [day]')
      const done = await write('[{day: mo, n: 3}, {day: mo, n: 4}]', 'mode: delete_insert, key: [day]')
      expect(done.error).toBeUndefined()
      expect(await content()).toEqual([
        { day: 'mo', n: 3 },
        { day: 'mo', n: 4 },
      ])
    })

    it('takes everything back when a row is refused', async () => {
      await system.exec(`CREATE UNIQUE INDEX t_n ON t (n)`)
      const before = await content()
      const done = await write('[{day: mo, n: 4}]', 'mode: delete_insert, key: [day]')
      expect(done.error?.code).toBe('CONSTRAINT_VIOLATED')
      expect(await content()).toEqual(before)
    })

    it.each(['mode: replace', 'mode: delete_insert, key: [day]', 'mode: append'])(
      'leaves the table as it was when its process is killed (%s)',
      async (target) => {
        const before = await content()
        await system.slowDown()
        const folder = temporaryFolder()
        const plan = join(folder, 'plan.json')
        writeFileSync(
          plan,
          JSON.stringify({
            run_id: 1,
            attempt: 1,
            lease_token: 'token',
            task: {
              id: 1,
              name: 'test',
              version: 1,
              yaml_content: yaml(type, '[{day: mo, n: 6}, {day: we, n: 7}]', target),
            },
            arguments: {},
            connectors: { db: system.bound },
            logical_date: '2026-03-01T00:00:00.000Z',
            trigger_type: 'manual',
            job_run_id: null,
            timeout_ms: null,
            state: null,
            full_refresh: false,
          }),
        )
        const child = spawn(process.execPath, [join(import.meta.dirname, 'children/run-plan.ts'), plan, folder], {
          stdio: ['ignore', 'inherit', 'inherit'],
        })
        const ended = once(child, 'exit')
        try {
          await expect.poll(system.writing, { timeout: 60_000 }).toBe(true)
        } finally {
          child.kill('SIGKILL')
          await ended
        }
        expect(await content()).toEqual(before)
        await expect.poll(system.over, { timeout: 60_000 }).toBe(true)
      },
    )
  })

  it.each([
    ['mode: replace', 'inline: {rows: [{day: mo, n: 6}, {day: we, n: 7}]}'],
    ['mode: delete_insert, key: [day]', 'inline: {rows: [{day: mo, n: 6}, {day: we, n: 7}]}'],
    ['mode: replace', `connector: db, sql: {query: "SELECT 'mo' AS day, 6 AS n UNION ALL SELECT 'we', 7"}`],
  ])('happens once at a time: two runs leave the rows of one (%s, %s)', async (target, source) => {
    await postgres.query(`CREATE TABLE t (day text, n integer); INSERT INTO t VALUES ('mo', 1), ('we', 2);
      CREATE FUNCTION wait() RETURNS trigger AS 'BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NEW; END' LANGUAGE plpgsql;
      CREATE TRIGGER wait BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION wait(); SELECT pg_advisory_lock(1)`)
    const task = yaml('postgres', '[]', target)
      .replace('access: write', 'access: read_write')
      .replace('inline: {rows: []}', source)
    const runs = [1, 2].map(() => runTask(task, { db: postgres.connector() }))
    try {
      const waiting = `SELECT pid FROM pg_stat_activity WHERE application_name = 'headgate' AND wait_event_type = 'Lock'`
      await expect.poll(async () => (await postgres.query(waiting)).length, { timeout: 60_000 }).toBe(2)
    } finally {
      await postgres.query('SELECT pg_advisory_unlock(1)')
    }
    for (const run of await Promise.all(runs)) expect(run).toMatchObject({ status: 'success', item_count: 2 })
    expect(await postgres.query('SELECT * FROM t ORDER BY n')).toEqual([
      { day: 'mo', n: 6 },
      { day: 'we', n: 7 },
    ])
  })
})

it.each(['true', 'false', 'rowid', 'select'])(
  'deletes the rows of its keys alone, also where the key is called `%s`',
  async (key) => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE t ("${key}" TEXT, v INTEGER); INSERT INTO t VALUES ('a', 1), ('b', 2), ('c', 3)`)
    const rows = `[{"${key}": b, v: 20}, {"${key}": d, v: 40}]`
    const run = await runTask(yaml('sqlite', rows, `mode: delete_insert, key: ["${key}"]`), {
      db: sqliteConnector(path),
    })
    expect(run.error).toBeUndefined()
    expect(db.prepare('SELECT * FROM t ORDER BY v').raw().all()).toEqual([
      ['a', 1],
      ['c', 3],
      ['b', 20],
      ['d', 40],
    ])
    db.close()
  },
)
