import { expect, test } from 'vitest'
import type { ValueType } from '../../../src/contract/query-values.ts'
import { gridOf } from '../../../src/renderer/features/explorer/json-grid.rules.ts'
import { runJsonata } from '../../../src/renderer/features/explorer/jsonata.rules.ts'
import { rowDocument, uniqueNames } from '../../../src/renderer/features/explorer/row-documents.rules.ts'
import { writeExact } from '../../../src/renderer/ui/json/exact-json.ts'

const fieldsOf = (types: Readonly<Record<string, ValueType>>) =>
  Object.entries(types).map(([name, type]) => ({ name, type, native: '' }))
const run = (expression: string, types: Readonly<Record<string, ValueType>>, rows: unknown[][]) =>
  runJsonata({ expression, fields: fieldsOf(types), rows })
async function valueOf(...question: Parameters<typeof run>): Promise<unknown> {
  const answer = await run(...question)
  if (answer.kind !== 'result') throw new Error(JSON.stringify(answer))
  return answer.json === undefined ? undefined : JSON.parse(answer.json)
}

test('rows become documents with every digit, in the order of their columns', () => {
  const fields = [
    { name: '2', type: 'bigint' as const, native: '' },
    { name: '1', type: 'decimal' as const, native: '' },
    ...fieldsOf({ j: 'json', d: 'document', b: 'bytes', any: 'any', none: 'text' }),
    { name: '2', type: 'double' as const, native: '' },
  ]
  const row = [
    '9007199254740993',
    '1.10',
    '{"n": 12345678901234567890}',
    { $numberLong: '5' },
    'AP8=',
    { text: 'x' },
    null,
    '-0',
  ]
  expect(writeExact(rowDocument(uniqueNames(fields), fields, row), '', '').replaceAll('\n', '')).toBe(
    '{"2": 9007199254740993,"1": 1.10,"j": {"n": 12345678901234567890},"d": {"$numberLong": "5"},"b": "\\\\x00ff","any": "x","none": null,"2 (2)": -0}',
  )
  expect(rowDocument(['a'], fieldsOf({ a: 'json' }), ['{"cut']).get('a')).toBe('{"cut')
})

test('an expression runs over the rows; numbers that would be rounded are text, and NULL is not there', async () => {
  const rows = [
    ['9007199254740993', '10.50', null],
    ['2', '12345678901234567.89', 'x'],
  ]
  const types = { id: 'bigint', total: 'decimal', note: 'text' } as const
  expect(await valueOf('$', types, rows)).toEqual([
    { id: '9007199254740993', total: 10.5 },
    { id: 2, total: '12345678901234567.89', note: 'x' },
  ])
  expect(await valueOf('$[id = 2].note', types, rows)).toBe('x')
  expect(await valueOf('missing', types, rows)).toBeUndefined()
  const documents = [[{ $oid: '65a1' }, { at: { $date: { $numberLong: '0' } }, n: { $numberInt: '7' }, list: [null] }]]
  expect(await valueOf('$[0]', { _id: 'document', doc: 'document' }, documents)).toEqual({
    _id: '65a1',
    doc: { at: '1970-01-01T00:00:00.000Z', n: 7, list: [null] },
  })
  expect(await valueOf('$[0]', { ['__proto__']: 'text' }, [['own']])).toEqual(JSON.parse('{"__proto__":"own"}'))
  expect(await valueOf('{"f": $sum, "n": 1}', types, rows)).toEqual({ n: 1 })
})

test('a mistake has its place, whether it is found when reading or when running', async () => {
  expect(await run('$[id = ', { id: 'bigint' }, [['1']])).toMatchObject({ kind: 'mistake', position: 7 })
  expect(await run('$sum(note)', { note: 'text' }, [['x']])).toMatchObject({ kind: 'mistake', position: 5 })
  expect(await run('$sum(note)', { note: 'text' }, [['x']])).toHaveProperty('message', expect.stringContaining('sum'))
})

test('an expression that ends never, makes too much, or gives too much is stopped', async () => {
  const types = { n: 'integer' } as const
  expect(await run('($f := function($s) { $f($s & $s) }; $f("abcdefgh"))', types, [[1]])).toEqual({ kind: 'tooMuch' })
  expect(await run('[1..9000000].[1..9000000]', types, [[1]])).toEqual({ kind: 'tooMuch' })
  expect(await run('($f := function($n) { 1 + $f($n) }; $f(1))', types, [[1]])).toMatchObject({ kind: 'mistake' })
  const shared = '($a := [1..1000]; $b := [1..1000].[[$a]]; [1..100].[[$b]])'
  expect(await run(shared, types, [[1]])).toMatchObject({ kind: 'tooLong' })
})

test('values become a table: keys are columns, and what has no keys has one of its own', () => {
  expect(gridOf([{ a: 1, b: 'x' }, { a: null, c: [1, { d: 2 }] }, 5], 'value')).toEqual({
    fields: [
      { name: 'value', type: 'double', native: '' },
      { name: 'a', type: 'double', native: '' },
      { name: 'b', type: 'text', native: '' },
      { name: 'c', type: 'json', native: '' },
    ],
    rows: [
      [undefined, 1, 'x', undefined],
      [undefined, null, undefined, '[1,{"d": 2}]'],
      [5, undefined, undefined, undefined],
    ],
  })
  expect(gridOf([{ value: 'x' }, { value: 1 }, true], 'value')).toMatchObject({
    fields: [{ name: 'value (2)' }, { name: 'value', type: 'any' }],
    rows: [
      [undefined, { text: 'x' }],
      [undefined, { double: 1 }],
      [true, undefined],
    ],
  })
  const wide = [Object.fromEntries(Array.from({ length: 1_001 }, (_, at) => [`k${at}`, at]))]
  expect(gridOf(wide, 'value')).toBeNull()
})
