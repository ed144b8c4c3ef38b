import { describe, expect, test } from 'vitest'
import { setLocale } from '../../../src/renderer/i18n/locale.ts'
import { dateText, ratioText } from '../../../src/renderer/ui/format.ts'
import { bytesText, durationText, relativeTime, spanText } from '../../../src/renderer/ui/time.ts'
import { describeValue, isNumericType, piecesOf } from '../../../src/renderer/ui/value.ts'

describe('describeValue', () => {
  test('NULL, empty and missing are three different things', () => {
    expect(describeValue(null)).toEqual({ kind: 'null' })
    expect(describeValue('')).toEqual({ kind: 'empty' })
    expect(describeValue(undefined)).toEqual({ kind: 'missing' })
  })

  test('blanks at the ends of a text are counted, a blank text once', () => {
    expect(describeValue(' a  ')).toEqual({ kind: 'text', text: ' a  ', before: 1, after: 2 })
    expect(describeValue('   ')).toEqual({ kind: 'text', text: '   ', before: 3, after: 0 })
  })

  test('line ends and tabs are marked wherever they are, blanks at the ends alone', () => {
    const shown = (text: string) => {
      const value = describeValue(text)
      return value.kind === 'text' ? piecesOf(value).map((piece) => (piece.mark ? `[${piece.text}]` : piece.text)).join('') : value.kind // prettier-ignore
    }
    expect(shown('two\nlines and\ttab\r\n')).toBe('two[↵]lines and[⇥]tab[␍↵]')
    expect(shown('  a b\n ')).toBe('[··]a b[↵·]')
    expect(shown(' \n ')).toBe('[·↵·]')
    expect(shown('\u00a0x\ufeff')).toBe('[·]x[·]')
    expect(shown(`${'x'.repeat(600)}\n`)).toMatch(/^x{500}…$/)
  })

  test('long integers arrive as text and lose nothing; objects are JSON', () => {
    expect(describeValue('9007199254740993')).toMatchObject({ text: '9007199254740993' })
    expect(describeValue({ a: [1] })).toEqual({ kind: 'json', text: '{"a":[1]}' })
    expect(describeValue(false)).toEqual({ kind: 'boolean', text: 'false' })
    expect(describeValue(1.5)).toEqual({ kind: 'number', text: '1.5' })
  })
})

test.each([
  ['BIGINT', true],
  ['integer', true],
  ['DECIMAL(12,2)', true],
  ['numeric(12,2)', true],
  ['double precision', true],
  ['int8', true],
  ['UINTEGER', true],
  ['INTERVAL', false],
  ['VARCHAR', false],
  ['timestamptz', false],
  ['point', false],
])('%s is numeric: %s', (type, numeric) => {
  expect(isNumericType(type)).toBe(numeric)
})

test.each([
  [0, '< 1 ms'],
  [0.42, '< 1 ms'],
  [12.4, '12 ms'],
  [0.97, '1 ms'],
  [999.6, '1.00 s'],
  [1240, '1.24 s'],
  [9994, '9.99 s'],
  [9996, '10.0 s'],
  [12_400, '12.4 s'],
  [59_999, '1 min 00 s'],
  [184_000, '3 min 04 s'],
  [7_500_000, '2 h 05 min'],
  [273_600_000, '3 d 04 h'],
])('%d ms reads %s', (ms, text) => {
  expect(durationText(ms)).toBe(text)
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1200, '1.2 KiB'],
  [340 * 1024 ** 2, '340 MiB'],
  [999.6 * 1024, '1.0 MiB'],
])('%d bytes read %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text)
})

test.each([
  [-1000, 'now'],
  [-65_000, '1 min ago'],
  [-7_300_000, '2 h ago'],
  [90_000_000, 'in 1 day'],
  [4_500_000, 'in 1 h 15 min'],
  [7_200_000, 'in 2 h'],
])('a moment %d ms away reads %s', (distance, text) => {
  const now = new Date('2026-03-01T08:30:00.000Z')
  expect(relativeTime(new Date(now.getTime() + distance), now, 'now', 'en-US')).toBe(text)
})

test('ages have the units of durations, and no dots, in every kind of English', () => {
  const now = new Date('2026-03-01T08:30:00.000Z')
  const after = (minutes: number) =>
    ['en', 'en-US', 'en-GB'].map((locale) =>
      relativeTime(new Date(now.getTime() + minutes * 60_000), now, 'now', locale),
    )
  expect(after(10)).toEqual(Array(3).fill('in 10 min'))
  expect(after(70)).toEqual(Array(3).fill('in 1 h 10 min'))
  expect(after(-60 * 24 * 61)).toEqual(Array(3).fill('2 mo ago'))
})

test('shares have their digits after the point only where those say something', () => {
  expect([ratioText(1), ratioText(0.9166), ratioText(0)]).toEqual(['100%', '91.7%', '0%'])
})

test('dates and times have one order and one form, with a zone where one is named', () => {
  setLocale('en')
  const at = new Date('2026-11-28T21:26:07.120Z')
  expect(dateText(at, 'moment', 'UTC')).toBe('Nov 28, 2026, 21:26')
  expect(dateText(at, 'momentInZone', 'UTC')).toBe('Nov 28, 2026, 21:26 UTC')
})

test('what has not ended is as it is for so long, as coarse as ages are', () => {
  const from = new Date('2026-01-01T00:00:00Z')
  const after = (seconds: number) => spanText(from, new Date(from.getTime() + seconds * 1000), 'en')
  expect([0, 59.9, 60, 3599, 3600, 86_400 * 2.5].map(after)).toEqual(['1 s', '59 s', '1 min', '59 min', '1 h', '2 d'])
})
