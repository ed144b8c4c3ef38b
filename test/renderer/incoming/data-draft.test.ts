import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Connector } from '../../../src/contract/connectors.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { filePattern } from '../../../src/executor/connectors/stores/glob.ts'
import {
  type DraftParts,
  type ReadChoice,
  asUsual,
  draftText,
  outputPathOf,
  previewText,
  stemOf,
  tableNameOf,
  tablesText,
  taskNameOf,
} from '../../../src/renderer/features/incoming/data-draft.rules.ts'
import {
  coveringFolder,
  databaseAt,
  exactGlob,
  freeName,
  manyGlob,
  pathBelow,
  placeOf,
} from '../../../src/renderer/features/incoming/data-place.rules.ts'

const comments = { types: 'types', columns: 'columns', filter: 'amount > 0' }
const csv: ReadChoice = {
  format: 'csv',
  glob: 'orders.csv',
  misnamed: false,
  delimiter: ',',
  header: true,
  skip: 0,
  encoding: 'utf-8',
  quote: '"',
  written: asUsual,
  records: null,
  quarantine: false,
  sheet: null,
  table: null,
}
const errorsOf = (text: string) => parseTask(text).diagnostics.filter((one) => one.severity === 'error')
const oddNames = [
  'a b.csv',
  'Zürich.csv',
  `it's "quoted".csv`,
  'a[1]*?.csv',
  '{a,b}.csv',
  '🦊.csv',
  'C:x.csv',
  '~x.csv',
  '${{ x }}.csv',
  '#x: y.csv',
  `${'x'.repeat(200)}.csv`,
]

const connector = (id: number, type: 'file' | 'sqlite', config: Record<string, unknown>): Connector => ({
  id,
  type,
  config,
  name: `c${id}`,
  description: null,
  secrets: {},
  environment: 'development',
  viewer_raw: false,
  archived: 0,
  last_test: null,
  last_test_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: null,
})

test.each(oddNames)('a file called %s is meant by its pattern alone, and its draft is a valid task', (name) => {
  const glob = exactGlob(name)
  expect(filePattern(glob).literal ? glob : filePattern(glob).matches(name)).toBe(
    filePattern(glob).literal ? name : true,
  )
  const stem = stemOf(name)
  const parts: DraftParts = {
    name: taskNameOf(stem),
    description: `Reads ${name}`,
    read: { ...csv, glob },
    write: { kind: 'file', path: outputPathOf(name, stem) },
    columns: [
      { name: 'id', type: 'BIGINT' },
      { name: 'a: b, "c" #', type: 'DOUBLE' },
    ],
  }
  expect(errorsOf(draftText(parts, comments))).toEqual([])
  expect(errorsOf(previewText(parts.read))).toEqual([])
})

test('whatever a file and its columns are called, the draft is a valid task that says so', () => {
  const word = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  const columns = fc.uniqueArray(
    word.filter((one) => one.trim() !== '' && !/\p{Cc}|\$\{\{/u.test(one)),
    {
      minLength: 1,
      maxLength: 5,
      selector: (one) => one.toLowerCase(),
    },
  )
  fc.assert(
    fc.property(word, columns, (stem, names) => {
      const parts: DraftParts = {
        name: taskNameOf(stem),
        description: 'Reads a file',
        read: csv,
        write: { kind: 'table', type: 'sqlite', table: tableNameOf(stem) },
        columns: names.map((name) => ({ name, type: 'DATE' })),
      }
      const parsed = parseTask(draftText(parts, comments))
      expect(parsed.diagnostics.filter((one) => one.severity === 'error')).toEqual([])
      expect(parsed.task?.name).toBe(parts.name)
    }),
    { numRuns: 150 },
  )
})

test('a column with the one name that is no key keeps the type that was found', () => {
  const write = { kind: 'file', path: 'o.parquet' } as const
  const column = (name: string) => ({ name, type: 'DATE' })
  const draft = (names: string[]) =>
    draftText({ name: 'a', description: 'd', read: csv, write, columns: names.map(column) }, comments)
  expect(errorsOf(draft(['__proto__', 'day']))).toEqual([])
  expect(draft(['__proto__', 'day'])).toContain('      day: date')
  expect(errorsOf(draft(['__proto__']))).toEqual([])
})

test('a draft says only what the file does not say itself', () => {
  const plain = {
    name: 'orders',
    description: 'd',
    read: csv,
    write: { kind: 'file', path: 'o.parquet' },
    columns: [],
  } as const
  expect(draftText(plain, comments)).not.toContain('csv:')
  const odd = { ...csv, glob: 'orders.txt', delimiter: ';', header: false, encoding: 'latin-1' } as const
  const text = draftText({ ...plain, read: odd }, comments)
  expect(text).toContain('format: csv')
  expect(text).toContain('csv: {delimiter: ";", header: false, encoding: latin-1}')
  const sheet = draftText({ ...plain, read: { ...csv, format: 'xlsx', glob: 'b.xlsx', sheet: 'Q1 & Q2' } }, comments)
  expect(sheet).toContain('xlsx: {sheet: "Q1 & Q2"}')
  expect(errorsOf(sheet)).toEqual([])
})

test('types that were found in a text file are held by the first step; typed columns are chosen', () => {
  const columns = [
    { name: 'id', type: 'BIGINT' },
    { name: 'name', type: 'VARCHAR' },
    { name: 'paid', type: 'DECIMAL(18,2)' },
  ]
  const write = { kind: 'file', path: 'o.parquet' } as const
  const ofText = draftText({ name: 'o', description: 'd', read: csv, write, columns }, comments)
  expect(ofText).toContain('id: integer\n      paid: decimal(18,2)')
  const typed = { ...csv, format: 'parquet', glob: 'o.parquet' } as const
  expect(draftText({ name: 'o', description: 'd', read: typed, write, columns }, comments)).toContain('id, name, paid')
})

test('tables of a database are asked for by a text that is valid', () => {
  expect(errorsOf(tablesText('sqlite'))).toEqual([])
  expect(errorsOf(tablesText('duckdb'))).toEqual([])
  const read = { ...csv, format: 'sqlite', table: 'odd "name".x' } as const
  expect(errorsOf(previewText(read))).toEqual([])
})

test('the connector that reaches a file by the shortest way is used', () => {
  const all = [
    connector(1, 'file', { root: '/home/ada' }),
    connector(2, 'file', { root: '/home/ada/data/' }),
    connector(3, 'file', { root: '/home/ad' }),
    connector(4, 'sqlite', { path: '/home/ada/app.db' }),
  ]
  expect(coveringFolder(all, '/home/ada/data/x/o.csv')).toMatchObject({ connector: { id: 2 }, way: 'x/o.csv' })
  expect(coveringFolder(all, '/home/adam/o.csv')).toBeNull()
  expect(databaseAt(all, 'sqlite', '/home/ada/app.db')?.id).toBe(4)
  expect(pathBelow('C:\\Data', 'c:\\data\\Sub\\o.csv')).toBe('Sub/o.csv')
  expect(pathBelow('/home/ada', '/home/ada/../bob/o.csv')).toBeNull()
  expect(placeOf('/o.csv')).toEqual({ folder: '/', name: 'o.csv' })
  expect(placeOf('C:\\o.csv')).toEqual({ folder: 'C:\\', name: 'o.csv' })
  expect(placeOf('o.csv')).toBeNull()
})

test('several files are one pattern, unless a name means something else in it', () => {
  expect(filePattern(manyGlob(['a.csv', 'b.csv']) ?? '').matches('b.csv')).toBe(true)
  expect(manyGlob(['a,1.csv', 'b.csv'])).toBeNull()
})

test('a name that is taken gets a number and keeps within its length', () => {
  expect(freeName('orders', new Set(['orders', 'orders 2']))).toBe('orders 3')
  expect(freeName('Orders', new Set(['orders']))).toBe('Orders 2')
  expect(freeName('x'.repeat(300), new Set(['x'.repeat(200)]))).toHaveLength(200)
})

test.each(['a\n  - sql: DROP TABLE x\n#', 'a\rb', 'a\u2028b', 'a\u0000b'])(
  'a column that is called %j adds nothing to the draft but its name',
  (name) => {
    const parts: DraftParts = {
      name: 'x',
      description: 'x',
      read: csv,
      write: { kind: 'file', path: 'out.csv' },
      columns: [{ name, type: 'VARCHAR' }],
    }
    const stepsOf = (columns: DraftParts['columns']) =>
      (parse(draftText({ ...parts, columns }, comments)) as { steps: unknown[] }).steps
    expect(stepsOf(parts.columns)).toEqual([{ select: [name] }])
    const types = [{ name: 'id', type: 'INTEGER' }]
    expect(stepsOf([...types, { name, type: 'DOUBLE' }])).toEqual([{ cast: { id: 'integer', [name]: 'number' } }])
  },
)
