import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { laterCursor, type CursorValue } from '../../../src/language/task/cursor-value.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { resolveTask } from '../../../src/language/task/resolve-task.ts'
import type { CursorSpec } from '../../../src/language/task/sources/source.types.ts'

const run = { id: 7, attempt: 2, logical_date: '2024-03-05T06:07:08.000Z' }

function resolved(cursor: string, saved: CursorValue | null) {
  const { task } = parseTask(`etl: 1
kind: pipeline
name: x
connectors: {db: {type: sqlite, access: write}}
args: {a: {type: json}}
state: {cursor: ${cursor}}
source: {inline: {rows: [{v: "\${{ state.cursor }}"}]}}
target: {connector: db, table: t}
`)
  if (task?.kind !== 'pipeline') throw new Error('the task does not read')
  return resolveTask(task, { args: { a: '2024-02-30' }, run }, saved)
}
function start(cursor: string, saved: CursorValue | null): CursorValue | null {
  const { cursor: value, problems, task } = resolved(`{field: v, ${cursor}}`, saved)
  expect(problems).toEqual([])
  expect(task.source.kind === 'inline' && task.source.rows[0]?.['v']).toEqual(value)
  return value
}

describe('where reading starts', () => {
  it.each([
    ['type: integer', null, null],
    ['type: integer, initial: 5', null, 5],
    ['type: integer, initial: 5', 7, 7],
    ['type: integer, initial: "-9223372036854775808"', null, '-9223372036854775808'],
    ['type: integer, initial: "9007199254740993"', null, '9007199254740993'],
    ['type: integer, lag: 10', 7, -3],
    ['type: integer, lag: 1', '9223372036854775807', '9223372036854775806'],
    ['type: integer, lag: 1', '9007199254740992', 9007199254740991],
    ['type: number, lag: 0.5', 2, 1.5],
    // Its nearest number is 9007199254740996, beyond it.
    ['type: number, lag: 0.5', '9007199254740995', '9007199254740994.5'],
    ['type: number', '12345678901234567890.123456789', '12345678901234567890.123456789'],
    ['type: string', 'b', 'b'],
    ['type: date, lag: 2d', '2024-03-01', '2024-02-28'],
    ['type: date, lag: 1h', '2024-03-01', '2024-02-29'],
    ['type: datetime, lag: 5m', '2024-03-01T00:00:00.000001Z', '2024-02-29T23:55:00.000001Z'],
    ['type: datetime, lag: 5m', '1969-12-31T23:59:59.999999Z', '1969-12-31T23:54:59.999999Z'],
    ['type: datetime, lag: 1ms', '2024-03-01T00:00:00Z', '2024-02-29T23:59:59.999000Z'],
    ['type: datetime, lag: 3000d', '0001-03-01T00:00:00Z', '0000-01-01T00:00:00.000000Z'],
    ['type: datetime, lag: 1m', '2024-03-01 02:00:00+02:00', '2024-02-29T23:59:00.000000Z'],
    ['type: date, lag: 3000d', '0001-03-01', '0000-01-01'],
    ['type: datetime, initial: "2024-01-01T02:00:00+02:00"', null, '2024-01-01T00:00:00Z'],
    ['type: date, initial: "${{ $substring(run.logical_date, 0, 10) }}"', null, '2024-03-05'],
  ] as const)('{%s} after %s is %s', (cursor, saved, expected) => {
    expect(start(cursor, saved)).toBe(expected)
  })

  it('is refused when `initial` gives something else', () => {
    expect(resolved('{field: v, type: date, initial: "${{ args.a }}"}', null).problems).toMatchObject([
      { path: 'state.cursor.initial', message: 'It must be a date such as 2024-12-31, not "2024-02-30".' },
    ])
  })
})

describe('a saved cursor of another type', () => {
  it.each([
    ['integer', '2024-01-01'],
    ['integer', 1.5],
    ['number', 'a'],
    ['date', 5],
    ['date', '2024-01-01T00:00:00Z'],
    ['datetime', 'a'],
    ['string', 5],
  ] as const)('%s: %s is refused with a way out', (type, saved) => {
    expect(resolved(`{field: v, type: ${type}}`, saved).problems).toMatchObject([
      { path: 'state.cursor', message: expect.stringMatching(/full_refresh/) as unknown },
    ])
  })
})

describe('the later of two cursors', () => {
  const later = (type: CursorSpec['type'], one: CursorValue, other: CursorValue): CursorValue => {
    expect(laterCursor(type, other, one)).toBe(laterCursor(type, one, other))
    return laterCursor(type, one, other)
  }
  it('is found in full precision', () => {
    expect(later('integer', '9007199254740993', 9007199254740991)).toBe('9007199254740993')
    expect(later('integer', '9007199254740993', '9007199254740992')).toBe('9007199254740993')
    expect(later('integer', -2, -1)).toBe(-1)
    expect(later('number', '0.12345678901234567891', '0.12345678901234567890')).toBe('0.12345678901234567891')
    expect(later('number', 1e300, 2)).toBe(1e300)
    expect(later('datetime', '2024-01-01T00:00:00.000001Z', '2024-01-01T00:00:00Z')).toBe('2024-01-01T00:00:00.000001Z')
    expect(later('date', '2024-01-02', '2024-01-01')).toBe('2024-01-02')
    expect(later('string', 'b', 'B')).toBe('b')
    expect(later('string', '\u{1f600}', '\u{ffee}')).toBe('\u{1f600}')
  })
  it('of texts is the one that sorts last as UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (one, other) => {
        const last = Buffer.compare(Buffer.from(one), Buffer.from(other)) >= 0 ? one : other
        expect(laterCursor('string', one, other)).toBe(last)
      }),
    )
  })
})
