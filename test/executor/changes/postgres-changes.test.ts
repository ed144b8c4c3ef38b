// Changes of PostgreSQL through server, executor and worker, with another client watching and interfering.
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { postgresPrograms } from '../../support/postgres.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import { type ChangeWorld, raw, startChangeWorld } from './change-world.ts'
import { describeSql, refusedFor } from './sql-suite.ts'

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  let world: ChangeWorld
  let id: number
  beforeAll(async () => {
    world = await startChangeWorld()
    const { type, config, secrets } = database.connector()
    id = await world.connect({ type, config, secrets })
  })
  afterAll(() => world?.close())
  beforeEach(
    async () => void (await database.query('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)')),
  )
  const sql = async (statement: string): Promise<unknown[][]> =>
    (await database.query(statement)).map((row) => Object.values(row))

  describeSql({
    world: () => world,
    id: () => id,
    sql,
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    one: 1,
    two: 2,
    odd: {
      big: { type: 'BIGINT', first: '9223372036854775807', second: '-9223372036854775808' },
      money: { type: 'NUMERIC', first: '1.10', second: "'NaN'" },
      single: { type: 'REAL', first: '0.1', second: "'Infinity'" },
      part: { type: 'FLOAT8', first: '0.1', second: "'-0'" },
      yes: { type: 'BOOLEAN', first: 'true', second: 'false' },
      blob: { type: 'BYTEA', first: "'\\x00ff'", second: "''" },
      day: { type: 'DATE', first: "'0044-03-15 BC'", second: "'2024-02-29'" },
      late: { type: 'TIME', first: "'23:59:59.999999'", second: "'00:00'" },
      at: { type: 'TIMESTAMP', first: "'2024-02-29 12:34:56.123456'", second: "'infinity'" },
      zoned: { type: 'TIMESTAMPTZ', first: "'2024-02-29 12:34:56.123456+02'", second: "'0001-01-01 00:00:00+00 BC'" },
      doc: { type: 'JSON', first: `'{"a":  1.10}'`, second: `'[]'` },
      docb: { type: 'JSONB', first: `'{"a": 1.10, "ö": null}'`, second: `'"text"'` },
      list: { type: 'INTEGER[]', first: "'{1,NULL}'", second: "'{}'" },
      texts: { type: 'TEXT[]', first: `'{"a,b","\\"",NULL}'`, second: "'{NULL}'" },
      span: { type: 'INTERVAL', first: "'1 day 00:00:00.5'", second: "'-1 mon'" },
      place: { type: 'POINT', first: "'(1,2.5)'", second: "'(0,0)'" },
      uid: {
        type: 'UUID',
        first: "'550e8400-e29b-41d4-a716-446655440000'",
        second: "'650e8400-e29b-41d4-a716-446655440000'",
      },
      padded: { type: 'CHAR(5)', first: "'ab'", second: "''" },
    },
  })

  test('a second client that changes the row while it waits for its lock wins, and nothing is sent', async () => {
    await sql('CREATE TABLE counters (id INTEGER PRIMARY KEY, n INTEGER)')
    await sql('INSERT INTO counters VALUES (1, 1)')
    const body = { resource: 'counters', edits: [{ kind: 'update', original: { id: 1, n: 1 }, values: { n: 2 } }] }
    const { confirmation } = await world.review(id, body)
    const { host, port, user, password } = database.server
    const other = new pg.Client({ host, port, user, password, database: database.server.database })
    await other.connect()
    await other.query('SET search_path = app')
    await other.query('BEGIN; UPDATE counters SET n = 5 WHERE id = 1')
    const answer = world.post(id, { ...body, confirmation })
    await expect
      .poll(() =>
        sql("SELECT 1 FROM pg_stat_activity WHERE application_name = 'headgate' AND wait_event_type = 'Lock'"),
      )
      .toHaveLength(1)
    await other.query('COMMIT')
    await other.end()
    expect(await answer).toMatchObject({ status: 409, body: { code: 'changes_conflict' } })
    expect(await sql('SELECT n FROM counters')).toEqual([[5]])
  })

  test('triggers that skip rows are told; what they write elsewhere doesn’t count', async () => {
    await sql('CREATE TABLE watched (id INTEGER PRIMARY KEY, gone BOOLEAN DEFAULT false)')
    await sql('INSERT INTO watched VALUES (1), (2)')
    await sql(
      `CREATE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN UPDATE watched SET gone = true WHERE id = old.id; RETURN NULL; END $$`,
    )
    await sql('CREATE TRIGGER keep BEFORE DELETE ON watched FOR EACH ROW EXECUTE FUNCTION keep()')
    const body = { resource: 'watched', edits: [{ kind: 'delete', original: { id: 1, gone: false } }] }
    expect(await world.write(id, body)).toMatchObject({ rows: 1, changed: 0, statements: [{ rows: 1, changed: 0 }] })
    expect(await sql('SELECT id, gone FROM watched ORDER BY id')).toEqual([
      [1, true],
      [2, false],
    ])
  })

  test('an executor that is killed within the commit leaves an unknown outcome, told as such', async () => {
    await sql('CREATE TABLE slow (id INTEGER PRIMARY KEY)')
    await sql(
      'CREATE FUNCTION slow_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$',
    )
    await sql(
      'CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION slow_commit()',
    )
    const body = { resource: 'slow', edits: [{ kind: 'insert', values: { id: 1 } }] }
    const { confirmation } = await world.review(id, body)
    const asked = world.post(id, { ...body, confirmation })
    await expect
      .poll(() => sql("SELECT 1 FROM pg_stat_activity WHERE query = 'COMMIT' AND state = 'active'"), {
        timeout: 10_000,
      })
      .toHaveLength(1)
    world.executor().kill('SIGKILL')
    expect(await asked).toMatchObject({ status: 504, body: { code: 'changes_outcome_unknown' } })
    world.startExecutor()
    await expect.poll(() => world.online(), { timeout: 30_000 }).toBe('online')
    expect(await world.post(id, { ...body, confirmation })).toMatchObject({ status: 409 })
  })

  test('a constraint that is checked at the commit writes nothing', async () => {
    await sql(
      'CREATE TABLE pairs (id INTEGER PRIMARY KEY, other INTEGER REFERENCES pairs DEFERRABLE INITIALLY DEFERRED)',
    )
    const body = { resource: 'pairs', edits: [{ kind: 'insert', values: { id: 1, other: 7 } }] }
    const { confirmation } = await world.review(id, body)
    expect(await world.post(id, { ...body, confirmation })).toMatchObject({ status: 502 })
    expect(await sql('SELECT * FROM pairs')).toEqual([])
  })

  test('a review calls nothing that acts, and its session can write nothing', async () => {
    for (const call of [
      'pg_terminate_backend(1) IS NULL',
      "dblink('x', 'y') IS NULL",
      "pg_read_file('/etc/passwd') = ''",
    ]) {
      expect(await world.post(id, raw(`DELETE FROM people WHERE ${call}`))).toMatchObject({ status: 400 })
    }
    await sql('CREATE SEQUENCE touched')
    await sql("INSERT INTO people VALUES (1, 'Ada', 36)")
    expect((await world.post(id, raw("DELETE FROM people WHERE nextval('touched') > 0 OR id > 0"))).status).not.toBe(
      200,
    )
    expect(await sql('SELECT is_called FROM touched')).toEqual([[false]])
  })

  test('a change calls nothing that acts or reads files, wherever it stands in the statement', async () => {
    for (const statement of [
      "INSERT INTO people VALUES (5, pg_read_file('/etc/passwd'), 1)",
      "INSERT INTO people VALUES (5, 'x', 1) RETURNING pg_read_file('/etc/passwd')",
      "UPDATE people SET name = pg_read_file('/etc/passwd')",
      "UPDATE people SET name = 'x' --\r, age = length(pg_read_file('/etc/passwd'))",
      "DELETE FROM people RETURNING lo_import('/etc/passwd')",
    ]) {
      expect(await world.post(id, raw(statement))).toMatchObject(refusedFor('function_refused_in_query'))
    }
    await sql('CREATE SEQUENCE given')
    const numbered = raw("INSERT INTO people VALUES (nextval('given') + 1000, 'x', 1)")
    expect(await world.write(id, numbered)).toMatchObject({ changed: 1 })
    expect(await world.write(id, raw('DELETE FROM people WHERE id > 1000'))).toMatchObject({ changed: 1 })
  })

  test('updates and deletes over other tables, with limits of other dialects refused', async () => {
    await sql('DELETE FROM people')
    await sql("INSERT INTO people VALUES (1, 'Ada', 36), (2, 'Grace', 45)")
    await sql('CREATE TABLE ages (name TEXT, age INTEGER)')
    await sql("INSERT INTO ages VALUES ('Ada', 1), ('Ada', 2), ('Nobody', 3)")
    expect(
      await world.review(id, raw('UPDATE people p SET age = a.age FROM ages a WHERE a.name = p.name RETURNING p.id')),
    ).toMatchObject({ rows: 1 })
    expect(await world.write(id, raw('DELETE FROM people USING ages WHERE ages.name = people.name'))).toMatchObject({
      rows: 1,
      changed: 1,
    })
    expect(
      await world.write(
        id,
        raw('WITH old AS (SELECT id FROM people) UPDATE people SET age = 0 WHERE id IN (SELECT id FROM old)'),
      ),
    ).toMatchObject({ rows: 1, changed: 1 })
    const upsert = raw("INSERT INTO people VALUES (2, 'x', 1) ON CONFLICT (id) DO NOTHING")
    expect(await world.post(id, upsert)).toMatchObject(refusedFor('change_not_countable'))
  })
})
