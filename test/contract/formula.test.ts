import { expect, test } from 'vitest'
import { guarded } from '../../src/contract/formula.ts'
import { csvRow } from '../../src/contract/query-csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['\n=1', "'\n'=1"],
  ['＝1+1', "'＝1+1"],
  ['-5', '-5'],
  ['a=b', 'a=b'],
  // Split at semicolons or commas, these would be formulas.
  ['x;=HYPERLINK("http://x");', 'x;\'=HYPERLINK("http://x");'],
  ['x;-2+3+cmd|a', "x;'-2+3+cmd|a"],
  ['x;-5', 'x;-5'],
  ['x\n@SUM(1)', "x\n'@SUM(1)"],
  // In this file a comma is what separates fields: quotes protect it.
  ['x,=1', 'x,=1'],
  ['a; b', 'a; b'],
])('%j is written as %j', (text, written) => {
  expect(guarded(text)).toBe(written)
})

test('in a file with semicolons, commas are looked at, and lists of numbers stay as they are', () => {
  expect(['x,=1', 'x,@a', '[1,-5,+3]', 'x;=1'].map((text) => guarded(text, ';'))).toEqual([
    "x,'=1",
    "x,'@a",
    '[1,-5,+3]',
    'x;=1',
  ])
})

test('rows of a dashboard are guarded so', () => {
  expect(csvRow([{ type: 'text', text: 'x;=1;' }], true)).toBe("x;'=1;")
  expect(csvRow([{ type: 'text', text: 'x;=1;' }], false)).toBe('x;=1;')
})
