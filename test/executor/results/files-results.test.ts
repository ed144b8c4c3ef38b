// Queries over the files of a folder through server, executor and worker.
import { DuckDBInstance } from '@duckdb/node-api'
import ExcelJS from 'exceljs'
import { linkSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

describe('files', () => {
  let world: ResultWorld
  let root: string
  let id: number
  beforeAll(async () => {
    world = await startResultWorld()
    root = join(world.folder, 'root')
    mkdirSync(join(root, 'in'), { recursive: true })
    writeFileSync(
      join(root, 'in', 'ö’rders.csv'),
      'id,total,day,note\n1,1.10,2024-02-29,"a,b"\n2,20.05,2024-03-01,\n9007199254740993,0.1,,x\n',
    )
    writeFileSync(join(root, 'in', 'more 1.csv'), 'id,total\n1,1\n')
    writeFileSync(join(root, 'in', 'more 2.csv'), 'id,extra\n2,x\n')
    writeFileSync(
      join(root, 'lines.jsonl.gz'),
      gzipSync('{"id": 1, "big": 123456789012345678901, "in": {"a": 1.10}}\n{"id": 2}\n'),
    )
    writeFileSync(
      join(root, 'late.csv'),
      `n,v\n${Array.from({ length: 200_000 }, (_, at) => `${at},${at === 199_000 ? 'text' : at}`).join('\n')}\n`,
    )
    writeFileSync(join(root, 'utf16.csv'), Buffer.from('\ufeffid,name\n1,Müller\n', 'utf16le'))
    writeFileSync(join(root, 'utf16.json'), Buffer.from('\ufeff[{"id": 1}]', 'utf16le'))
    writeFileSync(join(root, 'latin.csv'), Buffer.from('id,name\n1,Müller\n', 'latin1'))
    writeFileSync(join(root, 'ragged.csv'), 'id,name\n1,a\n2,b,c\n3\n')
    writeFileSync(join(root, 'quote.csv'), 'id,n\n1,"open\n2,x\n')
    writeFileSync(join(world.folder, 'outside.csv'), 'secret\n1\n')
    const book = new ExcelJS.Workbook()
    book.addWorksheet('First').addRows([['a'], [1]])
    book.addWorksheet('Sheet 2').addRows([
      ['b', 'at'],
      ['x', new Date('2024-02-29T12:00:00Z')],
    ])
    await book.xlsx.writeFile(join(root, 'book.xlsx'))
    const duck = await DuckDBInstance.create()
    const connection = await duck.connect()
    await connection.run(
      `COPY (SELECT range AS n, 9223372036854775807 - range AS big, 1.10::DECIMAL(38,2) AS amount, TIMESTAMPTZ '2024-02-29 12:34:56.123456+02' AS at, '\\x00\\xFF'::BLOB AS bytes FROM range(300000)) TO '${join(root, 'big.parquet')}'`,
    )
    connection.closeSync()
    id = await world.connect({ type: 'file', config: { root }, secrets: {} })
  })
  afterAll(() => world?.close())

  test('a file in UTF-16 is read, and what can’t be read names the file, why, and what helps in a query', async () => {
    expect((await world.run(id, "SELECT * FROM 'utf16.csv'")).rows).toEqual([['1', 'Müller']])
    const cases: [string, string][] = [
      ['utf16.json', 'utf16.json is in UTF-16'],
      ['{utf16,latin}.csv', 'utf16.csv is in UTF-16; other files of the pattern aren’t'],
      ['latin.csv', 'latin.csv, line 2: the text is not valid UTF-8'],
      ['ragged.csv', 'ragged.csv, line 3: the row has 3 fields, the header has 2'],
      ['quote.csv', 'quote.csv, line 2: a quote opens'],
    ]
    for (const [file, says] of cases) {
      const { body } = await world.ask(id, `SELECT * FROM '${file}'`)
      const { message, error } = body as { message: string; error: string }
      expect(message).toContain(says)
      expect(error).toBe('CONNECTOR_ERROR')
      expect(message).not.toMatch(/`on_error|`columns|`csv\./)
    }
    const { status, body } = await world.ask(id, "SELEC * FROM 'latin.csv'")
    expect(status).toBe(400)
    expect(JSON.stringify(body)).not.toContain('preview')
  })

  test('a file is read in the encoding that is named behind its path, and without one nothing is guessed', async () => {
    const rows = [
      ['1', 'Müller', '€'],
      ['2', 'Žák', '„x“'],
    ]
    const text = `id,name,sign\n${rows.map((row) => row.join(',')).join('\n')}\n`
    const little = Buffer.from(text, 'utf16le')
    writeFileSync(join(root, 'little.csv'), little)
    writeFileSync(join(root, 'big.csv'), Buffer.from(little).swap16())
    const windows: Record<string, number> = { '€': 0x80, Ž: 0x8e, á: 0xe1, '„': 0x84, '“': 0x93 }
    writeFileSync(join(root, 'windows 1.csv'), Buffer.from([...text].map((one) => windows[one] ?? one.charCodeAt(0))))
    writeFileSync(join(root, 'windows 2.csv.gz'), gzipSync(Buffer.from('id,name,sign\n3,Zo\xeb,\x80\n', 'latin1')))
    const of = async (path: string) => (await world.run(id, `SELECT * FROM '${path}' ORDER BY id`)).rows
    for (const path of ['little.csv#utf-16', 'big.csv#utf-16', 'big.csv#utf-16be', 'windows 1.csv#Windows-1252'])
      expect(await of(path)).toEqual(rows)
    expect(await of('windows ?.csv.gz#windows-1252')).toEqual([['3', 'Zoë', '€']])
    expect((await world.run(id, `SELECT name FROM 'windows 1.csv#windows-1252' AS w WHERE w.id = 1`)).rows).toEqual([
      ['Müller'],
    ])
    expect(await of('latin.csv#latin-1')).toEqual([['1', 'Müller']])
    expect(await of('utf16.csv#utf-16')).toEqual([['1', 'Müller']])
    const cases: [string, string, string][] = [
      ['little.csv', 'little.csv looks like UTF-16 without a byte order mark', "'little.csv#utf-16'"],
      ['big.csv', 'big.csv looks like UTF-16 without a byte order mark', "'big.csv#utf-16be'"],
      ['windows 1.csv', 'the text is not valid UTF-8', '#windows-1252'],
      ['latin.csv#shift_jis', 'the bytes are not text in shift_jis', '#windows-1252'],
      ['latin.csv#klingon', 'The encoding “klingon” isn’t supported', 'windows-1252'],
    ]
    for (const [file, says, fix] of cases) {
      const text = JSON.stringify((await world.ask(id, `SELECT * FROM '${file}'`)).body)
      expect(text).toContain(says)
      expect(text).toContain(fix)
    }
  })

  test('CSV, JSON, Parquet, and sheets of Excel are tables, with values as their source reads them', async () => {
    const csv = await world.run(id, `SELECT * FROM 'in/ö’rders.csv' WHERE id >= :least ORDER BY id`, {
      parameters: { least: 2 },
    })
    expect(csv.fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'bigint'],
      ['total', 'double'],
      ['day', 'date'],
      ['note', 'text'],
    ])
    expect(csv.rows).toEqual([
      ['2', 20.05, '2024-03-01', null],
      ['9007199254740993', 0.1, null, 'x'],
    ])
    expect(csv.statement).toContain(`'in/ö’rders.csv'`)
    expect((await world.run(id, `SELECT * FROM "lines.jsonl.gz"`)).rows).toEqual([
      [expect.anything(), '123456789012345678901', '{"a":1.10}'],
      [expect.anything(), null, null],
    ])
    expect((await world.run(id, `SELECT big, amount, "at", bytes FROM 'big.parquet' WHERE n = 1`)).rows).toEqual([
      ['9223372036854775806', '1.10', '2024-02-29T10:34:56.123456Z', 'AP8='],
    ])
    expect((await world.run(id, `SELECT * FROM 'book.xlsx'`)).rows).toHaveLength(1)
    expect((await world.run(id, `SELECT b FROM 'book.xlsx#Sheet 2'`)).rows).toEqual([['x']])
  })

  test('a mistake is told at its place', async () => {
    const queries = ["SELECT * FROM 'people.csv'\nWHERE 1 = 1 ▮WHERE 2 = 2"]
    for (const query of queries) expect(await markMistake(world, id, query)).toBe(query)
  })

  test('a pattern reads several files by the names of their columns, and files are joined and named', async () => {
    const several = await world.run(id, `SELECT * FROM 'in/more *.csv' ORDER BY id`)
    expect(several.fields.map(({ name }) => name)).toEqual(['id', 'total', 'extra'])
    expect(several.rows).toEqual([
      ['1', '1', null],
      ['2', null, 'x'],
    ])
    const joined = await world.run(
      id,
      `WITH few AS (SELECT * FROM 'in/more 1.csv') SELECT "ö’rders".note, few.total, b.n FROM 'in/ö’rders.csv' JOIN few USING (id), 'big.parquet' b WHERE b.n = 7;`,
    )
    expect(joined.rows).toEqual([['a,b', '1', '7']])
  })

  test('every row arrives once and in order, and one can go back', async () => {
    let rows = 0
    const { query_id } = await world.all(id, `SELECT n FROM 'big.parquet' ORDER BY n`, (page) => {
      for (const [n] of page.rows) expect(n).toBe(String(rows++))
    })
    expect(rows).toBe(300_000)
    expect((await world.at(id, query_id, 299_999, 5)).rows).toEqual([['299999']])
    expect((await (await world.exported(id, query_id, { format: 'csv' })).text()).split('\r\n')).toHaveLength(300_002)
  })

  test('a row that cannot be read is an error that names the file as the folder has it', async () => {
    const answer = await world.ask(id, `SELECT sum(v::BIGINT) FROM 'late.csv'`)
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(JSON.stringify(answer.body)).not.toContain('headgate-executor')
    expect((await world.ask(id, `SELECT * FROM 'in/orders.csv'`)).body).toMatchObject({
      message: expect.stringMatching(/No file matches.*ö’rders\.csv/s) as unknown,
    })
    expect(await world.ask(id, `SELECT * FROM 'book.xlsx#None'`)).toMatchObject({
      status: expect.anything() as unknown,
    })
  })

  test('nothing outside the folder is read, and nothing is written', async () => {
    const { dataDir } = world.server
    symlinkSync(join(world.folder, 'outside.csv'), join(root, 'link.csv'))
    symlinkSync(world.folder, join(root, 'up'))
    symlinkSync(dataDir, join(root, 'data'))
    writeFileSync(join(dataDir, 'own.csv'), 'secret\n1\n')
    linkSync(join(dataDir, 'own.csv'), join(root, 'hard.csv'))
    const outside = join(world.folder, 'outside.csv')
    const written = join(root, 'written.csv')
    const attempts = [
      `SELECT * FROM '${outside}'`,
      `SELECT * FROM '../outside.csv'`,
      `SELECT * FROM 'in/../../outside.csv'`,
      `SELECT * FROM 'in/{..,x}/../outside.csv'`,
      `SELECT * FROM 'link.csv'`,
      `SELECT * FROM 'up/outside.csv'`,
      `SELECT * FROM 'data/own.csv'`,
      `SELECT * FROM 'hard.csv'`,
      `SELECT * FROM 'file://${outside}'`,
      `SELECT * FROM 'https://example.com/x.csv'`,
      `SELECT * FROM '/etc/passwd'`,
      `SELECT * FROM read_csv('${outside}')`,
      `SELECT * FROM read_text('in/ö’rders.csv')`,
      `SELECT * FROM glob('/*')`,
      `SELECT * FROM parquet_scan('${root}/big.parquet')`,
      `SELECT * FROM query('SELECT 1')`,
      `SELECT * FROM query_table(['files_1'])`,
      `SELECT getenv('HOME')`,
      `SELECT current_setting('allowed_directories')`,
      `SELECT * FROM files_1`,
      `SELECT * FROM "main"."in/ö’rders.csv"`,
      `SELECT * FROM information_schema.tables`,
      `SELECT * FROM duckdb_settings()`,
      `COPY (SELECT 1) TO '${written}'`,
      `COPY (SELECT 1) TO 'written.csv'`,
      `CREATE TABLE x AS SELECT 1`,
      `INSERT INTO 'in/ö’rders.csv' VALUES (1)`,
      `DELETE FROM 'in/ö’rders.csv'`,
      `ATTACH '${written}' AS x`,
      `EXPORT DATABASE '${root}/exported'`,
      `SET enable_external_access = true`,
      `INSTALL httpfs`,
      `SELECT 1; COPY (SELECT 1) TO '${written}'`,
      `PRAGMA database_list`,
      `SELECT * FROM 'in/ö’rders.csv' WHERE id = (SELECT count(*) FROM read_blob('/etc/passwd'))`,
    ]
    const state = () => JSON.stringify([readdirSync(root), statSync(join(root, 'in', 'ö’rders.csv')).mtimeMs])
    const before = state()
    const through: unknown[] = []
    for (const sql of attempts) {
      const answer = await world.ask(id, sql)
      if (answer.status < 400 || answer.status === 500) through.push([sql, answer.status, answer.body])
    }
    expect(through).toEqual([])
    expect(state()).toBe(before)
    expect((await world.ask(id, `SELECT count(*) FROM '*.csv'`)).status).toBe(400)
  })

  test('a cancelled query stops its worker', async () => {
    const { query_id } = await world.run(id, `SELECT a.n FROM 'big.parquet' a, 'big.parquet' b`, { page_size: 1 })
    await world.cancel(id, query_id)
    expect((await world.run(id, 'SELECT 1 AS one')).rows).toEqual([[1]])
  })
})
