import { describe, expect, it } from 'vitest'
import { parseTableName } from '../../../src/language/task/table-name.ts'

describe('parseTableName', () => {
  it.each([
    ['orders', { schema: null, name: 'orders' }],
    ['sales.orders', { schema: 'sales', name: 'orders' }],
    ['"my.table"', { schema: null, name: 'my.table' }],
    ['"a ""b"""."c"', { schema: 'a "b"', name: 'c' }],
    ['Größe', { schema: null, name: 'Größe' }],
    ['two words', { schema: null, name: 'two words' }],
    ['a.b.c', null],
    ['.a', null],
    ['a.', null],
    ['', null],
    ['a;DROP TABLE b', null],
    ["it's", null],
    ['"open', null],
    [' a', null],
    ['a\nb', null],
  ])('reads %j', (written, expected) => {
    expect(parseTableName(written)).toEqual(expected)
  })
})
