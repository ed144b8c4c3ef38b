import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { identifier } from '../../../src/language/query/table-sql.ts'
import { cellOf, hexOf } from '../../../src/renderer/ui/grid/cell.rules.ts'
import { copied } from '../../../src/renderer/ui/grid/copy.rules.ts'
import {
  type GridColumns,
  columnsIn,
  edgesOf,
  hidden,
  moved as columnMoved,
  pinned,
} from '../../../src/renderer/ui/grid/columns.rules.ts'
import { at, moved, rangeOf, rowsSelected } from '../../../src/renderer/ui/grid/selection.rules.ts'

const fields = [
  { name: 'id', type: 'bigint', native: 'bigint' },
  { name: 'na"me', type: 'text', native: 'text' },
  { name: 'data', type: 'bytes', native: 'bytea' },
  { name: 'ok', type: 'boolean', native: 'boolean' },
] as const
const rows = [
  ['9007199254740993', "it's\ta \\ tab", 'AP8=', true],
  [null, '', null, false],
]
const selected = { fields, rows, table: 'public.t', dialect: 'postgres' } as const

describe('copies of a selection', () => {
  it('keep every digit, and tell NULL from empty text', () => {
    expect(copied('csv', selected)).toBe(
      'id,"na""me",data,ok\r\n9007199254740993,it\'s\ta \\ tab,\\x00ff,true\r\n,"",,false',
    )
    expect(copied('json', selected)).toBe(
      '[\n  {"id": 9007199254740993, "na\\"me": "it\'s\\ta \\\\ tab", "data": "\\\\x00ff", "ok": true},\n  {"id": null, "na\\"me": "", "data": null, "ok": false}\n]',
    )
    expect(copied('tsv', selected).split('\n')[0]).toBe('9007199254740993\t"it\'s\ta \\ tab"\t\\x00ff\ttrue')
    expect(copied('tsv', { ...selected, fields: [fields[1]], rows: [['a\tb']] })).toBe('a\tb')
  })

  it('are statements that the dialect reads', () => {
    expect(copied('insert', selected)).toBe(
      `INSERT INTO public.t ("id", "na""me", "data", "ok") VALUES\n  (9007199254740993, 'it''s\ta \\ tab', '\\x00ff'::bytea, TRUE),\n  (NULL, '', NULL, FALSE);`,
    )
    const mysql = copied('insert', { ...selected, dialect: 'mysql' })
    expect(mysql).toContain('`na"me`')
    expect(mysql).toContain(`'it''s\ta \\\\ tab', X'00ff'`)
    expect(copied('in_list', { ...selected, fields: [fields[0]], rows: [['1'], ['1'], [null], ['2']] })).toBe('(1, 2)')
    expect(identifier('a"b', 'sqlite')).toBe('"a""b"')
  })

  it('are tables of Markdown whose cells stay in their place', () => {
    expect(copied('markdown', { ...selected, fields: [fields[1]], rows: [['a|b\nc']] })).toBe(
      '| na"me |\n| --- |\n| a\\|b<br>c |',
    )
  })

  it('take a value by its own type where the column holds several', () => {
    expect(cellOf({ bigint: '5' }, 'any')).toEqual({ type: 'bigint', text: '5' })
    expect(cellOf({ text: 'n/a' }, 'bigint')).toEqual({ type: 'text', text: 'n/a' })
    expect(cellOf({ $oid: 'x' }, 'document')).toEqual({ type: 'document', text: '{"$oid":"x"}' })
    expect(cellOf(undefined, 'text').text).toBeUndefined()
    expect(hexOf('AAECAw==')).toBe('\\x00010203')
  })
})

describe('columns in sight', () => {
  it('cover the window without a gap, however many there are', () => {
    const widths = fc.array(fc.integer({ min: 30, max: 400 }), { minLength: 1, maxLength: 1500 })
    fc.assert(
      fc.property(
        widths,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 50, max: 2000 }),
        (all, share, width) => {
          const edges = edgesOf(all)
          const total = edges.at(-1) ?? 0
          const left = share * Math.max(0, total - width)
          const [first, end] = columnsIn(edges, left, width)
          expect(edges[first]).toBeLessThanOrEqual(left)
          expect(edges[end]).toBeGreaterThanOrEqual(Math.min(total, left + width))
          expect(end - first).toBeLessThanOrEqual(Math.ceil(width / 30) + 6)
        },
      ),
    )
  })
})

describe('the selection', () => {
  it('of rows takes all their columns, and the keyboard stands in the first', () => {
    const rows = rowsSelected(2, 4, 7)
    expect([rows.head, rangeOf(rows)]).toEqual([
      { row: 4, column: 0 },
      { top: 2, bottom: 4, left: 0, right: 6 },
    ])
  })

  const size = { rows: 100, columns: 5, page: 10 }
  const press = (key: string, more: { shift?: boolean; mod?: boolean } = {}) => ({
    key,
    shift: false,
    mod: false,
    ...more,
  })

  it('moves by keys and never leaves the grid', () => {
    expect(moved(null, press('ArrowDown'), size)).toEqual(at(0, 0))
    expect(moved(at(0, 0), press('ArrowUp'), size)).toEqual(at(0, 0))
    expect(moved(at(95, 4), press('PageDown'), size)).toEqual(at(99, 4))
    expect(moved(at(3, 3), press('Home', { mod: true }), size)).toEqual(at(0, 0))
    expect(moved(at(3, 3), press('x'), size)).toBeNull()
    expect(moved(null, press('ArrowDown'), { ...size, rows: 0 })).toBeNull()
  })

  it('grows from where it began', () => {
    const grown = moved(moved(at(5, 2), press('ArrowUp', { shift: true }), size), press('End', { shift: true }), size)
    expect(grown && rangeOf(grown)).toEqual({ top: 4, bottom: 5, left: 2, right: 4 })
    const all = moved(null, press('a', { mod: true }), size)
    expect(all && rangeOf(all)).toEqual({ top: 0, bottom: 99, left: 0, right: 4 })
  })
})

describe('columns', () => {
  const columns: GridColumns = { order: [0, 1, 2, 3], pinned: 0, widths: { 2: 90 } }

  it('are pinned behind those that are, and unpinned in front of the others', () => {
    const two = pinned(pinned(columns, 2), 3)
    expect(two).toEqual({ order: [2, 3, 0, 1], pinned: 2, widths: { 2: 90 } })
    expect(pinned(two, 0)).toEqual({ order: [3, 2, 0, 1], pinned: 1, widths: { 2: 90 } })
  })

  it('change places with a neighbor of their own kind', () => {
    const one = pinned(columns, 2)
    expect(columnMoved(one, 1, 1).order).toEqual([2, 1, 0, 3])
    expect(columnMoved(one, 1, -1)).toBe(one)
    expect(columnMoved(one, 3, 1)).toBe(one)
  })

  it('are hidden but for the last one', () => {
    const left = hidden(hidden(hidden(pinned(columns, 2), 0), 0), 0)
    expect(left).toMatchObject({ order: [3], pinned: 0 })
    expect(hidden(left, 0)).toBe(left)
  })
})
