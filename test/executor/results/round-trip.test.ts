// Any value, through a result, the grid, its JSON, and a copied INSERT that an independent client runs: the same value again.
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import type { QueryField, ValueType, WireValue } from '../../../src/contract/query-values.ts'
import { resultSystem } from '../../../src/executor/connectors/results.ts'
import type { SqlDialect } from '../../../src/language/sql/scan-sql.ts'
import { editedText, typedValue } from '../../../src/renderer/features/explorer/staged-edits.ts'
import { type Cell, cellOf, isNumber } from '../../../src/renderer/ui/grid/cell.rules.ts'
import { copied } from '../../../src/renderer/ui/grid/copy.rules.ts'
import { parseExact, writeExact } from '../../../src/renderer/ui/json/exact-json.ts'
import { hasMariaDb } from '../../support/mariadb.ts'
import { postgresPrograms } from '../../support/postgres.ts'
import { duckFile } from '../engine/duckdb-fixture.ts'
import { useMariaDb } from '../engine/mariadb-fixture.ts'
import { usePostgres } from '../engine/postgres-fixture.ts'

/** More of them: `ROUND_TRIP_ROWS=20000 ROUND_TRIP_SEED=7 npm test -- round-trip`. */
const rowCount = Number(process.env['ROUND_TRIP_ROWS'] ?? 400)
const seed = Number(process.env['ROUND_TRIP_SEED'] ?? 1)

/** A value as SQL that has nothing of what is tested: hexadecimal digits and casts. */
interface Column {
  name: string
  type: string
  /** SQL of a value. */
  values: fc.Arbitrary<string>
}

const hex = (text: string) => Buffer.from(text, 'utf8').toString('hex')
const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.stringMatching(/^[\\'"`;:?$\-\t\r\n %{}x0-9]{0,12}$/),
  fc.constantFrom('NULL', "'; DROP TABLE copied; --", '\\', "\\'", '{{a}}', ' ', '-5', '007', '1e3', '\u{1f600}', '$$'),
)
const text = hostile.map((value) => value.replaceAll('\0', '').toWellFormed())
const bigint = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String)
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value))
const bytes = fc.uint8Array({ maxLength: 20 }).map((value) => Buffer.from(value).toString('hex'))
const digits = (count: number) => fc.stringMatching(new RegExp(`^[0-9]{1,${count}}$`))
const decimal = fc.tuple(fc.boolean(), digits(20), digits(10)).map(([minus, whole, part]) => `${minus ? '-' : ''}${whole}.${part}`) // prettier-ignore
const moment = fc
  .date({ min: new Date('1000-01-02'), max: new Date('9999-12-30'), noInvalidDate: true })
  .chain((date) => fc.integer({ min: 0, max: 999 }).map((micros) => `${date.toISOString().slice(0, -1).replace('T', ' ')}${String(micros).padStart(3, '0')}`)) // prettier-ignore

async function read(connector: BoundConnector, query: string): Promise<{ fields: QueryField[]; rows: WireValue[][] }> {
  const tempDir = mkdtempSync(join(tmpdir(), 'headgate-round-'))
  const rows: WireValue[][] = []
  let fields: QueryField[] = []
  const sink = {
    start: (all: readonly QueryField[]) => void (fields = [...all]),
    row: (values: readonly WireValue[]) => (rows.push([...values]), null),
  }
  const request = { connector, query, parameters: {}, timeoutMs: 60_000 }
  try {
    await resultSystem(request).stream(request, sink, { signal: new AbortController().signal, tempDir })
    return { fields, rows }
  } finally {
    rmSync(tempDir, { recursive: true, force: true })
  }
}

interface System {
  connector: BoundConnector
  dialect: SqlDialect
  columns: readonly Column[]
  quote: (name: string) => string
  /** Of an independent client. */
  sql: (statement: string) => Promise<unknown>
}

/** Whether JSON holds what the cell does, with every digit. */
function isSame(inJson: unknown, { type, text: shown }: Cell): boolean {
  if (shown === null || shown === undefined) return inJson === null
  if (type === 'boolean') return inJson === (shown === 'true')
  if (type === 'bytes') return inJson === `\\x${Buffer.from(shown, 'base64').toString('hex')}`
  return (isNumber(type) && typeof inJson !== 'string' ? writeExact(inJson) : inJson) === shown
}

/** Fills `given`, reads it, and copies it; then every form has to hold the values that were read. */
async function prove({ connector, dialect, columns, quote, sql }: System): Promise<ReadonlySet<ValueType>> {
  const list = columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')
  for (const table of ['given', 'copied']) await sql(`CREATE TABLE ${table} (nr INTEGER, ${list})`)
  const drawn = fc.sample(fc.tuple(...columns.map(({ values }) => fc.option(values, { nil: 'NULL', freq: 12 }))), {
    numRuns: rowCount,
    seed,
  })
  const lines = drawn.map((values, nr) => `(${[nr, ...values].join(', ')})`)
  for (let from = 0; from < lines.length; from += 100)
    await sql(`INSERT INTO given VALUES ${lines.slice(from, from + 100).join(', ')}`)

  const { fields, rows } = await read(connector, 'SELECT * FROM given ORDER BY nr')
  expect(rows).toHaveLength(rowCount)
  for (let from = 0; from < rows.length; from += 100)
    await sql(copied('insert', { fields, rows: rows.slice(from, from + 100), table: 'copied', dialect }))
  const again = await read(connector, 'SELECT * FROM copied ORDER BY nr')
  expect(again).toEqual({ fields, rows })

  const documents = parseExact(copied('json', { fields, rows, table: 'copied', dialect })) as Record<string, unknown>[]
  const types = new Set<ValueType>()
  const wrong: unknown[] = []
  for (const [nr, row] of rows.entries()) {
    for (const [at, value] of row.entries()) {
      const field = fields[at]!
      const cell = cellOf(value, field.type)
      const inJson = documents[nr]?.[field.name]
      if (!isSame(inJson, cell)) wrong.push({ value, inJson })
      if (value === null) continue
      types.add(cell.type)
      // The cell that is edited and left as it was.
      const edited = field.type === 'any' ? value : typedValue(editedText(value, field.type), field)
      if (!Object.is(edited, value) && JSON.stringify(edited) !== JSON.stringify(value)) wrong.push({ value, edited })
    }
  }
  expect(wrong).toEqual([])
  return types
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
const odd = `te"x\`t 'ö' --`
const long = 300_000

describe.skipIf(!postgresPrograms)('PostgreSQL', () => {
  const database = usePostgres()
  test('keeps every value through grid, JSON, and INSERT', { timeout: long }, async () => {
    const columns = [
      { name: 'big', type: 'bigint', values: bigint.map((value) => `'${value}'::bigint`) },
      { name: 'exact', type: 'numeric', values: decimal.map((value) => `'${value}'::numeric`) },
      { name: 'float', type: 'double precision', values: fc.oneof(double.map(String), fc.constantFrom('NaN', '-Infinity', 'Infinity', '-0')).map((value) => `'${value}'::float8`) }, // prettier-ignore
      { name: odd, type: 'text', values: text.map((value) => `convert_from('\\x${hex(value)}', 'UTF8')`) },
      { name: 'bytes', type: 'bytea', values: bytes.map((value) => `'\\x${value}'::bytea`) },
      { name: 'flag', type: 'boolean', values: fc.constantFrom('true', 'false') },
      { name: 'moment', type: 'timestamp', values: moment.map((value) => `'${value}'::timestamp`) },
      { name: 'zoned', type: 'timestamptz', values: moment.map((value) => `'${value}Z'::timestamptz`) },
    ]
    const sql = (statement: string) => database.query(statement)
    const types = await prove({ connector: database.connector(), dialect: 'postgres', columns, quote: quoted, sql })
    expect([...types].toSorted()).toEqual(['bigint', 'boolean', 'bytes', 'datetime', 'datetime_tz', 'decimal', 'double', 'integer', 'text']) // prettier-ignore
  })
})

describe.skipIf(!hasMariaDb)('MariaDB', () => {
  const database = useMariaDb()
  test('keeps every value through grid, JSON, and INSERT', { timeout: long }, async () => {
    const columns = [
      { name: 'big', type: 'bigint', values: bigint.map((value) => `CAST('${value}' AS SIGNED)`) },
      { name: 'exact', type: 'decimal(30,10)', values: decimal },
      { name: 'float', type: 'double', values: double.map((value) => `'${value}'`) },
      { name: odd, type: 'text CHARACTER SET utf8mb4', values: text.map((value) => `CONVERT(X'${hex(value)}' USING utf8mb4)`) }, // prettier-ignore
      { name: 'bytes', type: 'varbinary(40)', values: bytes.map((value) => `X'${value}'`) },
      { name: 'moment', type: 'datetime(6)', values: moment.map((value) => `'${value}'`) },
    ]
    const quote = (name: string) => `\`${name.replaceAll('`', '``')}\``
    const sql = (statement: string) => database.query(statement)
    const types = await prove({ connector: database.connector(), dialect: 'mysql', columns, quote, sql })
    expect([...types]).toEqual(expect.arrayContaining(['bigint', 'bytes', 'datetime', 'decimal', 'double', 'text']))
  })
})

test('DuckDB keeps every value through grid, JSON, and INSERT', { timeout: long }, async () => {
  const columns = [
    { name: 'big', type: 'BIGINT', values: bigint.map((value) => `'${value}'::BIGINT`) },
    { name: 'exact', type: 'DECIMAL(38,10)', values: decimal.map((value) => `'${value}'::DECIMAL(38,10)`) },
    { name: 'float', type: 'DOUBLE', values: fc.oneof(double.map(String), fc.constantFrom('NaN', '-Infinity', 'Infinity', '-0')).map((value) => `'${value}'::DOUBLE`) }, // prettier-ignore
    { name: odd, type: 'VARCHAR', values: text.map((value) => `decode(unhex('${hex(value)}'))`) },
    { name: 'bytes', type: 'BLOB', values: bytes.map((value) => `unhex('${value}')`) },
    { name: 'flag', type: 'BOOLEAN', values: fc.constantFrom('true', 'false') },
    { name: 'moment', type: 'TIMESTAMP', values: moment.map((value) => `'${value}'::TIMESTAMP`) },
  ]
  const { bound, sql } = duckFile()
  const types = await prove({ connector: bound, dialect: 'duckdb', columns, quote: quoted, sql })
  expect([...types].toSorted()).toEqual([
    'bigint',
    'boolean',
    'bytes',
    'datetime',
    'decimal',
    'double',
    'integer',
    'text',
  ])
})

test('SQLite keeps every value and its own type through grid, JSON, and INSERT', { timeout: long }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-round-'))
  const path = join(folder, 'a.db')
  const database = new Database(path)
  const textSql = text.map((value) => `CAST(X'${hex(value)}' AS TEXT)`)
  const bytesSql = bytes.map((value) => `X'${value}'`)
  const columns = [
    { name: 'big', type: 'INTEGER', values: bigint },
    { name: 'float', type: 'REAL', values: fc.oneof(double.map((value) => value.toExponential()), fc.constantFrom('9e999', '-9e999')) }, // prettier-ignore
    { name: odd, type: 'TEXT', values: textSql },
    { name: 'bytes', type: 'BLOB', values: bytesSql },
    // A column that takes anything keeps a number and its text apart.
    {
      name: 'bare',
      type: '',
      values: fc.oneof(
        bigint,
        textSql,
        bytesSql,
        bigint.map((value) => `'${value}'`),
      ),
    },
  ]
  try {
    const connector = { id: 3, name: 'app', type: 'sqlite', config: { path }, secrets: {} }
    const sql = (statement: string) => Promise.resolve(database.exec(statement))
    const types = await prove({ connector, dialect: 'sqlite', columns, quote: quoted, sql })
    expect([...types].toSorted()).toEqual(['bigint', 'bytes', 'double', 'text'])
  } finally {
    database.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
