import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

const move = (path: string, source: string, target: string, steps = '[]') => {
  const bound = sqliteConnector(path)
  return runTask(
    `etl: 1
kind: pipeline
name: move
connectors: {db: {type: sqlite, access: read_write}}
source: {${source}}
steps: ${steps}
target: {connector: db, table: t, ${target}}
`,
    { db: bound },
  )
}

describe('column names that SQLite reads in its own way', () => {
  it.each(['append', 'replace', 'upsert, key: ["true"]', 'delete_insert, key: ["true"]'])(
    'moves columns called `true` and `false` within a database, mode: %s',
    async (mode) => {
      const path = join(temporaryFolder(), 'app.db')
      const db = new Database(path)
      db.exec(
        `CREATE TABLE s ("true" TEXT, "False" INTEGER, other REAL); INSERT INTO s VALUES ('a', 1, 0.5), ('b', 2, NULL)`,
      )
      for (const source of [
        'connector: db, sql: {table: s}',
        `connector: db, sql: {query: 'SELECT "false", "true", other FROM s'}`,
      ]) {
        const run = await move(path, source, `mode: ${mode}`, '[{drop: [other]}]')
        expect([run.error, run.metrics.lane]).toEqual([undefined, 'pushdown'])
        const rows = db.prepare('SELECT "true", "false" FROM t ORDER BY 1').raw().all()
        expect(rows.filter((_, at) => mode !== 'append' || at % (rows.length / 2) === 0)).toEqual([
          ['a', 1],
          ['b', 2],
        ])
      }
      db.close()
    },
  )

  it('adds columns called `rowid`, `_rowid_` and `oid` to a table, which keeps its rows, indexes and what refers to it', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, -- the key, (
      v TEXT CHECK (v <> ','), CONSTRAINT c UNIQUE (v)); CREATE INDEX t_v ON t (v);
      CREATE TABLE child (t INTEGER REFERENCES t ON DELETE CASCADE); CREATE VIEW w AS SELECT v FROM t;
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000) INSERT INTO t SELECT i, 'v' || i FROM n;
      INSERT INTO child VALUES (1), (200000)`)
    const run = await move(path, 'inline: {rows: [{id: 0, rowid: x, _ROWID_: 7, oid: 1.5}]}', 'mode: append')
    expect(run.error).toBeUndefined()
    expect(db.prepare('SELECT * FROM t WHERE id < 2').all()).toEqual([
      { id: 0, v: null, rowid: 'x', _ROWID_: 7, oid: 1.5 },
      { id: 1, v: 'v1', rowid: null, _ROWID_: null, oid: null },
    ])
    expect(db.prepare('SELECT count(*), count("rowid") FROM t').raw().get()).toEqual([200_001, 1])
    expect(db.prepare('SELECT count(*) FROM child').pluck().get()).toBe(2)
    expect(db.prepare('SELECT count(*) FROM w').pluck().get()).toBe(200_001)
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(db.pragma('foreign_key_check')).toEqual([])
    expect(() => db.exec(`INSERT INTO t (id, v) VALUES (300000, 'v1')`)).toThrow('UNIQUE')
    db.close()
  })

  it('takes such a column back with the rows of a run that fails', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const db = new Database(path)
    db.exec(`CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES (1, 'a')`)
    const run = await move(path, 'inline: {rows: [{id: 2, rowid: 5}, {id: 1, rowid: 6}]}', 'mode: append')
    expect(run.error?.code).toBe('CONSTRAINT_VIOLATED')
    expect(db.prepare('SELECT * FROM t').all()).toEqual([{ id: 1, v: 'a' }])
    expect(db.prepare(`SELECT sql FROM sqlite_schema WHERE name = 't'`).pluck().get()).toBe(
      'CREATE TABLE t (id INTEGER PRIMARY KEY, v TEXT)',
    )
    db.close()
  })
})
