import Database from 'better-sqlite3'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { ColumnDrift } from '../../../src/contract/schema-drift.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { duckFile } from './duckdb-fixture.ts'
import { useMariaDb } from './mariadb-fixture.ts'
import { usePostgres } from './postgres-fixture.ts'
import { runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

/** A database as any other program sees it. */
interface System {
  bound(): BoundConnector
  exec(sql: string): Promise<unknown>
  /** `name type` of each column, in the table's order. */
  columns(): Promise<string[]>
  /** Values as text, by the order of `id`. */
  rows(): Promise<unknown[]>
  types: { integer: string; text: string; date: string }
}

const taskOf = (system: System, rows: string, types: string, target: string, table = 't'): string =>
  `etl: 1
kind: pipeline
name: load
connectors: {db: {type: ${system.bound().type}, access: write}}
source: {inline: {rows: ${rows}, columns: ${types}}}
target: {connector: db, table: ${table}, ${target}}
`

const write = (system: System, rows: string, types: string, target: string): Promise<FinishedRun> =>
  runTask(taskOf(system, rows, types, target), { db: system.bound() })

async function preview(system: System, rows: string, types: string, target: string, table = 't') {
  const answer = await runCall(
    {
      kind: 'preview',
      yaml_content: taskOf(system, rows, types, target, table),
      arguments: {},
      connectors: { db: system.bound() },
      step: null,
      limit: 100,
    },
    { signal: new AbortController().signal, tempDir: temporaryFolder() },
  )
  if (answer.kind !== 'preview') throw new Error(answer.kind)
  return answer.value.target
}

/** The table is `t (id integer, amount integer, note text)` and holds two rows. */
const changes = {
  added: {
    rows: `[{id: 3, amount: 30, note: c, more: x}]`,
    types: `{id: integer, amount: integer, note: string, more: string}`,
  },
  removed: { rows: `[{id: 3, amount: 30}]`, types: `{id: integer, amount: integer}` },
  renamed: { rows: `[{id: 3, amount: 30, remark: c}]`, types: `{id: integer, amount: integer, remark: string}` },
  retyped: { rows: `[{id: 3, amount: 2024-02-29, note: c}]`, types: `{id: integer, amount: date, note: string}` },
  reordered: { rows: `[{note: c, amount: 30, id: 3}]`, types: `{note: string, amount: integer, id: integer}` },
} as const
type Change = keyof typeof changes

type Row = Record<string, string | null>
const held: Row[] = [
  { id: '1', amount: '10', note: 'a' },
  { id: '2', amount: '20', note: 'b' },
]
/** What rows that are there have in columns that come later. */
const empty = (row: Row): Row => Object.fromEntries(Object.keys(row).map((column) => [column, null]))

interface Outcome {
  /** In the words of the types of a system; null: the run fails and the table is as it was. */
  columns: string[] | null
  row: Row
  drift: string[]
}

const same = ['id integer', 'amount integer', 'note text']
const notWritten = 'note: text → none, not_written'

function expected(change: Change, columns: string, types: string): Outcome {
  const added = (column: string): Pick<Outcome, 'columns' | 'drift'> => ({
    columns: columns === 'freeze' ? null : columns === 'evolve' ? [...same, `${column} text`] : same,
    drift: [`${column}: none → text, ${{ evolve: 'added', freeze: 'refused', discard: 'left_out' }[columns]}`],
  })
  const more = columns === 'evolve'
  switch (change) {
    case 'added':
      return { ...added('more'), row: { id: '3', amount: '30', note: 'c', ...(more ? { more: 'x' } : {}) } }
    case 'removed':
      return { columns: same, row: { id: '3', amount: '30', note: null }, drift: [notWritten] }
    case 'renamed': {
      const { columns: found, drift } = added('remark')
      return {
        columns: found,
        row: { id: '3', amount: '30', note: null, ...(more ? { remark: 'c' } : {}) },
        drift: [...drift, notWritten],
      }
    }
    case 'retyped': {
      const [type, outcome] =
        { freeze: ['date', 'refused'], widen: ['text', 'widened'], recreate: ['date', 'recreated'] }[types] ?? []
      return {
        columns: types === 'freeze' ? null : ['id integer', `amount ${type}`, 'note text'],
        row: { id: '3', amount: '2024-02-29', note: 'c' },
        drift: [`amount: integer → ${type}, ${outcome}`],
      }
    }
    case 'reordered':
      return { columns: same, row: { id: '3', amount: '30', note: 'c' }, drift: [] }
  }
}

const inWords = (drift: readonly ColumnDrift[] = []): string[] =>
  drift.map(({ column, there, coming, outcome }) => `${column}: ${there ?? 'none'} → ${coming ?? 'none'}, ${outcome}`)

const postgres = usePostgres()
const mariadb = useMariaDb()
let path = ''
let duck = duckFile
let file: ReturnType<typeof duckFile>
beforeEach(() => {
  path = join(temporaryFolder(), 'app.db')
  file = duck()
})

function withSqlite<T>(work: (db: Database.Database) => T): T {
  const db = new Database(path)
  try {
    return work(db)
  } finally {
    db.close()
  }
}
/** Numbers, texts, dates. */
const shown = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number'
    ? String(value)
    : value instanceof Date
      ? value.toISOString()
      : null
const texts = (rows: Record<string, unknown>[]): unknown[] =>
  rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, shown(value)])))

const systems: Record<string, System> = {
  PostgreSQL: {
    bound: () => postgres.connector(),
    exec: (sql) => postgres.query(sql),
    columns: async () =>
      (
        await postgres.query(
          `SELECT attname || ' ' || format_type(atttypid, atttypmod) AS is FROM pg_attribute WHERE attrelid = 't'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
        )
      ).map((row) => String(row['is'])),
    rows: async () =>
      (await postgres.query('SELECT to_json(t)::text AS row FROM t ORDER BY id')).map(
        ({ row }) => texts([JSON.parse(String(row)) as Record<string, unknown>])[0],
      ),
    types: { integer: 'integer', text: 'text', date: 'date' },
  },
  MariaDB: {
    bound: () => mariadb.connector(),
    exec: (sql) => mariadb.query(sql),
    columns: async () =>
      (
        await mariadb.query(
          `SELECT concat(column_name, ' ', column_type) AS 'is' FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 't' ORDER BY ordinal_position`,
        )
      ).map((row) => String(row['is'])),
    rows: async () => {
      const columns = (
        await mariadb.query(
          `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'app' AND table_name = 't'`,
        )
      ).map(({ name }) => String(name))
      return texts(
        await mariadb.query(
          `SELECT ${columns.map((column) => `CAST(${column} AS CHAR) AS ${column}`).join(', ')} FROM t ORDER BY t.id`,
        ),
      )
    },
    types: { integer: 'int(11)', text: 'longtext', date: 'date' },
  },
  SQLite: {
    bound: () => sqliteConnector(path),
    exec: async (sql) => withSqlite((db) => db.exec(sql)),
    columns: async () =>
      withSqlite((db) => db.prepare(`SELECT name || ' ' || type FROM pragma_table_info('t')`).pluck().all()).map(
        String,
      ),
    rows: async () =>
      texts(withSqlite((db) => db.prepare('SELECT * FROM t ORDER BY id').all()) as Record<string, unknown>[]),
    types: { integer: 'INTEGER', text: 'TEXT', date: 'DATE' },
  },
  DuckDB: {
    bound: () => file.bound,
    exec: (sql) => file.sql(sql),
    columns: async () => (await file.sql('DESCRIBE t')).map(([name, type]) => `${String(name)} ${String(type)}`),
    rows: async () =>
      texts(
        (await file.sql('SELECT to_json(t)::VARCHAR FROM t ORDER BY id')).map(
          ([row]) => JSON.parse(String(row)) as Record<string, unknown>,
        ),
      ),
    types: { integer: 'BIGINT', text: 'VARCHAR', date: 'DATE' },
  },
}

interface Policy {
  columns: string
  types: string
  mode: string
}
const policies = (types: string[], mode: string): Policy[] =>
  ['evolve', 'freeze', 'discard'].flatMap((columns) => types.map((type) => ({ columns, types: type, mode })))
/** What the change does not ask for is tried with `replace` alone. */
const decides = (change: Change, { columns, types }: Policy): boolean =>
  (columns === 'evolve' || change === 'added' || change === 'renamed') && (types === 'freeze' || change === 'retyped')
const cells = (Object.keys(changes) as Change[]).flatMap((change) =>
  [
    ...policies(['freeze', 'widen', 'recreate'], 'replace'),
    // A table that keeps its rows is not recreated.
    ...policies(['freeze', 'widen'], 'append').filter((policy) => decides(change, policy)),
  ].map((policy) => ({ change, ...policy })),
)

describe.each(Object.entries(systems))('rows that do not fit a table of %s', (name, system) => {
  const { types: own } = system
  const inOwn = (words: string): string =>
    words.replaceAll(/\b(integer|text|date)\b/g, (word) => own[word as keyof typeof own]) // one of the three
  beforeEach(async () => {
    await system.exec(`CREATE TABLE t (id ${own.integer}, amount ${own.integer}, note ${own.text})`)
    await system.exec(`INSERT INTO t VALUES (1, 10, 'a'), (2, 20, 'b')`)
  })

  it.each(cells)('a column is $change; mode: $mode, columns: $columns, types: $types', async (cell) => {
    const { change, columns, types, mode } = cell
    const { rows, types: given } = changes[change]
    const target = `mode: ${mode}, schema: {columns: ${columns}, types: ${types}}`
    const before = [await system.columns(), await system.rows()]
    // SQLite can't give a column that has rows another type, and would turn texts into numbers in this one.
    const outcome = expected(change, columns, name === 'SQLite' && types === 'widen' ? 'freeze' : types)
    const drift = outcome.drift.map(inOwn)
    expect(inWords((await preview(system, rows, given, target))?.drift)).toEqual(drift)
    expect([await system.columns(), await system.rows()]).toEqual(before)
    const run = await write(system, rows, given, target)
    expect(run.error?.code).toBe(outcome.columns === null ? 'SCHEMA_MISMATCH' : undefined)
    const kept = mode === 'append' ? held.map((row) => ({ ...empty(outcome.row), ...row })) : []
    expect([await system.columns(), await system.rows()]).toEqual(
      outcome.columns === null ? before : [outcome.columns.map(inOwn), [...kept, outcome.row]],
    )
    expect(inWords(run.steps.at(-1)?.drift)).toEqual(drift)
  })

  it('shows in a preview what would become of the columns, and touches nothing', async () => {
    const before = [await system.columns(), await system.rows()]
    const shown = (table: string, types: string) =>
      preview(
        system,
        '[{id: 3, amount: 2024-02-29, more: c}]',
        '{id: integer, amount: date, more: string}',
        `mode: replace, schema: {types: ${types}}`,
        table,
      )
    expect(await shown('t', 'recreate')).toEqual({
      table: 't',
      exists: true,
      drift: [
        { column: 'amount', there: own.integer, coming: own.date, outcome: 'recreated' },
        { column: 'more', there: null, coming: own.text, outcome: 'added' },
        { column: 'note', there: own.text, coming: null, outcome: 'not_written' },
      ],
    })
    expect((await shown('t', 'freeze'))?.drift[0]).toMatchObject({ column: 'amount', outcome: 'refused' })
    expect(await shown('missing', 'freeze')).toEqual({ table: 'missing', exists: false, drift: [] })
    expect([await system.columns(), await system.rows()]).toEqual(before)
  })

  it('says which key lets in a column of another type, and a column that is new', async () => {
    const { rows, types } = changes.retyped
    const replaced = await write(system, rows, types, 'mode: replace')
    expect(replaced.error?.hint).toContain(name === 'SQLite' ? 'as TEXT (SQLite can’t change' : 'schema.types: widen')
    expect(replaced.error?.hint).toContain('schema.types: recreate')
    const added = await write(system, rows, types, 'mode: append')
    expect(added.error?.hint).not.toContain('recreate')
    const frozen = await write(system, changes.added.rows, changes.added.types, 'schema: {columns: freeze}')
    expect(frozen.error?.hint).toContain('schema.columns: evolve')
  })

  it('keeps the old table with its rows where the run fails behind its rows', async () => {
    const before = [await system.columns(), await system.rows()]
    // The last of many rows breaks a step that only shows it while it is written.
    const run = await runTask(
      `etl: 1
kind: pipeline
name: load
connectors: {db: {type: ${system.bound().type}, access: write}}
source: {inline: {rows: [{n: 200000}], columns: {n: integer}}}
steps:
  - sql: SELECT i AS id, DATE '2024-01-01' AS amount, CASE WHEN i = 200000 THEN error('the last one') END AS note FROM (SELECT unnest(range(1, n + 1)) AS i FROM stream)
target: {connector: db, table: t, mode: replace, schema: {types: recreate}}
`,
      { db: system.bound() },
    )
    expect(run.error?.message).toContain('the last one')
    expect([await system.columns(), await system.rows()]).toEqual(before)
  })

  it('takes 200,000 rows into columns of another type', async () => {
    const run = await runTask(
      `etl: 1
kind: pipeline
name: load
connectors: {db: {type: ${system.bound().type}, access: write}}
source: {inline: {rows: [{n: 200000}], columns: {n: integer}}}
steps:
  - sql: SELECT i AS id, DATE '2024-01-01' + CAST(i % 1000 AS INTEGER) AS amount, 'n' || i AS note FROM (SELECT unnest(range(1, n + 1)) AS i FROM stream)
target: {connector: db, table: t, mode: replace, schema: {types: recreate}}
`,
      { db: system.bound() },
    )
    expect([run.error, run.item_count]).toEqual([undefined, 200_000])
    const rows = await system.rows()
    expect([rows.length, rows[0], rows.at(-1)]).toEqual([
      200_000,
      { id: '1', amount: '2024-01-02', note: 'n1' },
      { id: '200000', amount: '2024-01-01', note: 'n200000' },
    ])
    expect(await system.columns()).toEqual(['id integer', 'amount date', 'note text'].map(inOwn))
  }, 60_000)
})
