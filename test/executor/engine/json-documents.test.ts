import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { fileConnector, runTask, sqliteConnector, temporaryFolder } from './run-task.ts'

/** Documents in files of JSON stay what they were: their keys, the order of them, every digit. */

function folderWith(files: Record<string, string | Buffer>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return folder
}

interface ReadOptions {
  files?: string
  steps?: string
  target?: string
}

async function read(folder: string, glob: string, { files = '', steps = '', target = 'out.jsonl' }: ReadOptions = {}) {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: documents
connectors: {in: {type: file}, out: {type: file, access: write}}
source: {connector: in, files: {glob: "${glob}"${files}}}
${steps === '' ? '' : `steps: ${steps}\n`}target: {connector: out, file: {path: ${target}}}
`,
    { in: fileConnector(folder), out: fileConnector(out) },
  )
  const text = (): string => readFileSync(join(out, target), 'utf8')
  const lines = (): string[] => text().trimEnd().split('\n')
  const types = (): string => (run.steps[0]?.columns ?? []).map(({ name, type }) => `${name} ${type}`).join(', ')
  return { run, text, lines, types }
}

const documents = [
  '{"b":1.10,"a":[9007199254740993,{"10":1,"2":2}],"é":"\\u00e9 \\"x\\" \\\\"}',
  '{"z":1e400,"y":1E3,"x":-0.0,"n":null,"e":{},"l":[]}',
  '[1.0,12345678901234567890.123456789,"{\\"a\\":1.10}"]',
]
const asLines = documents.map((document, id) => `{"id":${id},"p":${document}}`)

describe('a document', () => {
  it.each([
    ['JSON Lines', 'd.jsonl', `${asLines.join('\n')}\n`],
    ['JSON', 'd.json', `[\n${asLines.join(' ,\n\t')}\n]`],
    ['JSON, one object after the other', 'd.json', asLines.join('\n')],
    ['compressed JSON', 'd.json.gz', gzipSync(`[${asLines.join(',')}]`)],
  ])('of %s goes to every kind of file as it is', async (_, file, content) => {
    const folder = folderWith({ [file]: content })
    for (const files of ['', ', columns: {p: json}']) {
      const { run, lines, types } = await read(folder, file, { files })
      expect(run.error).toBeUndefined()
      expect(types()).toBe('id BIGINT, p JSON')
      expect(lines()).toEqual(asLines)
    }
    const list = await read(folder, file, { target: 'o.json' })
    expect(list.text().replaceAll('\n', '')).toBe(`[${asLines.join(',')}]`)
    const csv = await read(folder, file, { target: 'o.csv' })
    expect(csv.lines().slice(1)).toEqual(documents.map((document, id) => `${id},"${document.replaceAll('"', '""')}"`))
  })

  it('goes to a database as it is', async () => {
    const path = join(temporaryFolder(), 'app.db')
    const run = await runTask(
      `etl: 1
kind: pipeline
name: documents
connectors: {in: {type: file}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: d.jsonl}}
target: {connector: db, table: t}
`,
      { in: fileConnector(folderWith({ 'd.jsonl': asLines.join('\n') })), db: sqliteConnector(path) },
    )
    expect(run.error).toBeUndefined()
    const db = new Database(path, { readonly: true })
    expect(db.prepare('SELECT p FROM t ORDER BY id').pluck().all()).toEqual(documents)
    db.close()
  })

  it('that only a late row holds, in a column of something else, makes it JSON', async () => {
    const rows = [
      ...Array.from({ length: 30_000 }, (_, id) => `{"id":${id},"p":${id % 2 === 0 ? '"x"' : '1.10'}}`),
      asLines[0],
    ]
    const { run, lines, types } = await read(folderWith({ 'd.jsonl': rows.join('\n') }), 'd.jsonl')
    expect(run.error).toBeUndefined()
    expect(types()).toBe('id BIGINT, p JSON')
    expect(lines()).toEqual(rows)
  })

  it('is taken apart where a task asks for it', async () => {
    const folder = folderWith({ 'd.jsonl': '{"id":1,"p":{"a":{"b":"x"},"l":[{"n":1},{"n":2}]}}\n' })
    const steps = `[{derive: {b: "p.a.b ->> '$'", c: "p->'a'->>'b'", n: "CAST(p.l[1].n AS INTEGER)"}}, {drop: [p]}]`
    expect((await read(folder, 'd.jsonl', { steps })).lines()).toEqual(['{"id":1,"b":"x","c":"x","n":2}'])
    const flat = await read(folder, 'd.jsonl', {
      steps: '[{flatten: {columns: [p]}}, {explode: {column: p_l, as: item}}]',
    })
    expect(flat.run.error).toBeUndefined()
    expect(flat.lines()).toEqual(['{"id":1,"p_a_b":"x","item":{"n":1}}', '{"id":1,"p_a_b":"x","item":{"n":2}}'])
  })

  it('with what no JSON has is refused: in a file by its place, out of SQL by the target', async () => {
    const odd = await read(folderWith({ 'd.jsonl': '{"p":{"a":1}}\n{"p":{"a":NaN}}\n' }), 'd.jsonl')
    expect(odd.run.error).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('d.jsonl, line 2: NaN is not a JSON number at byte 11') as string,
    })
    const folder = folderWith({ 'd.jsonl': '{"id":1}\n' })
    for (const sql of [
      `CAST('{\\"nan\\":\\"inf\\",\\"x\\":[1,NaN]}' AS JSON)`,
      `CAST('[1,2,]' AS JSON)`,
      `CAST('{\\"a\\":-Infinity}' AS JSON)`,
    ]) {
      for (const target of ['o.jsonl', 'o.json', 'o.csv']) {
        const { run } = await read(folder, 'd.jsonl', { steps: `[{derive: {p: "${sql}"}}]`, target })
        expect(run.error?.message).toContain('Column `p`: A document holds NaN, an infinity or a comma too many')
      }
    }
    const struct = await read(folder, 'd.jsonl', {
      steps: `[{derive: {p: "{a: CAST('nan' AS DOUBLE)}"}}]`,
      target: 'o.csv',
    })
    expect(struct.run.error?.message).toContain('Column `p`: A document would hold nan, which JSON does not know')
    const fine = await read(folder, 'd.jsonl', { steps: `[{derive: {p: "CAST('{\\"nan\\":\\"inf, ]\\"}' AS JSON)"}}]` })
    expect(fine.lines()).toEqual(['{"id":1,"p":{"nan":"inf, ]"}}'])
  })
})

describe('random documents', () => {
  /** A small generator of numbers, the same in each run. */
  function numbersFrom(seed: number): (below: number) => number {
    let state = seed
    return (below) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      return (state >>> 8) % below
    }
  }

  const texts = [
    '',
    'a',
    'é😀',
    '\\"',
    '\\\\',
    '\\n',
    '\\u0000',
    ' : ',
    '[{',
    ']}',
    ',',
    'NaN',
    '2024-01-01',
    '\\ud83d\\ude00',
  ]
  const numbers = [
    '0',
    '-0',
    '1.10',
    '1e5',
    '1E+3',
    '-1.5e-7',
    '9007199254740993',
    '123456789012345678901234567890.5',
    '1e400',
  ]

  function value(pick: (below: number) => number, depth: number): string {
    const kind = pick(depth > 4 ? 4 : 6)
    if (kind === 0) return `"${texts[pick(texts.length)]}${texts[pick(texts.length)]}"`
    if (kind === 1) return numbers[pick(numbers.length)] ?? ''
    if (kind === 2) return ['true', 'false', 'null'][pick(3)] ?? ''
    if (kind === 3) return String(pick(1000))
    const parts = Array.from({ length: pick(4) }, (_, at) =>
      kind === 4 ? value(pick, depth + 1) : `"${at}${texts[pick(texts.length)]}":${value(pick, depth + 1)}`,
    )
    return kind === 4 ? `[${parts.join(',')}]` : `{${parts.join(',')}}`
  }

  it.each([1, 2, 3])('come out as they went in (%i)', async (seed) => {
    const pick = numbersFrom(seed)
    const rows = Array.from({ length: 5000 }, (_, id) => `{"id":${id},"p":{"v":${value(pick, 0)}}}`)
    const blank = (text: string): string => text.replaceAll('{"id"', ' {\t"id" ').replaceAll('"p":', '\r\n"p" :  ')
    const folder = folderWith({ 'd.jsonl': rows.join('\n'), 'e.json': `[${rows.map(blank).join('\n,')}]` })
    for (const file of ['d.jsonl', 'e.json']) {
      const { run, lines } = await read(folder, file)
      expect(run.error).toBeUndefined()
      expect(lines()).toEqual(rows)
    }
  })
})

describe('numbers', () => {
  const typesOf = async (...values: string[]): Promise<string> =>
    (await read(folderWith({ 'n.json': `[${values.map((one) => `{"a":${one}}`).join(',')}]` }), 'n.json')).types()

  it.each([
    ['BIGINT', ['1', '-9223372036854775808', '9007199254740993']],
    ['DECIMAL(38,0)', ['1', '9223372036854775808']],
    ['DOUBLE', ['1', '1.5', '51.50735092163086', '0.30000000000000004', '1e5', '2.0']],
    ['DECIMAL(38,9)', ['1.5', '1234567890.123456789']],
    ['DECIMAL(38,1)', ['1.5', '9007199254740993']],
    ['DECIMAL(38,3)', ['12345678901234567890', '1.5e-2']],
    ['VARCHAR', ['1.5', '1e400']],
    ['VARCHAR', ['1', '1234567890123456789012345678901234567890']],
    ['VARCHAR', ['1', '"x"']],
    ['BOOLEAN', ['true', 'null']],
    ['VARCHAR', ['true', '1.10']],
  ])('are %s: %j', async (type, values) => {
    expect(await typesOf(...values)).toBe(`a ${type}`)
    expect(await typesOf(...values.toReversed())).toBe(`a ${type}`)
  })

  it('that no type holds are told to be text', async () => {
    const { run, lines } = await read(folderWith({ 'n.jsonl': '{"a":1e400}\n{"a":1.50}\n' }), 'n.jsonl')
    expect(lines()).toEqual(['{"a":"1e400"}', '{"a":"1.50"}'])
    expect(run.log).toContainEqual({
      level: 'warn',
      message: 'Column `a`, 2 values: in a column with more digits than a number type keeps, read as text',
      step: 'source',
    })
  })

  it('of a late row decide, too, over 200,000 rows', async () => {
    const folder = folderWith({
      'n.jsonl': Array.from({ length: 200_000 }, (_, id) => `{"id":${id},"n":${id}}\n`).join(''),
    })
    appendFileSync(join(folder, 'n.jsonl'), '{"id":200000,"n":1.5}\n')
    const half = await read(folder, 'n.jsonl')
    expect(half.run.error).toBeUndefined()
    expect(half.types()).toBe('id BIGINT, n DOUBLE')
    expect(half.lines().at(-1)).toBe('{"id":200000,"n":1.5}')
    appendFileSync(join(folder, 'n.jsonl'), '{"id":200001,"n":1234567890.123456789,"late":"x"}\n')
    const long = await read(folder, 'n.jsonl')
    expect(long.types()).toBe('id BIGINT, n DECIMAL(38,9), late VARCHAR')
    expect(long.lines()).toHaveLength(200_002)
    expect(long.lines().at(-1)).toBe('{"id":200001,"n":"1234567890.123456789","late":"x"}')
  })

  it('keep their digits where the task declares decimals or text', async () => {
    const folder = folderWith({
      'n.jsonl': '{"d":1.10,"s":1.10,"j":1.10}\n{"d":123456789012345678.12,"s":1e3,"j":"2.50"}\n',
    })
    const { lines } = await read(folder, 'n.jsonl', {
      files: ', columns: {d: "decimal(30,2)", s: string, j: json}',
      target: 'o.csv',
    })
    expect(lines()).toEqual(['d,s,j', '1.10,1.10,1.10', '123456789012345678.12,1e3,"""2.50"""'])
  })
})

describe('texts', () => {
  it.each([
    ['DATE', ['"2024-02-29"', '"0001-01-01"']],
    ['TIMESTAMP', ['"2024-01-01T10:00:00Z"', '"2024-01-01 10:00:00.123456"']],
    ['TIMESTAMP', ['"2024-01-01T10:00:00+02:00"', '"2024-01-01T10:00:00.5"']],
    ['TIME', ['"10:00"', '"23:59:59.5"']],
    ['UUID', ['"550e8400-e29b-41d4-a716-446655440000"']],
    ['VARCHAR', ['"2024-01-01"', '"2024-02-30"']],
    ['VARCHAR', ['"2024-01-01"', '"2024-01-01T10:00:00Z"']],
    ['VARCHAR', ['"2024-01-01T10:00:00.1234567Z"']],
    ['VARCHAR', ['"01-02-2024"']],
    ['VARCHAR', ['"2024-01-01"', '""']],
  ])('that are all alike are %s: %j', async (type, values) => {
    const folder = folderWith({ 't.jsonl': values.map((one) => `{"a":${one}}\n`).join('') })
    const { run, types } = await read(folder, 't.jsonl')
    expect(run.error).toBeUndefined()
    expect(types()).toBe(`a ${type}`)
  })

  it('with an offset become moments in UTC', async () => {
    const folder = folderWith({ 't.jsonl': '{"a":"2024-01-01T10:00:00+02:00"}\n{"a":"2024-01-01T10:00:00"}\n' })
    expect((await read(folder, 't.jsonl')).lines()).toEqual([
      '{"a":"2024-01-01 08:00:00"}',
      '{"a":"2024-01-01 10:00:00"}',
    ])
  })
})

describe('a file without records', () => {
  const empties: [string, string, string][] = [
    ['no bytes', 'e.jsonl', ''],
    ['blank lines', 'e.jsonl', '\n \n'],
    ['an empty list', 'e.json', '[]'],
    ['an empty list at a path', 'e.json', '{"data":[],"n":1}'],
    ['null at a path', 'e.json', '{"data":null}'],
  ]
  it.each(empties)('of %s has the columns that are declared', async (_, file, content) => {
    const more = content.includes('data') ? ', records: data' : ''
    const folder = folderWith({ [file]: content })
    const { run, types, text } = await read(folder, file, {
      files: `${more}, columns: {id: integer, p: json}`,
      target: 'o.csv',
    })
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'success', item_count: 0 })
    expect(types()).toBe('id BIGINT, p JSON')
    expect(text()).toBe('id,p\n')
    // Without them nothing is known of what a new file would be.
    expect((await read(folder, file, { files: more })).run.error).toMatchObject({
      code: 'VALUE_INVALID',
      hint: expect.stringContaining('Name the columns under `columns`') as string,
    })
  })

  it('is no error where nothing would come of it', async () => {
    const run = await runTask(
      `etl: 1
kind: pipeline
name: none
connectors: {in: {type: file}, db: {type: sqlite, access: write}}
source: {connector: in, files: {glob: e.jsonl}}
target: {connector: db, table: t}
`,
      { in: fileConnector(folderWith({ 'e.jsonl': '' })), db: sqliteConnector(join(temporaryFolder(), 'a.db')) },
    )
    expect(run).toMatchObject({ status: 'success', item_count: 0 })
  })

  it('that has nothing at the path of `records` is an error', async () => {
    const { run } = await read(folderWith({ 'e.json': '{"a":{"b":1}}' }), 'e.json', { files: ', records: a.c' })
    expect(run.error).toMatchObject({
      code: 'FILE_UNREADABLE',
      message: expect.stringContaining('has nothing at `a.c`') as string,
    })
  })
})

describe('a deep document', () => {
  const nested = (depth: number): string => `${'{"a":['.repeat(depth / 2)}1${']}'.repeat(depth / 2)}`

  it('is read up to 512 levels', async () => {
    const folder = folderWith({ 'd.jsonl': `{"p":${nested(512)}}\n`, 'd.json': `[{"p":${nested(512)}}]` })
    for (const file of ['d.jsonl', 'd.json']) {
      const { run, lines } = await read(folder, file)
      expect(run.error).toBeUndefined()
      expect(lines()).toEqual([`{"p":${nested(512)}}`])
    }
  })

  it.each([514, 5000, 20_000, 1_000_000])('of %i is refused with its place', async (depth) => {
    const folder = folderWith({
      'd.jsonl': `{"p":1}\n{"p":${nested(depth)}}\n`,
      'd.json': `[{"p":1},{"p":${nested(depth)}}]`,
      'e.json': `{"x":${nested(depth)},"data":[]}`,
    })
    for (const [file, place, files] of [
      ['d.jsonl', 'd.jsonl, line 2', ''],
      ['d.json', 'd.json, record 2', ''],
      ['e.json', 'e.json, record 0', ', records: data'],
    ] as const) {
      const { run } = await read(folder, file, { files })
      expect(run.error).toMatchObject({
        code: 'FILE_UNREADABLE',
        message: expect.stringMatching(
          new RegExp(`${place}: it is nested more than 512 deep at byte [\\d,]+$`),
        ) as string,
      })
    }
  })
})

describe('lines in quarantine', () => {
  const files = ', on_error: quarantine, columns: {id: integer, at: date}'
  const lines = [
    '{"id":1,"at":"2024-01-01","p":{"a":1.10}}\r\n',
    '{"id":"x","at":"2024-01-01"}\n',
    Buffer.concat([Buffer.from('{"id":3,"t":"'), Buffer.from([0xff]), Buffer.from('"}\n')]),
    '{"id":4,"id":5}\r\n',
    '{"id":6} {"id":7}\n',
    '[8]\n',
    '\n',
    '{"id":9,"at":"yesterday"}\n',
    `{"id":10,"p":${'['.repeat(600)}${']'.repeat(600)}}\n`,
    '{"id":NaN}\n',
    '{"id":12,"at":null,"p":{"a":2.50}}',
  ]
  const reasons = [
    [2, 'Column `id` holds “x”, which is no integer'],
    [3, 'the text is not valid UTF-8'],
    [4, 'the key `id` is listed twice at byte 9'],
    [5, 'broken JSON at byte 10'],
    [6, 'the line is not an object'],
    [8, 'Column `at` holds “yesterday”, which is no date'],
    [9, 'it is nested more than 512 deep at byte 526'],
    [10, 'NaN is not a JSON number at byte 7'],
  ] as const

  it.each([
    ['', Buffer.alloc(0)],
    [' behind a byte order mark', Buffer.from([0xef, 0xbb, 0xbf])],
  ])('are rejected with line and reason, the others arrive%s', async (_, mark) => {
    const folder = folderWith({ 'l.jsonl': Buffer.concat([mark, ...lines.map((line) => Buffer.from(line))]) })
    const { run, lines: written } = await read(folder, 'l.jsonl', { files })
    expect(run.error).toBeUndefined()
    expect(run.status).toBe('completed')
    expect(written()).toEqual(['{"id":1,"at":"2024-01-01","p":{"a":1.10}}', '{"id":12,"at":null,"p":{"a":2.50}}'])
    const told = run.rejects.map(({ reason }) => /l\.jsonl, line (\d+): (.*)$/.exec(reason)?.slice(1) ?? [reason])
    expect(
      told.map(([line, reason]) => [Number(line), reason]).toSorted((one, other) => Number(one[0]) - Number(other[0])),
    ).toEqual(reasons.map((one) => [...one]))
  })

  it('behind a byte order mark and with Windows line ends are read without it, too', async () => {
    const folder = folderWith({ 'l.jsonl': '\uFEFF{"id":1}\r\n{"id":2}\n' })
    expect((await read(folder, 'l.jsonl')).lines()).toEqual(['{"id":1}', '{"id":2}'])
  })
})

describe('records', () => {
  it.each([
    ['a key with a point in it', '{"a.b":{"c":[{"id":1}]}}', 'a.b.c'],
    ['other members around', '{"x":[{"y":"]}"}],"a":{"b":null,"c":[{"id":1}],"d":{"c":[2]}},"z":[[]]}', 'a.c'],
    ['one object', '{"a":{"id":1}}', 'a'],
  ])('at a path are found: %s', async (_, content, path) => {
    const { run, lines } = await read(folderWith({ 'r.json': content }), 'r.json', { files: `, records: ${path}` })
    expect(run.error).toBeUndefined()
    expect(lines()).toEqual(['{"id":1}'])
  })

  it('of several megabytes each, and many in one list, are read across the buffers', async () => {
    const long = 'x'.repeat(3_000_000)
    const rows = Array.from(
      { length: 60_000 },
      (_, id) => `{"id":${id},"p":{"t":"${id % 20_000 === 7 ? long : `t${id}`}"}}`,
    )
    const folder = folderWith({ 'r.json': `{"data":[${rows.join(',')}]}`, 'r.jsonl': rows.join('\n') })
    for (const [file, files] of [
      ['r.json', ', records: data'],
      ['r.jsonl', ''],
    ] as const) {
      const { run, lines } = await read(folder, file, { files })
      expect(run.error).toBeUndefined()
      expect(lines().every((line, at) => line === rows[at])).toBe(true)
      expect(run.item_count).toBe(60_000)
    }
  })

  it('of which some are no objects are refused', async () => {
    const { run } = await read(folderWith({ 'r.json': '[{"a":1},2]' }), 'r.json')
    expect(run.error?.message).toContain('r.json, record 2: the record differs from those before it: some are objects')
    expect((await read(folderWith({ 'r.json': '[1,2]' }), 'r.json')).lines()).toEqual(['{"json":1}', '{"json":2}'])
  })
})

it('whole numbers that end with zeros are read where 64 bits do not hold them', async () => {
  const folder = folderWith({ 'd.jsonl': '{"n":100000000000000000000}\n{"n":-1000000000000000000}\n' })
  const { run, lines, types } = await read(folder, 'd.jsonl')
  expect(run.error).toBeUndefined()
  expect(types()).toBe('n DECIMAL(38,0)')
  expect(lines()).toEqual(['{"n":"100000000000000000000"}', '{"n":"-1000000000000000000"}'])
})

it('SQL takes integers of any size out of documents, and fractions by way of floating point, as docs/types.md says', async () => {
  const document =
    '{"i":123456789012345678901234567890,"f":0.1234567890123456789,"g":1.10,"o":{"f":0.1234567890123456789}}'
  const folder = folderWith({ 'a.jsonl': `{"d":${document}}\n` })
  const fields = ["d -> 'i'", "d ->> 'i'", "d ->> 'f'", "d ->> 'g'", "d -> 'o'", 'CAST(d AS VARCHAR)']
  const query = `SELECT ${fields.map((field, at) => `CAST(${field} AS VARCHAR) AS c${at}`).join(', ')} FROM stream`
  const { run, lines } = await read(folder, 'a.jsonl', { steps: JSON.stringify([{ sql: query }]) })
  expect(run.error).toBeUndefined()
  expect(Object.values(JSON.parse(lines()[0] ?? '') as Record<string, string>)).toEqual([
    '123456789012345678901234567890',
    '123456789012345678901234567890',
    '0.12345678901234568',
    '1.1',
    '{"f":0.12345678901234568}',
    document,
  ])
})
