import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { usePostgres } from './postgres-fixture.ts'
import { flow, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** By which way rows come in: put together by the task, or copied by the database itself, or from another one. */
type Way = 'columnar' | 'pushdown' | 'bytes'

/** Of the rows of table `s`; bound to `a`, the target to `b`. */
function load(way: Way, [a, b]: [BoundConnector, BoundConnector], target: string): Promise<FinishedRun> {
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {a: {type: ${a.type}, access: read}, b: {type: ${b.type}, access: write}}
source: {connector: a, sql: {table: s}}
steps: ${way === 'columnar' ? '[{filter: "true"}]' : '[]'}
target: {connector: b, table: orders, ${target}}
`,
    { a, b },
  )
}

const warnings = (run: FinishedRun): string[] =>
  run.log.flatMap(({ level, message }) => (level === 'warn' ? [message] : []))
const messages = (run: FinishedRun): string[] => run.log.map(({ message }) => message)

/** What is there before, and what comes in: one row the same, one changed, one new, and others that a rule gets at. */
const before = `(1, 'same'), (2, 'old'), (3, 'old'), (4, 'old')`
const incoming = `(1, 'same'), (2, 'new'), (3, 'no update'), (4, 'undone'), (5, 'new'), (6, 'no insert')`

describe('rows of an upsert that the rules of a table leave out are counted and reported', () => {
  const postgres = usePostgres()
  const guard = `CREATE FUNCTION app.guard() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF tg_op = 'INSERT' AND new.v = 'no insert' OR tg_op = 'UPDATE' AND new.v = 'no update' THEN RETURN NULL; END IF;
      IF tg_op = 'UPDATE' AND new.v = 'undone' THEN RETURN old; END IF;
      RETURN new;
    END $$;
    CREATE TRIGGER guard BEFORE INSERT OR UPDATE ON app.orders FOR EACH ROW EXECUTE FUNCTION app.guard();`

  test.each<[Way, string, string]>([
    ['columnar', '', ''],
    ['pushdown', '', ''],
    ['bytes', '', ''],
    ['columnar', ' PARTITION BY RANGE (id)', 'CREATE TABLE app.part PARTITION OF app.orders DEFAULT;'],
  ])('PostgreSQL, a trigger (%s%s)', async (way, partitioned, parts) => {
    await postgres.query(`CREATE TABLE app.orders (id integer PRIMARY KEY, v text)${partitioned}; ${parts}
      INSERT INTO app.orders VALUES ${before}; ${guard}
      CREATE TABLE app.s (id integer, v text); INSERT INTO app.s VALUES ${incoming}`)
    const bound: [BoundConnector, BoundConnector] = [
      postgres.connector(1),
      postgres.connector(way === 'pushdown' ? 1 : 2),
    ]
    const run = await load(way, bound, 'mode: upsert, key: [id]')
    expect(run.error).toBeUndefined()
    expect(run.metrics.lane).toBe(way)
    expect([run.status, run.item_count]).toEqual(['completed', 2])
    expect(flow(run)).toBe(`source 6→6${way === 'columnar' ? ' | filter 6→6' : ''} | target 6→3`)
    expect(warnings(run)).toEqual(['Table orders left out 3 of 6 rows: it has a trigger'])
    expect(messages(run)).toContain('Upserted 3 rows into orders: 1 inserted, 1 updated, 1 unchanged')
    expect(run.steps.at(-1)).toMatchObject({ rows_inserted: 1, rows_updated: 1 })
    expect(await postgres.query('SELECT * FROM app.orders ORDER BY id')).toEqual([
      { id: 1, v: 'same' },
      { id: 2, v: 'new' },
      { id: 3, v: 'old' },
      { id: 4, v: 'old' },
      { id: 5, v: 'new' },
    ])
  })

  test('PostgreSQL, a trigger, where all columns are the key', async () => {
    await postgres.query(`CREATE TABLE app.orders (id integer, v text, PRIMARY KEY (id, v)); INSERT INTO app.orders VALUES ${before};
      ${guard} CREATE TABLE app.s (id integer, v text); INSERT INTO app.s VALUES ${incoming}`)
    const run = await load('columnar', [postgres.connector(1), postgres.connector(2)], 'mode: upsert, key: [id, v]')
    expect(run.error).toBeUndefined()
    expect(warnings(run)).toEqual(['Table orders left out 1 of 6 rows: it has a trigger'])
    expect(messages(run)).toContain('Upserted 5 rows into orders: 4 inserted, 0 updated, 1 unchanged')
  })

  test('PostgreSQL: a trigger that leaves out nothing, and one that is disabled, are no warning', async () => {
    await postgres.query(`CREATE TABLE app.orders (id integer PRIMARY KEY, v text, at timestamptz); INSERT INTO app.orders VALUES ${before};
      ${guard} ALTER TABLE app.orders DISABLE TRIGGER guard;
      CREATE FUNCTION app.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN new.at := now(); RETURN new; END $$;
      CREATE TRIGGER touch BEFORE INSERT OR UPDATE ON app.orders FOR EACH ROW EXECUTE FUNCTION app.touch();
      CREATE TABLE app.s (id integer, v text); INSERT INTO app.s VALUES ${incoming}`)
    const bound: [BoundConnector, BoundConnector] = [postgres.connector(1), postgres.connector(2)]
    const run = await load('columnar', bound, 'mode: upsert, key: [id]')
    expect([run.status, run.item_count, warnings(run)]).toEqual(['success', 5, []])
    const again = await load('columnar', bound, 'mode: upsert, key: [id]')
    expect([again.status, again.item_count, warnings(again)]).toEqual(['success', 0, []])
  })

  test.each<[Way, 'trigger' | 'rule']>([
    ['columnar', 'trigger'],
    ['pushdown', 'trigger'],
    ['columnar', 'rule'],
    ['pushdown', 'rule'],
    ['bytes', 'rule'],
  ])('PostgreSQL, rows that are appended (%s, a %s)', async (way, what) => {
    await postgres.query(`CREATE TABLE app.orders (id integer, v text);
      ${what === 'trigger' ? guard : `CREATE RULE guard AS ON INSERT TO app.orders WHERE new.v = 'no insert' DO INSTEAD NOTHING;`}
      CREATE TABLE app.s (id integer, v text); INSERT INTO app.s VALUES ${incoming}`)
    const run = await load(way, [postgres.connector(1), postgres.connector(way === 'pushdown' ? 1 : 2)], 'mode: append')
    expect(run.error).toBeUndefined()
    expect(run.metrics.lane).toBe(way)
    expect([run.status, run.item_count]).toEqual(['completed', 5])
    expect(warnings(run)).toEqual([`Table orders left out 1 of 6 rows: it has a ${what}`])
    expect(await postgres.query('SELECT count(*)::int AS n FROM app.orders')).toEqual([{ n: 5 }])
  })

  const sqlite = (ddl: string) => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec(`${ddl}; CREATE TABLE s (id INTEGER, v TEXT); INSERT INTO s VALUES ${incoming}`)
    const one = sqliteConnector(path)
    return {
      bound: (way: Way): [BoundConnector, BoundConnector] => [one, way === 'pushdown' ? one : sqliteConnector(path)],
      rows: () => db.prepare('SELECT * FROM orders ORDER BY id').all(),
      close: () => db.close(),
    }
  }

  test.each<[Way, string, string]>([
    [
      'columnar',
      `CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT);
       CREATE TRIGGER i BEFORE INSERT ON orders WHEN new.v = 'no insert' BEGIN SELECT RAISE(IGNORE); END;
       CREATE TRIGGER u BEFORE UPDATE ON orders WHEN new.v IN ('no update', 'undone') BEGIN SELECT RAISE(IGNORE); END`,
      'a trigger',
    ],
    [
      'pushdown',
      `CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT);
       CREATE TRIGGER i BEFORE INSERT ON orders WHEN new.v = 'no insert' BEGIN SELECT RAISE(IGNORE); END;
       CREATE TRIGGER u BEFORE UPDATE ON orders WHEN new.v IN ('no update', 'undone') BEGIN SELECT RAISE(IGNORE); END`,
      'a trigger',
    ],
  ])('SQLite, %s: %s', async (way, ddl, rule) => {
    const db = sqlite(`${ddl}; INSERT INTO orders VALUES ${before}`)
    const run = await load(way, db.bound(way), 'mode: upsert, key: [id]')
    expect(run.error).toBeUndefined()
    expect([run.status, run.item_count]).toEqual(['completed', 2])
    expect(warnings(run)).toEqual([`Table orders left out 3 of 6 rows: it has ${rule}`])
    expect(messages(run)).toContain('Upserted 3 rows into orders: 1 inserted, 1 updated, 1 unchanged')
    expect(db.rows()).toEqual([
      { id: 1, v: 'same' },
      { id: 2, v: 'new' },
      { id: 3, v: 'old' },
      { id: 4, v: 'old' },
      { id: 5, v: 'new' },
    ])
    db.close()
  })

  test.each<Way>(['columnar', 'pushdown'])('SQLite, a constraint with ON CONFLICT IGNORE (%s)', async (way) => {
    const db = sqlite(`CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT UNIQUE ON CONFLICT IGNORE);
      INSERT INTO orders VALUES (1, 'same'), (2, 'old'), (3, 'no update'), (4, 'old too'), (10, 'no insert')`)
    const run = await load(way, db.bound(way), 'mode: upsert, key: [id]')
    expect(run.error).toBeUndefined()
    // Row 5 has the text of row 2, and row 6 that of row 10.
    expect(warnings(run)).toEqual(['Table orders left out 2 of 6 rows: it has an ON CONFLICT clause'])
    expect(messages(run)).toContain('Upserted 4 rows into orders: 0 inserted, 2 updated, 2 unchanged')
    db.close()
  })

  test.each<[Way, string]>([
    ['columnar', 'mode: append'],
    ['pushdown', 'mode: append'],
    ['columnar', 'mode: upsert, key: [id]'],
    ['pushdown', 'mode: upsert, key: [id]'],
  ])('SQLite, rows that ON CONFLICT REPLACE takes away (%s, %s)', async (way, mode) => {
    const db = sqlite(`CREATE TABLE orders (id INTEGER PRIMARY KEY, v TEXT UNIQUE ON CONFLICT REPLACE);
      INSERT INTO orders VALUES (20, 'same'), (21, 'old')`)
    const run = await load(way, db.bound(way), mode)
    expect(run.error).toBeUndefined()
    // The row of 20 goes for 1, and that of 2 for 5.
    expect([run.status, warnings(run)]).toEqual([
      'completed',
      ['Table orders replaced 2 rows that conflicted with new ones: it has an ON CONFLICT clause'],
    ])
    expect(db.rows()).toHaveLength(6)
    db.close()
  })
})

describe('rows that are to be deleted, and that the table keeps, fail the run', () => {
  const postgres = usePostgres()
  const ddl = `CREATE TABLE orders (id integer, v text); INSERT INTO orders VALUES (1, 'old'), (2, 'old');
    CREATE TABLE s (id integer, v text); INSERT INTO s VALUES (1, 'new')`

  test.each<[Way, string, string]>([
    ['columnar', 'mode: delete_insert, key: [id]', 'trigger'],
    ['pushdown', 'mode: delete_insert, key: [id]', 'trigger'],
    ['bytes', 'mode: replace', 'trigger'],
    ['columnar', 'mode: replace', 'rule'],
    ['pushdown', 'mode: delete_insert, key: [id]', 'rule'],
  ])('PostgreSQL (%s, %s, a %s)', async (way, mode, what) => {
    await postgres.query(
      `${ddl}; ${
        what === 'rule'
          ? `CREATE RULE keep AS ON DELETE TO orders DO INSTEAD UPDATE orders SET v = 'deleted' WHERE id = old.id`
          : `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
             CREATE TRIGGER keep BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION keep()`
      }`,
    )
    const run = await load(way, [postgres.connector(1), postgres.connector(way === 'pushdown' ? 1 : 2)], mode)
    expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target', retryable: false })
    const kept = mode.includes('replace') ? 2 : 1
    expect(run.error?.message).toBe(
      `Table orders kept ${kept} ${kept === 1 ? 'row' : 'rows'} that \`${kept === 2 ? 'replace' : 'delete_insert'}\` deletes: it has a ${what}`,
    )
    expect(await postgres.query('SELECT * FROM orders ORDER BY id')).toEqual([
      { id: 1, v: 'old' },
      { id: 2, v: 'old' },
    ])
  })

  test('PostgreSQL: a trigger that deletes is no obstacle', async () => {
    await postgres.query(`${ddl}; CREATE FUNCTION pass() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN old; END $$;
      CREATE TRIGGER pass BEFORE DELETE ON orders FOR EACH ROW EXECUTE FUNCTION pass()`)
    const run = await load('columnar', [postgres.connector(1), postgres.connector(2)], 'mode: replace')
    expect([run.status, warnings(run)]).toEqual(['success', []])
    expect(await postgres.query('SELECT * FROM orders')).toEqual([{ id: 1, v: 'new' }])
  })

  test.each<[Way, string]>([
    ['columnar', 'mode: delete_insert, key: [id]'],
    ['pushdown', 'mode: delete_insert, key: [id]'],
    ['columnar', 'mode: replace'],
    ['pushdown', 'mode: replace'],
  ])('SQLite (%s, %s)', async (way, mode) => {
    const path = join(temporaryFolder(), 'a.db')
    const db = new Database(path)
    db.exec(`${ddl}; CREATE TRIGGER keep BEFORE DELETE ON orders BEGIN SELECT RAISE(IGNORE); END`)
    const one = sqliteConnector(path)
    const run = await load(way, [one, way === 'pushdown' ? one : sqliteConnector(path)], mode)
    expect(run.error).toMatchObject({ code: 'CONSTRAINT_VIOLATED', step: 'target' })
    expect(run.error?.message).toMatch(/^Table orders kept \d rows? that `\w+` deletes: it has a trigger$/)
    expect(db.prepare('SELECT * FROM orders ORDER BY id').all()).toEqual([
      { id: 1, v: 'old' },
      { id: 2, v: 'old' },
    ])
    db.close()
  })
})
