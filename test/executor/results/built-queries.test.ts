// Random definitions of the builder against each system, and an oracle in plain JavaScript.
import Database from 'better-sqlite3'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Double, Long, MongoClient } from 'mongodb'
import { describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { WireValue } from '../../../src/contract/query-values.ts'
import { connectorRunner } from '../../../src/executor/connectors/registry.ts'
import { resultSystem } from '../../../src/executor/connectors/results.ts'
import { buildQuery } from '../../../src/language/query/build-query.ts'
import { hasMongo, startMongo } from '../../support/ferretdb.ts'
import { hasMariaDb } from '../../support/mariadb.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { duckFile } from '../engine/duckdb-fixture.ts'
import { useMariaDb } from '../engine/mariadb-fixture.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'
import {
  type CaseColumn,
  type CaseRow,
  type Habits,
  type Kind,
  makeCase,
  makeRows,
  randomFrom,
} from './builder-cases.ts'

/** More of them: `BUILDER_CASES=3000 BUILDER_SEED=5000 npm test -- built-queries`. */
const cases = Number(process.env['BUILDER_CASES'] ?? 60)
const firstSeed = Number(process.env['BUILDER_SEED'] ?? 1)
const rowCount = 150

/** Names that a system would misread, were they not quoted. */
const columns: readonly CaseColumn[] = [
  { name: 'id', kind: 'id' },
  { name: 'order', kind: 'whole' },
  { name: 'a.b', kind: 'exact' },
  { name: ':float', kind: 'float' },
  { name: `te"x\`t 'ö' --`, kind: 'text' },
  { name: 'Day', kind: 'day' },
  { name: '$moment', kind: 'moment' },
  { name: 'flag?', kind: 'flag' },
]

const sound = { wrong: [], isSharp: true }

/** Runs random definitions; what differs from what the oracle says. */
async function prove(
  connector: BoundConnector,
  resource: string,
  rows: readonly CaseRow[],
  own: readonly CaseColumn[],
  habits: Habits,
) {
  const tempDir = mkdtempSync(join(tmpdir(), 'headgate-built-'))
  const { signal } = new AbortController()
  const io = { signal, tempDir }
  try {
    const described = await connectorRunner(connector).getResource(connector, resource, io)
    const wrong: unknown[] = []
    let found = 0
    for (let seed = firstSeed; seed < firstSeed + cases; seed++) {
      const { definition, parameters, expected } = makeCase(rows, own, randomFrom(seed), habits)
      const place = { type: connector.type, resource, columns: described.columns }
      const built = buildQuery(definition, place, parameters)
      const got: WireValue[][] = []
      const request = { connector, query: built.text, parameters: built.parameters, timeoutMs: 60_000 }
      let fields: string[] = []
      const sink = {
        start: (all: { name: string }[]) => void (fields = all.map(({ name }) => name)),
        row: (values: readonly WireValue[]) => (got.push([...values]), null),
      }
      const about = { seed, definition, given: parameters, ...built }
      await resultSystem(request)
        .stream(request, sink, io)
        .catch((error: unknown) => void wrong.push({ error: String(error), ...about }))
      const at = Math.max(0, fields.indexOf('id'))
      const numbers = got.map((row) => plainNumber(row[at]))
      const wanted = definition.action === 'count' ? [expected.length] : expected
      const named = definition.columns && connector.type !== 'mongodb' && definition.action === 'find'
      const differs =
        JSON.stringify(numbers) !== JSON.stringify(wanted) ||
        (named && JSON.stringify(fields) !== JSON.stringify(definition.columns))
      if (differs) wrong.push({ numbers, wanted, fields, ...about })
      found += expected.length
    }
    return { wrong, isSharp: found > cases }
  } finally {
    rmSync(tempDir, { recursive: true, force: true })
  }
}

function plainNumber(value: WireValue | undefined): number {
  if (typeof value !== 'object' || value === null) return Number(value)
  const inner: unknown = 'id' in value ? value['id'] : Object.values(value)[0]
  return typeof inner === 'object' && inner !== null ? Number(Object.values(inner)[0]) : Number(inner)
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (value: string | null | undefined) =>
  value === null || value === undefined ? 'NULL' : `'${value.replaceAll("'", "''")}'`

function tableSql(types: Record<Kind, string>, rows: readonly CaseRow[], name = quote, value = literal): string[] {
  const all = columns.map((column) => `${name(column.name)} ${types[column.kind]}`)
  const lines = rows.map((row) => `(${columns.map((column) => value(row[column.name])).join(', ')})`)
  return [
    `CREATE TABLE ${name('th"e table')} (${all.join(', ')})`,
    `INSERT INTO ${name('th"e table')} VALUES ${lines.join(', ')}`,
  ]
}
const table = '"th""e table"'
const long = 600_000

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  test('finds what the conditions say', { timeout: long }, async () => {
    const habits = { special: true, orderedNaN: true, textOfAll: true }
    const rows = makeRows(rowCount, columns, randomFrom(7), habits)
    const types = { id: 'integer', whole: 'bigint', exact: 'numeric(30,10)', float: 'double precision', text: 'text COLLATE "C"', day: 'date', moment: 'timestamp', flag: 'boolean' } // prettier-ignore
    for (const statement of tableSql(types, rows)) await database.query(statement)
    expect(await prove(database.connector(), table, rows, columns, habits)).toEqual(sound)
  })
})

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  const database = useMariaDb()
  test('finds what the conditions say', { timeout: long }, async () => {
    const habits = { textOfAll: true }
    const rows = makeRows(rowCount, columns, randomFrom(7), habits)
    const types = { id: 'int', whole: 'bigint', exact: 'decimal(30,10)', float: 'double', text: 'text COLLATE utf8mb4_nopad_bin', day: 'date', moment: 'datetime(6)', flag: 'boolean' } // prettier-ignore
    const name = (text: string) => `\`${text.replaceAll('`', '``')}\``
    const value = (text: string | null | undefined) =>
      text === 'true' || text === 'false'
        ? `(CASE WHEN ${text} THEN 1 ELSE 0 END)`
        : literal(text?.replaceAll('\\', '\\\\') ?? null)
    const [create = '', ...inserts] = tableSql(types, [], name)
    await database.query(create)
    expect(inserts).toHaveLength(1)
    for (const row of rows) {
      const values = columns.map(({ name: column, kind }) => (kind === 'flag' ? value(row[column]) : literal(row[column]?.replaceAll('\\', '\\\\')))) // prettier-ignore
      await database.query(`INSERT INTO ${name('th"e table')} VALUES (${values.join(', ')})`)
    }
    expect(await prove(database.connector(), table, rows, columns, habits)).toEqual(sound)
  })
})

test('DuckDB finds what the conditions say', { timeout: long }, async () => {
  const habits = { special: true, orderedNaN: true, textOfAll: true }
  const rows = makeRows(rowCount, columns, randomFrom(7), habits)
  const types = { id: 'INTEGER', whole: 'BIGINT', exact: 'DECIMAL(30,10)', float: 'DOUBLE', text: 'VARCHAR', day: 'DATE', moment: 'TIMESTAMP', flag: 'BOOLEAN' } // prettier-ignore
  const file = duckFile()
  await file.sql(tableSql(types, rows).join(';'))
  expect(await prove(file.bound, table, rows, columns, habits)).toEqual(sound)
})

test('SQLite finds what the conditions say', { timeout: long }, async () => {
  const habits = { textDates: true, textOfAll: true }
  const own = columns.filter(({ kind }) => kind !== 'exact')
  const folder = mkdtempSync(join(tmpdir(), 'headgate-built-'))
  const path = join(folder, 'a.db')
  const rows = makeRows(rowCount, own, randomFrom(7), habits)
  const database = new Database(path)
  const types: Partial<Record<Kind, string>> = { id: 'INTEGER', whole: 'INTEGER', float: 'REAL', text: 'TEXT', day: 'DATE', moment: 'DATETIME', flag: 'BOOLEAN' } // prettier-ignore
  database.exec(`CREATE TABLE ${table} (${own.map(({ name, kind }) => `${quote(name)} ${types[kind]}`).join(', ')})`)
  const insert = database.prepare(`INSERT INTO ${table} VALUES (${own.map(() => '?').join(', ')})`)
  for (const row of rows) {
    insert.run(
      own.map(({ name, kind }) => {
        const value = row[name] ?? null
        if (value === null || kind === 'text' || kind === 'day' || kind === 'moment') return value
        return kind === 'flag' ? Number(value === 'true') : kind === 'float' ? Number(value) : BigInt(value)
      }),
    )
  }
  database.close()
  try {
    const connector = { id: 3, name: 'app', type: 'sqlite', config: { path }, secrets: {} }
    expect(await prove(connector, 'th"e table', rows, own, habits)).toEqual(sound)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

describe.skipIf(!hasMongo)('MongoDB', () => {
  test('finds what the conditions say', { timeout: long }, async () => {
    const habits = { milliseconds: true, untyped: 'float' as const }
    const own: readonly CaseColumn[] = [
      { name: 'id', kind: 'id' },
      { name: 'order', kind: 'whole' },
      { name: 'inner.float', kind: 'float' },
      { name: 'te xt:ö', kind: 'text' },
      { name: 'moment', kind: 'moment' },
      { name: 'flag?', kind: 'flag' },
    ]
    const rows = makeRows(rowCount, own, randomFrom(7), habits)
    const server = await startMongo({ inMemory: true })
    const client = await new MongoClient(server.uri).connect()
    try {
      const typed = (kind: Kind, value: string | null | undefined) =>
        value === null || value === undefined
          ? null
          : kind === 'float'
            ? new Double(Number(value))
            : kind === 'moment'
              ? new Date(`${value}Z`)
              : kind === 'flag'
                ? value === 'true'
                : kind === 'text'
                  ? value
                  : Long.fromString(value)
      await client
        .db('shop')
        .collection('things')
        .insertMany(
          rows.map((row, index) => {
            const entries = own.map(({ name, kind }): [string, unknown] => [name, typed(kind, row[name])])
            // Every other NULL is a field that is missing.
            const document: Record<string, unknown> = Object.fromEntries(entries.filter(([, value]) => value !== null || index % 2 === 0)) // prettier-ignore
            if (Object.hasOwn(document, 'inner.float')) {
              document['inner'] = { float: document['inner.float'] }
              delete document['inner.float']
            }
            return document
          }),
        )
      const config = { uri: server.uri, database: 'shop' }
      expect(
        await prove(
          { id: 4, name: 'shop', type: 'mongodb', config, secrets: { uri: server.uri } },
          'things',
          rows,
          own,
          habits,
        ),
      ).toEqual(sound)
    } finally {
      await client.close()
      await server.stop()
    }
  })
})
