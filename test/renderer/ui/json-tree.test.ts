import { expect, test } from 'vitest'
import { parseExact, writeExact } from '../../../src/renderer/ui/json/exact-json.ts'
import {
  itemAt,
  leafText,
  lineOf,
  linesOf,
  pathId,
  pathText,
  previewOf,
} from '../../../src/renderer/ui/json/json-tree.rules.ts'

const open = (...paths: (string | number)[][]) => new Set(paths.map(pathId))

test('what is open has lines, what is in something closed has none', () => {
  const value = parseExact('{"a": {"b": [1, {"c": 12345678901234567890}]}, "e": {}, "n": null}')
  const keys = (paths: ReadonlySet<string>) => linesOf(value, paths).map(({ path, size }) => [path.join('.'), size])
  expect(keys(open())).toEqual([['', 3]])
  expect(keys(open([], ['a', 'b'], ['e']))).toEqual([
    ['', 3],
    ['a', 1],
    ['e', 0],
    ['n', null],
  ])
  expect(keys(open([], ['a'], ['a', 'b']))).toEqual([
    ['', 3],
    ['a', 1],
    ['a.b', 2],
    ['a.b.0', null],
    ['a.b.1', 1],
    ['e', 0],
    ['n', null],
  ])
})

test('numbers keep their digits, and values of Extended JSON are one value', () => {
  expect(previewOf(parseExact('{"n": 1.10, "big": 12345678901234567890, "list": [true, "x"]}'))).toBe(
    '{n: 1.10, big: 12345678901234567890, list: [true, "x"]}',
  )
  expect(leafText({ $numberLong: '9007199254740993' })).toEqual({ kind: 'number', text: '9007199254740993' })
  expect(leafText({ $oid: '65a1' })).toEqual({ kind: 'object', text: '{"$oid":"65a1"}' })
  expect(linesOf({ $date: { $numberLong: '0' } }, open([]))).toHaveLength(1)
  expect(linesOf({ $other: 1 }, open([]))).toHaveLength(2)
  expect(previewOf({ long: 'x'.repeat(10_000) }).length).toBeLessThan(200)
  expect(writeExact(parseExact('[1.0, {"a": 1e400}, {}]'))).toBe('[\n  1.0,\n  {\n    "a": 1e400\n  },\n  {}\n]')
})

test('paths are expressions: keys that are no names are quoted', () => {
  expect(pathText(12, ['a', 0, 'first name', 'é'])).toBe('$[12].a[0].`first name`.`é`')
  expect(pathText(null, [])).toBe('$')
})

test('each line of the tree belongs to one item, at the edges of open ones, too', () => {
  const opened = [
    { item: 0, more: 2 },
    { item: 3, more: 1 },
    { item: 4, more: 3 },
  ]
  const items = Array.from({ length: 12 }, (_, line) => itemAt(line, opened))
  expect(items.map(({ item, line }) => `${item}.${line}`)).toEqual([
    '0.0',
    '0.1',
    '0.2',
    '1.0',
    '2.0',
    '3.0',
    '3.1',
    '4.0',
    '4.1',
    '4.2',
    '4.3',
    '5.0',
  ])
  expect([0, 1, 3, 4, 5].map((item) => lineOf(item, opened))).toEqual([0, 3, 5, 7, 11])
  expect(itemAt(999_999, []).item).toBe(999_999)
})
