import Database from 'better-sqlite3'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { useMariaDb } from './mariadb-fixture.ts'
import { fileConnector, runTask, sqliteConnector, temporaryFolder, type FinishedRun } from './run-task.ts'

const maria = useMariaDb()

/** Writes one value, as SQL of DuckDB, into a column of its own. */
async function write(declared: string, value: string): Promise<FinishedRun> {
  await maria.query(`DROP TABLE IF EXISTS kept; CREATE TABLE kept (v ${declared}) CHARACTER SET utf8mb4`)
  return runTask(
    `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: mysql, access: write}}
source: {inline: {rows: [{n: 1}]}}
steps: [{sql: ${JSON.stringify(`SELECT ${value} AS v FROM stream`)}}]
target: {connector: db, table: kept, mode: append}
`,
    { db: maria.connector() },
  )
}
const kept = async (as: string): Promise<unknown> => {
  const [row] = await maria.query(`SELECT ${as} AS v FROM kept`)
  return row?.['v']
}

describe('a MySQL column keeps a value as it is', () => {
  it.each([
    ['a member by its name, also where that is a number', "enum('2','1','3')", '1::BIGINT', 'CAST(v AS CHAR)', '1'],
    ['a member from text', "enum('it''s','b')", "'it''s'", 'CAST(v AS CHAR)', "it's"],
    ['a member from a truth value', "enum('0','1')", 'true', 'CAST(v AS CHAR)', '1'],
    ['members of a set', "set('a','b','c')", "'c,a'", 'CAST(v AS CHAR)', 'a,c'],
    ['an empty set', "set('a','b')", "''", 'CAST(v AS CHAR)', ''],
    ['bits from text', 'bit(8)', "'5'", 'v + 0', 5],
    ['bits from a number', 'bit(64)', '18446744073709551615::UBIGINT', 'CAST(v + 0 AS CHAR)', '18446744073709551615'],
    ['a year', 'year', '2155::INTEGER', 'v', 2155],
    [
      'a whole number in floating point',
      'double',
      '9007199254740992::BIGINT',
      'CAST(v AS DECIMAL(20))',
      '9007199254740992',
    ],
    ['bytes of the declared length', 'binary(2)', "'\\x01\\x00'::BLOB", 'hex(v)', '0100'],
    ['text without blanks at its end', 'char(3)', "' a'", 'v', ' a'],
    ['floating point in a decimal that holds it', 'decimal(10,2)', '1.25::DOUBLE', 'CAST(v AS CHAR)', '1.25'],
    ['a UUID', 'char(36)', "'6ccd780c-baba-1026-9564-5b8c656024db'::UUID", 'v', '6ccd780c-baba-1026-9564-5b8c656024db'],
  ])('%s', async (_, declared, value, as, expected) => {
    const run = await write(declared, value)
    expect(run.error).toBeUndefined()
    expect(await kept(as)).toEqual(expected)
  })
})

describe('a MySQL column that would change a value refuses it', () => {
  it.each([
    ['a number that is no member is no position', "enum('a','b')", '2::BIGINT', '2'],
    ['text of digits that is no member is no position', "enum('a','b')", "'2'", '2'],
    ['a member in another case', "enum('a','b')", "'A'", 'A'],
    ['a set of which one is no member', "set('a','b')", "'a,x'", 'a,x'],
    ['a number is no set of bits', "set('a','b')", '3::BIGINT', '3'],
    ['text that is no number into bits', 'bit(8)', "'a'", 'a'],
    ['a fraction into bits', 'bit(8)', '1.5::DECIMAL(3,1)', '1.5'],
    ['a year of two digits', 'year', '70::INTEGER', '70'],
    ['a whole number that a double does not hold', 'double', '9007199254740993::BIGINT', '9007199254740993'],
    ['a whole number that a float does not hold', 'float', '16777217::INTEGER', '16777217'],
    ['blanks that a char drops', 'char(3)', "'a '", '“a ” with all of its blanks'],
    ['bytes that would be filled up with zeros', 'binary(3)', "'\\x01'::BLOB", String.raw`\x01`],
  ])('%s', async (_, declared, value, words) => {
    const run = await write(declared, value)
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
    expect(run.error?.message).toContain('Column `v` is ')
    expect(run.error?.message).toContain(`which cannot hold ${words}`)
    expect(await kept('count(*)')).toBe(0)
  })

  it.each(['1.005::DOUBLE', '1.005::DECIMAL(10,3)'])(
    'what a decimal would round is told by the server (%s)',
    async (value) => {
      const run = await write('decimal(10,2)', value)
      expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'target' })
      expect(run.error?.message).toMatch(/^Row 1: the server would change the value/)
      expect(await kept('count(*)')).toBe(0)
    },
  )
})

describe('a MySQL column is read', () => {
  it('as numbers where `tinyint(1) unsigned` holds more than a truth value', async () => {
    await maria.query(
      'DROP TABLE IF EXISTS kept; CREATE TABLE kept (v tinyint(1) unsigned); INSERT INTO kept VALUES (0), (200), (255)',
    )
    const path = join(temporaryFolder(), 'out.db')
    const run = await runTask(
      `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: mysql}, out: {type: sqlite, access: write}}
source: {connector: db, sql: {table: kept}}
target: {connector: out, table: kept, mode: replace}
`,
      { db: maria.connector(), out: sqliteConnector(path) },
    )
    expect(run.error).toBeUndefined()
    const target = new Database(path)
    expect(target.prepare('SELECT v FROM kept ORDER BY v').pluck().all()).toEqual([0, 200, 255])
    target.close()
  })

  describe.each([
    ['tinyint(1)', '2', 'tinyint(1), read as boolean', 'BOOLEAN', { tinyint1: 'integer' }, 'TINYINT', 2],
    ['time', "'24:00:01'", 'time, read as a time of day', 'TIME', { time: 'string' }, 'VARCHAR', '24:00:01'],
    ['time', "'-00:00:01'", 'time, read as a time of day', 'TIME', { time: 'string' }, 'VARCHAR', '-00:00:01'],
  ] as const)(
    '%s by what the table and the connector say, never by its rows: %s',
    (type, odd, is, usual, config, other, stored) => {
      const read = async (path: string, more: object): Promise<FinishedRun> => {
        const connector = maria.connector()
        return runTask(
          `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: mysql}, out: {type: sqlite, access: write}}
source: {connector: db, sql: {table: kept}}
target: {connector: out, table: kept, mode: replace}
`,
          { db: { ...connector, config: { ...connector.config, ...more } }, out: sqliteConnector(path) },
        )
      }
      it('refuses a value that does not fit, and the connector may say otherwise', async () => {
        const path = join(temporaryFolder(), 'out.db')
        await maria.query(
          `DROP TABLE IF EXISTS kept; CREATE TABLE kept (v ${type}); INSERT INTO kept SELECT 1 FROM seq_1_to_5000`,
        )
        const fitting = await read(path, {})
        expect(fitting.error).toBeUndefined()
        expect(fitting.steps[0]?.columns).toEqual([{ name: 'v', type: usual }])
        await maria.query(`INSERT INTO kept VALUES (${odd})`)
        const refused = await read(path, {})
        expect(refused.error?.message).toBe(`Column \`v\` is ${is}: it holds ${stored}`)
        expect(refused.error?.hint).toContain('of the connector')
        const asTold = join(temporaryFolder(), 'out.db')
        expect((await read(asTold, config)).steps[0]?.columns).toEqual([{ name: 'v', type: other }])
        const target = new Database(asTold)
        expect(target.prepare('SELECT v FROM kept ORDER BY rowid DESC LIMIT 1').pluck().get()).toBe(stored)
        target.close()
      })
    },
  )

  it('as a decimal of 38 digits where it may have more, and refuses those that do', async () => {
    await maria.query(`DROP TABLE IF EXISTS kept; CREATE TABLE kept (v decimal(65,2)); INSERT INTO kept VALUES (1.25)`)
    const run = (): Promise<FinishedRun> =>
      runTask(
        `
etl: 1
kind: pipeline
name: t
connectors: {db: {type: mysql}, out: {type: file, access: write}}
source: {connector: db, sql: {table: kept}}
target: {connector: out, file: {path: o.parquet}}
`,
        { db: maria.connector(), out: fileConnector(temporaryFolder()) },
      )
    expect((await run()).steps[0]?.columns).toEqual([{ name: 'v', type: 'DECIMAL(38,2)' }])
    await maria.query(`INSERT INTO kept VALUES (${'9'.repeat(40)})`)
    expect((await run()).error).toMatchObject({
      message: `Column \`v\` is decimal(65,2), read as decimal(38,2): it holds ${'9'.repeat(40)}.00`,
      hint: 'Read a query with CAST(v AS CHAR) AS v: text keeps every digit.',
    })
  })

  it('of single precision, which rounds doubles and says how many', async () => {
    for (const [declared, words] of [
      ['float', 'float'],
      ['double', null],
    ] as const) {
      const run = await write(declared, "unnest([0.1::DOUBLE, 0.5, NULL, '-0.0'::DOUBLE])")
      expect(run.error).toBeUndefined()
      const zero = { column: 'v', change: '-0.0 stored as 0.0', count: 1, example: '-0.0' }
      const rounded = { column: 'v', change: `rounded to ${words}`, count: 1, example: '0.1' }
      expect(run.steps.at(-1)?.changes).toMatchObject(words === null ? [zero] : [rounded, zero])
    }
  })
})
