import { DuckDBInstance } from '@duckdb/node-api'
import { join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { folderWith, readFiles } from './read-files.ts'
import { temporaryFolder } from './run-task.ts'

/** More rows than DuckDB looks at to find the columns. */
const many = 30_000
const texts = {
  csv: (columns: string[]) =>
    `${columns.join(',')}\n${Array.from({ length: many }, (_, i) => `${columns.map(() => i).join(',')}\n`).join('')}`,
  jsonl: (columns: string[]) =>
    Array.from({ length: many }, (_, i) => `${JSON.stringify(Object.fromEntries(columns.map((c) => [c, i])))}\n`).join(
      '',
    ),
  json: (columns: string[]) =>
    JSON.stringify(Array.from({ length: many }, (_, i) => Object.fromEntries(columns.map((c) => [c, i])))),
}
const packings = { '': (text: string) => Buffer.from(text), '.gz': gzipSync, '.zst': zstdCompressSync }

describe.each(Object.entries(texts))('several .%s files without `union_by_name`', (format, text) => {
  describe.each(Object.entries(packings))('(%s)', (ending, pack) => {
    const names = [`a.${format}${ending}`, `b.${format}${ending}`] as const
    const folder = (first: string[], second: string[]): string =>
      folderWith({ [names[0]]: pack(text(first)), [names[1]]: pack(text(second)) })

    it('with the same columns are read as one', async () => {
      const { run } = await readFiles(folder(['id', 'x'], ['id', 'x']), `*.${format}${ending}`)
      expect(run).toMatchObject({ status: 'success', item_count: 2 * many })
    })

    it('are refused where a later one has another column, one less, or both', async () => {
      const refusal = async (first: string[], second: string[], files = ''): Promise<string> => {
        const { run, message } = await readFiles(folder(first, second), `*.${format}${ending}`, { files })
        expect(run.error).toMatchObject({ code: 'FILE_UNREADABLE', step: 'source' })
        expect(run.error?.hint).toContain('union_by_name')
        return message
      }
      const differs = `${names[1]} does not match ${names[0]}, the first file. It has different columns:`
      expect(await refusal(['id', 'x'], ['id', 'x', 'y'])).toBe(`${differs} extra \`y\``)
      expect(await refusal(['id', 'x'], ['id'])).toBe(`${differs} missing \`x\``)
      expect(await refusal(['id', 'x'], ['id', 'X', 'y'])).toBe(`${differs} extra \`X\`, \`y\`, missing \`x\``)
      if (format === 'json') return
      expect(await refusal(['id', 'x'], ['id', 'x', 'y'], ', on_error: quarantine')).toBe(`${differs} extra \`y\``)
    })

    it('are read with it, and what is missing is NULL', async () => {
      const { run } = await readFiles(folder(['id', 'x'], ['id', 'y']), `*.${format}${ending}`, {
        files: ', union_by_name: true',
        steps: '[{filter: "(x IS NULL) <> (y IS NULL)"}]',
      })
      expect(run).toMatchObject({ status: 'success', item_count: 2 * many })
    })
  })
})

describe('CSV files', () => {
  it('whose columns stand in a different order are refused', async () => {
    const folder = folderWith({ 'd/a.csv': 'id,x\n1,a\n', 'd/b.csv': 'x,id\nb,2\n' })
    const { run, message } = await readFiles(folder, 'd/*.csv')
    expect(run.error?.code).toBe('FILE_UNREADABLE')
    expect(message).toBe(
      'd/b.csv does not match d/a.csv, the first file. It has the same columns in a different order: `x`, `id`',
    )
  })

  it('whose headers only look different are read', async () => {
    const folder = folderWith({
      'a.csv': 'id,"long\nname",x\n1,2,3\n',
      'b.csv': '\uFEFF"id","long\nname","x"\n4,5,6\n',
      'c.csv': 'id,"long\nname",x',
    })
    const { run, rows } = await readFiles(folder, '*.csv')
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([
      { id: 1, 'long\nname': 2, x: 3 },
      { id: 4, 'long\nname': 5, x: 6 },
    ])
  })

  it('whose quoted names go on differently in the second line are told apart', async () => {
    const folder = folderWith({ 'a.csv': 'id,"long\nname"\n1,2\n', 'b.csv': 'id,"long\nother"\n4,5\n' })
    expect((await readFiles(folder, '*.csv')).message).toContain('extra `long\nother`, missing `long\nname`')
  })

  it('without a header are refused where a row has more values than those of the first', async () => {
    const folder = folderWith({ 'a.csv': '1,a\n', 'b.csv': '2,b,c\n' })
    const { message } = await readFiles(folder, '*.csv', { files: ', csv: {header: false}' })
    expect(message).toContain('b.csv does not match a.csv, the first file. It has different columns: extra `column2`')
  })

  it('are told apart behind lines that are skipped', async () => {
    const folder = folderWith({ 'a.csv': 'about\nid,x\n1,a\n', 'b.csv': 'about\nid,y\n2,b\n' })
    const { message } = await readFiles(folder, '*.csv', { files: ', csv: {skip_lines: 1}' })
    expect(message).toContain('extra `y`, missing `x`')
  })
})

describe('CSV files whose header has a name twice, and whose values have line breaks', () => {
  const shapes = ['a,a', 'a,A', '"a\nb","a\nb"'].flatMap((header) =>
    ['\n', '\r\n'].map((end) => ({ header: header.replaceAll('\n', end), end })),
  )
  const ways = {
    'on their own': '',
    'with `columns`': ', columns: {a: string}',
    'with quarantine': ', on_error: quarantine',
    'with both': ', columns: {a: string}, on_error: quarantine',
    'matched by name': ', union_by_name: true',
  }
  const textOf = (header: string, end: string): string =>
    [header, '1,2', `9,"x${end}y"`, `"p${end}${end}q",5`, ''].join(end)
  const valuesOf = (end: string): string[][] => [
    ['1', '2'],
    ['9', `x${end}y`],
    [`p${end}${end}q`, '5'],
  ]

  describe.each(Object.entries(ways))('%s', (_, files) => {
    it.each(shapes)('are read under $header', async ({ header, end }) => {
      const first = header.includes('"') ? `a${end}b` : 'a'
      const second = header === 'a,A' ? 'A_1' : `${first}_1`
      for (const [ending, pack] of Object.entries(packings)) {
        const content = pack(textOf(header, end))
        for (const names of [['a'], ['a', 'b', 'c']]) {
          const folder = folderWith(Object.fromEntries(names.map((name) => [`${name}.csv${ending}`, content])))
          const { run, rows } = await readFiles(folder, `*.csv${ending}`, {
            files: files.replace('{a:', `{${JSON.stringify(first)}:`),
          })
          expect(run.error).toBeUndefined()
          expect(rows.map((row) => Object.keys(row))).toEqual(rows.map(() => [first, second]))
          expect(rows.map((row) => Object.values(row).map(String))).toEqual(names.flatMap(() => valuesOf(end)))
          expect(run.log.map(({ message }) => message).join('\n')).toContain(`in column 2 is called \`${second}\``)
        }
      }
    })
  })

  it('are read by name where the first has fewer columns than another', async () => {
    const folder = folderWith({ 'a.csv': 'a,a\n1,"x\ny"\n', 'b.csv': 'a,a,c\n2,"z\nz",3\n' })
    const { run, rows } = await readFiles(folder, '*.csv', { files: ', union_by_name: true' })
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([
      { a: 1, a_1: 'x\ny', c: null },
      { a: 2, a_1: 'z\nz', c: 3 },
    ])
    expect(JSON.stringify(run.log)).toContain('`a` in column 2 is called `a_1`')
  })

  it('are read where a name only ends like one of ours', async () => {
    const { run, rows } = await readFiles(folderWith({ 'a.csv': 'id,line_1\n1,"x\ny"\n' }), '*.csv')
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ id: 1, line_1: 'x\ny' }])
    expect(JSON.stringify(run.log)).not.toContain('is called')
  })

  it('keep the rows whole beside one that quarantine rejects', async () => {
    const folder = folderWith({ 'a.csv': 'a,a\n1,"x\ny"\n1,2,3\n4,"5\n6"\n' })
    const { run, rows } = await readFiles(folder, '*.csv', { files: ', on_error: quarantine' })
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([
      { a: 1, a_1: 'x\ny' },
      { a: 4, a_1: '5\n6' },
    ])
  })

  it.each([
    ['\n', ''],
    ['\r\n', ''],
    ['\n', ', on_error: quarantine'],
  ])('are read whole with 200,000 rows (%j%s)', async (end, files) => {
    const count = 200_000
    const lines = Array.from({ length: count }, (_, i) => `${i},"x${end}${i}"${end}`)
    for (const pack of [packings[''], packings['.gz']]) {
      const ending = pack === packings[''] ? '' : '.gz'
      const folder = folderWith({ [`a.csv${ending}`]: pack(`a,A${end}${lines.join('')}`) })
      const { run, rows } = await readFiles(folder, `*.csv${ending}`, { files })
      expect(run.error).toBeUndefined()
      expect(rows).toHaveLength(count)
      expect(rows.findIndex((row, i) => row['a'] !== i || row['A_1'] !== `x${end}${i}`)).toBe(-1)
    }
  })

  it('are read as a plain parser reads them, whatever is in quotes', async () => {
    const random = seeded(20_261)
    const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T // never empty
    for (let round = 0; round < 100; round++) {
      const end = pick(['\n', '\r\n'])
      const names = Array.from({ length: 2 + Math.floor(random() * 3) }, () => pick(['a', 'A', 'b']))
      names[1] = pick(['a', 'A'])
      names[0] = 'a'
      const value = (): string => {
        const parts = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(['x', end, '""', ',', 'é', ' y']))
        return random() < 0.5 ? `"v${parts.join('')}"` : 'plain'
      }
      const lines = Array.from({ length: 1 + Math.floor(random() * 30) }, () => names.map(value).join(','))
      const text = [names.join(','), ...lines].join(end) + pick(['', end])
      const ways = ['', ', on_error: quarantine', ', columns: {a: string}']
      const { run, rows } = await readFiles(folderWith({ 'a.csv': text }), 'a.csv', { files: pick(ways) })
      expect({ text, error: run.error }).toEqual({ text, error: undefined })
      expect({ text, rows: rows.map((row) => Object.values(row)) }).toEqual({ text, rows: parsed(text).slice(1) })
    }
  })
})

function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The values of a valid CSV file, in rows. */
function parsed(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    if (end === '' && row.length === 0 && quoted === undefined && plain === '') break
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') continue
    rows.push(row)
    row = []
    if (end === '') break
  }
  return rows
}

describe('JSON files', () => {
  it('whose records have their keys in another order, or not all of them in each, are read', async () => {
    const folder = folderWith({
      'a.jsonl': '{"id":1,"x":"a"}\n',
      'b.jsonl': `${'{"id":2}\n'.repeat(150)}{"x":"b"}\n`,
      'c.jsonl': '{"x":"c","id":3}\n',
    })
    const { run, rows } = await readFiles(folder, '*.jsonl')
    expect(run.error).toBeUndefined()
    expect(rows).toHaveLength(153)
    expect(rows.at(-1)).toEqual({ id: 3, x: 'c' })
  })

  it('with a key that only a late record of another file has are refused', async () => {
    const late = `${'{"id":2}\n'.repeat(5_000)}{"id":3,"y":1}\n`
    const { message } = await readFiles(folderWith({ 'a.jsonl': '{"id":1}\n', 'b.jsonl': late }), '*.jsonl')
    expect(message).toContain('b.jsonl does not match a.jsonl, the first file. It has different columns: extra `y`')
    // Of one file, it is a column like any other.
    const { run, rows } = await readFiles(folderWith({ 'a.jsonl': `${'{"id":2}\n'.repeat(many)}${late}` }), '*.jsonl')
    expect(run.error).toBeUndefined()
    expect(rows.at(-1)).toEqual({ id: 3, y: 1 })
  })

  it('that hold no record say nothing of columns', async () => {
    const folder = folderWith({ 'a.json': '[]', 'b.json': '[{"id":1}]', 'c.json': '[]' })
    const { run, rows } = await readFiles(folder, '*.json')
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ id: 1 }])
  })

  it('whose records lie at a path are told apart', async () => {
    const folder = folderWith({ 'a.json': '{"d":[{"id":1}]}', 'b.json': '{"d":[{"id":2,"y":3}]}' })
    const { message } = await readFiles(folder, '*.json', { files: ', records: d' })
    expect(message).toContain('b.json does not match a.json, the first file. It has different columns: extra `y`')
  })
})

describe('Parquet files', () => {
  let database: DuckDBInstance
  beforeAll(async () => void (database = await DuckDBInstance.create()))
  afterAll(() => database.closeSync())
  async function refusal(first: string, second: string): Promise<string> {
    const folder = temporaryFolder()
    const connection = await database.connect()
    for (const [file, query] of Object.entries({ a: first, b: second }))
      await connection.run(`COPY (${query}) TO '${join(folder, `${file}.parquet`)}' (FORMAT parquet)`)
    connection.closeSync()
    return (await readFiles(folder, '*.parquet')).message
  }

  it.each([
    ['another column', 'SELECT 1 AS id', 'SELECT 2 AS id, 3 AS y', 'different columns: extra `y`'],
    ['one column less', 'SELECT 1 AS id, 3 AS y', 'SELECT 2 AS id', 'different columns: missing `y`'],
    ['another order', 'SELECT 1 AS id, 3 AS y', 'SELECT 3 AS y, 2 AS id', 'in a different order: `y`, `id`'],
    ['another field', `SELECT {'x': 1} AS s`, `SELECT {'x': 1, 'y "z"': 2} AS s`, 'extra `s.y "z"`'],
    [
      'another field in a list',
      `SELECT [{'x': 1, 'd': 1.5::DECIMAL(10,2)}] AS s`,
      `SELECT [{'x': 1, 'd': 1.5::DECIMAL(10,2), 'p': {'q': 1}}] AS s`,
      'extra `s.p`, `s.p.q`',
    ],
  ])('with %s are refused', async (_, first, second, difference) => {
    expect(await refusal(first, second)).toContain(difference)
  })

  it('with the same columns of other types are read', async () => {
    expect(
      await refusal(`SELECT 1::BIGINT AS id, {'x': 1} AS s`, `SELECT 2::INTEGER AS id, {'x': 1::TINYINT} AS s`),
    ).toBe('')
  })
})
