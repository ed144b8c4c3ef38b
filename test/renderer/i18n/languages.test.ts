import { afterEach, beforeEach, expect, test } from 'vitest'
import { choiceOf, languageOf, localeOf } from '../../../src/renderer/i18n/languages.ts'
import { setLocale } from '../../../src/renderer/i18n/locale.ts'
import { compareNames, countText, dateText, listText, numberText } from '../../../src/renderer/ui/format.ts'
import { bytesText, durationText, relativeTime } from '../../../src/renderer/ui/time.ts'

test('the system’s language is the first of the browser’s that there are words for, else English', () => {
  expect(languageOf('system', ['fr-FR', 'de-AT', 'en'])).toBe('de')
  expect(languageOf('system', ['fr-FR'])).toBe('en')
  expect(languageOf('system', [])).toBe('en')
  expect(languageOf('en', ['de'])).toBe('en')
})

test('a choice that was never made, or is of another day, is the system’s', () => {
  expect([choiceOf(null), choiceOf('xx'), choiceOf('de')]).toEqual(['system', 'system', 'de'])
})

test('numbers and dates are written as the browser asks where it speaks the language', () => {
  expect(localeOf('en', ['de-DE', 'en-GB'])).toBe('en-GB')
  expect(localeOf('de', ['de-CH'])).toBe('de-CH')
  expect(localeOf('de', ['en-GB'])).toBe('de')
})

beforeEach(() => setLocale('de'))
afterEach(() => setLocale('en'))

test('German numbers, sizes and spans', () => {
  expect(numberText(1_234_567)).toBe('1.234.567')
  expect(countText(null)).toBeUndefined()
  expect(bytesText(1_240)).toBe('1,2 KiB')
  expect([0.44, 12, 1_240, 184_000, 7_500_000].map((ms) => durationText(ms))).toEqual([
    '< 1 ms',
    '12 ms',
    '1,24 s',
    '3 min 04 s',
    '2 h 05 min',
  ])
})

test('German moments, lists and the order of names', () => {
  const at = new Date('2026-11-20T18:33:00Z')
  expect(dateText(at, 'day', 'UTC')).toBe('20. Nov. 2026')
  expect(relativeTime(new Date('2026-11-20T18:30:00Z'), at, 'gerade eben')).toBe('vor 3 min')
  expect(relativeTime(new Date(at.getTime() + 4_500_000), at, 'gerade eben')).toBe('in 1 h 15 min')
  expect(listText(['Montag', 'Mittwoch', 'Freitag'])).toBe('Montag, Mittwoch und Freitag')
  expect(['zebra', 'Äpfel', 'task 10', 'task 2', 'apfel'].toSorted(compareNames)).toEqual([
    'apfel',
    'Äpfel',
    'task 2',
    'task 10',
    'zebra',
  ])
})

test('what changes the language changes what is written next', () => {
  expect(numberText(1.5, 1)).toBe('1,5')
  setLocale('en-GB')
  expect(numberText(1.5, 1)).toBe('1.5')
})
