import { describe, expect, it } from 'vitest'
import type { RejectsStart } from '../../../src/contract/rejects-rerun.ts'
import type { RunReject } from '../../../src/contract/run-rejects.ts'
import {
  faultyFields,
  fieldsOf,
  isChanged,
  noEdits,
  readEdits,
  replaced,
  requestOf,
  shownValue,
  withValue,
  withoutRows,
  type RejectEdits,
} from '../../../src/renderer/features/runs/fix-rejects.rules.ts'

const csv = { delimiter: ';', quote: '"', escape: '"', null_values: [''], quoted_nulls: false }
const columns = [
  { name: 'id', type: 'BIGINT' },
  { name: 'day', type: 'DATE' },
  { name: 'note', type: 'VARCHAR' },
]
const lines: RejectsStart = { step: 'source', form: 'line', columns, csv, rows: 3, open: 3 }
const values: RejectsStart = { step: 'expect', form: 'values', columns, rows: 3, open: 3 }
const reject = (id: number, row: Record<string, unknown>) => ({ id, row }) as RunReject // all that the rules look at
const line = (id: number, text: string) => reject(id, { line: id, text })
const edited = (result: ReturnType<typeof withValue>): RejectEdits => {
  if ('code' in result) throw new Error(result.message)
  return result
}
const [, day, note] = [0, 1, 2].map((column) => ({ kind: 'value' as const, column }))

describe('the cell that a reason is about', () => {
  const shown = [{ kind: 'line' as const }, ...columns.map((_, column) => ({ kind: 'value' as const, column }))]
  const cause = { code: 'value_of_other_type', params: { column: 'day', value: 'x', type: 'date' }, message: '' }

  it.each([
    ['the column that it names', { column: 'note' }, [3]],
    ['the column within a place', { line: 4, cause }, [2]],
    ['each column of a rule', { name: 'ok', check: 'id > 0 AND note <> day_of' }, [1, 3]],
    ['the column of a check with words of its own', { name: 'ok', check: cause }, [2]],
    [
      'each column of several reasons',
      { name: 'ok', columns: [cause, { ...cause, params: { column: 'note' } }] },
      [2, 3],
    ],
    ['the line, where no column is named', {}, [0]],
  ])('is %s', (_, params, expected) => {
    expect(faultyFields(lines, { params }, shown)).toEqual(expected)
  })

  it('is none, where there is neither', () => {
    expect(faultyFields(values, { params: {} }, shown.slice(1))).toEqual([])
  })
})

describe('a line of a CSV file', () => {
  it('keeps the other values as they are written', () => {
    const one = line(1, '1;2026-02-30;"a; ""b"""')
    const fixed = edited(withValue(lines, noEdits, one, day!, '2026-02-28'))
    expect(requestOf(fixed, [one])).toEqual([{ id: 1, text: '1;2026-02-28;"a; ""b"""' }])
    expect(shownValue(lines, fixed, one, note!)).toBe('a; "b"')
    expect([isChanged(lines, fixed, one, day!), isChanged(lines, fixed, one, note!)]).toEqual([true, false])
    expect(edited(withValue(lines, fixed, one, day!, '2026-02-30'))).toEqual(noEdits)
  })

  it.each([
    [null, ''],
    ['', '""'],
    ['a;b', '"a;b"'],
    ['say "x"\r\ntwice', '"say ""x""\r\ntwice"'],
    ['plain', 'plain'],
  ])('takes %j', (value, written) => {
    const one = line(1, '1;2026-01-01;x')
    const fixed = edited(withValue(lines, noEdits, one, note!, value))
    expect(fixed.texts[1]).toBe(`1;2026-01-01;${written}`)
    expect(shownValue(lines, fixed, one, note!)).toBe(value)
  })

  it('refuses what the file can’t hold', () => {
    const bare = { ...lines, csv: { ...csv, quote: '', null_values: [] } }
    const one = line(1, '1;2026-01-01;x')
    for (const value of [null, 'a;b', 'a\nb'])
      expect(withValue(bare, noEdits, one, note!, value)).toMatchObject({ code: 'value_not_of_type' })
  })

  it('is shown as text where it isn’t one value for each column, and can be made so', () => {
    const rows = [line(1, '1;2026-01-01;x;y'), line(2, '2;"open'), line(3, '3;;z')]
    expect(fieldsOf(lines, rows.slice(2), noEdits)).toHaveLength(3)
    const [text] = fieldsOf(lines, rows, noEdits)
    expect(text).toEqual({ kind: 'line' })
    expect(shownValue(lines, noEdits, rows[1]!, day!)).toBeUndefined()
    expect(shownValue(lines, noEdits, rows[2]!, day!)).toBeNull()
    const fixed = edited(withValue(lines, noEdits, rows[1]!, text!, '2;2026-01-01;open'))
    expect(shownValue(lines, fixed, rows[1]!, note!)).toBe('open')
  })
})

describe('values', () => {
  it('are checked by the type of their column, and only changed ones are sent', () => {
    const one = reject(1, { id: '9007199254740993', day: null, note: '' })
    expect(withValue(values, noEdits, one, day!, '2026-02-30')).toMatchObject({ code: 'value_not_of_type' })
    const fixed = edited(withValue(values, noEdits, one, day!, '2026-02-28'))
    expect(requestOf(fixed, [one, reject(2, {})])).toEqual([{ id: 1, values: { day: '2026-02-28' } }, { id: 2 }])
    expect(edited(withValue(values, fixed, one, day!, null))).toEqual(noEdits)
  })

  it('are replaced within a column, but for rows that are left out and values that would not fit', () => {
    const rows = [1, 2, 3].map((id) => reject(id, { id, day: '2026-13-01', note: id === 3 ? null : 'n/a' }))
    const left = withoutRows(noEdits, [2])
    const days = replaced(values, left, rows, { field: day!, find: '-13-', by: '-12-' })
    expect([days.changed, days.refused]).toEqual([2, 0])
    expect(replaced(values, days.edits, rows, { field: day!, find: '12', by: '99' })).toMatchObject({
      changed: 0,
      refused: 2,
    })
    // Empty: what is empty is filled.
    const notes = replaced(values, days.edits, rows, { field: note!, find: '', by: 'none' })
    expect(requestOf(notes.edits, rows)).toEqual([
      { id: 1, values: { day: '2026-12-01' } },
      { id: 3, values: { day: '2026-12-01', note: 'none' } },
    ])
    expect(withoutRows(left, [2])).toEqual(noEdits)
  })
})

it('what was kept is taken up for the rows that are still there', () => {
  const kept = JSON.stringify({ texts: { 1: 'a', 9: 'b' }, values: {}, left: [2, 9] })
  expect(readEdits(kept, [line(1, ''), line(2, '')])).toEqual({ texts: { 1: 'a' }, values: {}, left: [2] })
  expect(readEdits('{', [])).toBeNull()
})
