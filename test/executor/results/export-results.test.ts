// Exports of whole results in every format, read back by other programs.
import { DuckDBInstance } from '@duckdb/node-api'
import ExcelJS from 'exceljs'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { duckFile } from '../engine/duckdb-fixture.ts'
import { startResultWorld, type ResultWorld } from './result-world.ts'

describe('exports', () => {
  let world: ResultWorld
  let id: number
  beforeAll(async () => {
    world = await startResultWorld()
    const { type, config, secrets } = duckFile(world.folder).bound
    await duckFile(world.folder).sql('CREATE TABLE one AS SELECT 1')
    id = await world.connect({ type, config, secrets })
  })
  afterAll(() => world?.close())

  const odd = `SELECT range AS n, 9223372036854775807 AS big, 170141183460469231731687303715884105727::HUGEINT AS huge, 1.10::DECIMAL(20,2) AS amount, 0.1::DOUBLE AS part, range > 0 AS yes,
    '\\x00\\xFF'::BLOB AS bytes, DATE '2024-02-29' AS day, TIMESTAMP '2024-02-29 12:34:56.123456' AS at, TIMESTAMPTZ '2024-02-29 12:34:56+02' AS zoned, TIME '12:34:56.5' AS late,
    '550e8400-e29b-41d4-a716-446655440000'::UUID AS id, '=1+1' AS formula, '-5' AS minus, 'ö"' AS note, NULL AS nothing, n AS N FROM range(3), (SELECT 7 AS n)`

  async function exported(query: string, body: object): Promise<Buffer> {
    const { query_id } = await world.run(id, query)
    const answer = await world.exported(id, query_id, body)
    expect(answer.status).toBe(200)
    return Buffer.from(await answer.arrayBuffer())
  }

  async function back(file: string, bytes: Buffer, sql: string): Promise<unknown[][]> {
    writeFileSync(join(world.folder, file), bytes)
    const duck = await DuckDBInstance.create()
    const connection = await duck.connect()
    try {
      return (await connection.runAndReadAll(sql.replace('FILE', `'${join(world.folder, file)}'`))).getRowsJson()
    } finally {
      connection.closeSync()
      duck.closeSync()
    }
  }

  test('Parquet has the types of the values, and every digit', async () => {
    const bytes = await exported(odd, { format: 'parquet' })
    const types = await back('a.parquet', bytes, 'SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM FILE)')
    expect(Object.fromEntries(types as [string, string][])).toMatchObject({
      n: 'BIGINT',
      big: 'BIGINT',
      huge: 'VARCHAR',
      amount: 'DECIMAL(38,2)',
      part: 'DOUBLE',
      yes: 'BOOLEAN',
      bytes: 'BLOB',
      day: 'DATE',
      at: 'TIMESTAMP',
      zoned: 'TIMESTAMP WITH TIME ZONE',
      late: 'TIME',
      id: 'UUID',
      N_2: 'BIGINT',
    })
    expect(
      await back(
        'a.parquet',
        bytes,
        `SELECT big, huge, amount, "at"::VARCHAR, zoned = TIMESTAMPTZ '2024-02-29 10:34:56Z', bytes = '\\x00\\xFF'::BLOB, "N_2" FROM FILE LIMIT 1`,
      ),
    ).toEqual([
      [
        '9223372036854775807',
        '170141183460469231731687303715884105727',
        '1.10',
        '2024-02-29 12:34:56.123456',
        true,
        true,
        '7',
      ],
    ])
    expect(
      await back(
        'b.parquet',
        await exported('SELECT range AS n FROM range(300000)', { format: 'parquet' }),
        'SELECT count(*), sum(n) FROM FILE',
      ),
    ).toEqual([['300000', '44999850000']])
    expect(
      await back(
        'c.parquet',
        await exported(`SELECT 1 AS n WHERE false`, { format: 'parquet' }),
        'SELECT count(*) FROM FILE',
      ),
    ).toEqual([['0']])
  })

  test('Excel has numbers, dates, and text that is no formula', async () => {
    writeFileSync(join(world.folder, 'a.xlsx'), await exported(odd, { format: 'xlsx' }))
    const book = new ExcelJS.Workbook()
    await book.xlsx.readFile(join(world.folder, 'a.xlsx'))
    const sheet = book.worksheets[0]!
    expect(sheet.rowCount).toBe(4)
    const header = (sheet.getRow(1).values as string[]).slice(1)
    const value = (column: string) => sheet.getRow(2).getCell(header.indexOf(column) + 1).value
    expect(['n', 'amount', 'big', 'formula', 'minus'].map(value)).toEqual([0, 1.1, '9223372036854775807', '=1+1', '-5'])
    expect(value('day')).toEqual(new Date('2024-02-29T00:00:00Z'))
  })

  test('JSON is one array with the same objects as NDJSON', async () => {
    const json = JSON.parse((await exported(odd, { format: 'json' })).toString()) as unknown[]
    const lines = (await exported(odd, { format: 'ndjson' })).toString().trimEnd().split('\n')
    expect(json).toHaveLength(3)
    expect(json).toEqual(lines.map((line) => JSON.parse(line) as unknown))
    expect(JSON.parse((await exported('SELECT 1 AS n WHERE false', { format: 'json' })).toString())).toEqual([])
  })

  test('CSV guards formulas if asked to, leaves numbers alone, and goes without a header', async () => {
    const query = `SELECT * FROM (VALUES ('=1+1', -5, '-5'), ('+1+cmd|x', 2, '-1e5'), ('@a', 3, '- a'), ('-x', 4, '+49 30'), (chr(9) || 'x', 5, 'a=b'), ('x;=1;', 6, 'a,=b')) t("=h", n, s)`
    expect((await exported(query, { format: 'csv', formula_guard: true })).toString().split('\r\n')).toEqual([
      "'=h,n,s",
      "'=1+1,-5,-5",
      "'+1+cmd|x,2,-1e5",
      "'@a,3,'- a",
      "'-x,4,'+49 30",
      "'\tx,5,a=b",
      `x;'=1;,6,"a,=b"`,
      '',
    ])
    expect((await exported(query, { format: 'csv', header: false, delimiter: '\t' })).toString().split('\r\n')[0]).toBe(
      '=1+1\t-5\t-5',
    )
  })

  test('an export that fails on its way is broken off, in every format', async () => {
    const query = `SELECT CASE WHEN range = 250000 THEN CAST('x' || range AS INTEGER) ELSE range END AS n FROM range(300000)`
    for (const format of ['csv', 'json', 'ndjson', 'parquet', 'xlsx']) {
      const { query_id } = await world.run(id, query, { page_size: 1 })
      const whole = await world.exported(id, query_id, { format }).then(
        async (answer) =>
          answer.ok
            ? answer.arrayBuffer().then(
                () => 'whole',
                () => 'broken off',
              )
            : 'refused',
        () => 'broken off',
      )
      expect([format, whole]).toEqual([format, expect.toBeOneOf(['broken off', 'refused'])])
      await world.cancel(id, query_id)
    }
  })

  test('a cancelled export is broken off', async () => {
    const { query_id } = await world.run(id, 'SELECT a.range AS n FROM range(100000) a, range(100000) b', {
      page_size: 1,
    })
    const answers = await Promise.all(['json', 'parquet'].map((format) => world.exported(id, query_id, { format })))
    const bodies = answers.map((answer) =>
      answer.arrayBuffer().then(
        () => 'whole',
        () => 'broken off',
      ),
    )
    await world.cancel(id, query_id)
    expect(await Promise.all(bodies)).toEqual(['broken off', 'broken off'])
  })
})
