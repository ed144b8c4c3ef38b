// Changes of SQLite through server, executor and worker, with a connection of its own watching.
import Database from 'better-sqlite3'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ChangeWorld, raw, startChangeWorld } from './change-world.ts'
import { describeSql } from './sql-suite.ts'

describe('SQLite', () => {
  let world: ChangeWorld
  let database: Database.Database
  let id: number
  beforeAll(async () => {
    world = await startChangeWorld()
    const path = join(world.folder, 'app.db')
    database = new Database(path)
    database.exec('CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER)')
    id = await world.connect({ type: 'sqlite', config: { path }, secrets: {} })
  })
  afterAll(async () => {
    database?.close()
    await world?.close()
  })
  const sql = async (statement: string): Promise<unknown[][]> => {
    const prepared = database.prepare(statement)
    return prepared.reader ? (prepared.raw().all() as unknown[][]) : (prepared.run(), [])
  }

  describeSql({
    world: () => world,
    id: () => id,
    sql,
    quote: (name) => `"${name.replaceAll('"', '""')}"`,
    one: '1',
    two: '2',
    odd: {
      big: { type: 'INTEGER', first: '9223372036854775807', second: '-9223372036854775808' },
      part: { type: 'REAL', first: '0.1', second: '9e999' },
      words: { type: 'TEXT', first: "''", second: "' ö\n'" },
      blob: { type: 'BLOB', first: "x'00ff'", second: "x''" },
      amount: { type: 'DECIMAL(10,2)', first: '1.10', second: "'n/a'" },
      bare: { type: '', first: "x'01'", second: "'5'" },
      strange: { type: 'INTEGER', first: "'text'", second: "x'ab'" },
    },
  })

  test('rows of triggers don’t count, and a trigger that skips a row is told', async () => {
    await sql('CREATE TABLE watched (id INTEGER PRIMARY KEY, n INTEGER)')
    await sql('CREATE TABLE log (n INTEGER)')
    await sql('CREATE TRIGGER noted AFTER UPDATE ON watched BEGIN INSERT INTO log VALUES (new.n), (old.n), (0); END')
    await sql('CREATE TRIGGER spared BEFORE DELETE ON watched WHEN old.n = 2 BEGIN SELECT RAISE(IGNORE); END')
    await sql('INSERT INTO watched VALUES (1, 1), (2, 2)')
    expect(await world.write(id, raw('UPDATE watched SET n = n'))).toMatchObject({ rows: 2, changed: 2 })
    expect(await world.write(id, raw('DELETE FROM watched'))).toMatchObject({ rows: 2, changed: 1 })
    expect(await sql('SELECT id FROM watched')).toEqual([[2]])
  })

  test('keys that SQLite takes for equal are compared exactly', async () => {
    await sql('CREATE TABLE codes (code TEXT COLLATE NOCASE PRIMARY KEY, n INTEGER)')
    await sql("INSERT INTO codes VALUES ('ab', 1), (NULL, 2)")
    const update = (code: string | null, n: string) => ({
      resource: 'codes',
      edits: [{ kind: 'update', original: { code, n }, values: { n: '9' } }],
    })
    expect(await world.post(id, update('AB', '1'))).toMatchObject({
      status: 409,
      body: { details: [{ params: { fields: ['code'] } }] },
    })
    expect(await world.write(id, update(null, '2'))).toMatchObject({ changed: 1 })
    await sql('INSERT INTO codes VALUES (NULL, 2)')
    expect(await world.post(id, update(null, '9'))).toMatchObject({
      body: { details: [{ code: 'changes_row_ambiguous' }] },
    })
  })

  test('a lock of someone else is waited for, and a file that is gone is not made', async () => {
    const path = join(world.folder, 'gone.db')
    const other = new Database(path)
    other.exec('CREATE TABLE t (id INTEGER PRIMARY KEY); INSERT INTO t VALUES (1)')
    const gone = await world.connect({ type: 'sqlite', config: { path }, secrets: {} })
    const body = raw('DELETE FROM t')
    const { confirmation } = await world.review(gone, body)
    other.exec('BEGIN IMMEDIATE')
    const waiting = world.post(gone, { ...body, confirmation })
    setTimeout(() => other.exec('COMMIT'), 300)
    expect(await waiting).toMatchObject({ status: 200, body: { changed: 1 } })
    const again = await world.review(gone, raw('INSERT INTO t VALUES (2)'))
    other.close()
    rmSync(path)
    const answer = await world.post(gone, { ...raw('INSERT INTO t VALUES (2)'), confirmation: again.confirmation })
    expect(answer.status).toBe(502)
    expect(existsSync(path)).toBe(false)
  })
})
