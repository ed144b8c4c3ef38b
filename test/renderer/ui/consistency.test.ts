/** What every screen does alike, held where it can be read from the source. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cutPoint } from '../../../src/renderer/ui/cut.rules.ts'
import { type Hours, setLocale } from '../../../src/renderer/i18n/locale.ts'
import { dateText } from '../../../src/renderer/ui/format.ts'
import { absoluteTime } from '../../../src/renderer/ui/time.ts'
import { darkTokens, lightTokens } from '../../../src/renderer/ui/tokens.ts'
import { statusLooks } from '../../../src/renderer/ui/status.ts'

const texts = (pattern: string) => globSync(pattern).map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const found = (pattern: string, wrong: RegExp) =>
  texts(pattern).flatMap(({ path, text }) => [...text.matchAll(wrong)].map(([what]) => `${path}: ${what}`))

it('numbers of runs have their sign in every message and label', () => {
  expect(found('src/renderer/i18n/*/*.ts', /\b(run|[Ll]auf) \{\{(id|run)\}\}/gi)).toEqual([])
  expect(found('src/{contract,renderer/i18n/de}/messages/*.ts', /\b(run|[Ll]auf) <(id|run)>/gi)).toEqual([])
  expect(texts('src/contract/messages/*.ts').some(({ text }) => text.includes('ob run #<id>'))).toBe(true)
})

it('one dash stands for nothing', () => {
  expect(found('src/renderer/**/*.tsx', /(\?\?|\?|:|>) ?'?[—‒]'?[<,)\s}]/g)).toEqual([])
  expect(found('src/renderer/i18n/*/*.ts', /'[—‒-]'/g)).toEqual([])
})

it('times have the hours of the system, and are written by the formatters alone', () => {
  expect(found('src/renderer/**/*.{ts,tsx}', /toLocale(Time|Date)?String\(|hour12: \w+,/g)).toEqual([])
  for (const { path, text } of texts('src/renderer/{ui,features}/**/*.{ts,tsx}')) {
    // Its looks get their hours where they are used.
    if (path.endsWith('ui/format.ts')) continue
    const hours = text.match(/\bhour: '|timeStyle: '/g)?.length ?? 0
    const cycles = text.match(/hourCycle: 'h23'|inHours\(/g)?.length ?? 0
    expect([path, cycles >= hours]).toEqual([path, true])
  }
})

it('times change with the system’s hours, dates don’t', () => {
  const at = new Date(2026, 10, 20, 0, 33, 51, 120)
  const written = (hours: Hours, locale: string) => {
    setLocale(locale, hours)
    return [dateText(at, 'clock'), dateText(at, 'day'), absoluteTime(at), dateText(at, 'moment')].map((text) =>
      text.replaceAll('\u202F', ' '),
    )
  }
  const english = written('h12', 'en-US')
  expect(english).toMatchObject([
    '12:33 AM',
    'Nov 20, 2026',
    expect.stringContaining('12:33:51.120 AM'),
    'Nov 20, 2026, 12:33 AM',
  ])
  expect(written('h23', 'en-US')).toMatchObject([
    '00:33',
    'Nov 20, 2026',
    expect.stringContaining(' 00:33:51.120'),
    'Nov 20, 2026, 00:33',
  ])
  expect(dateText(new Date(2026, 0, 1, 2), 'clock')).toBe('02:00')
  setLocale('en-US', 'h12')
  expect(dateText(new Date(2026, 0, 1, 2), 'clock')).toMatch(/^2:00.PM$|^2:00.AM$/)
  expect(written('h23', 'de')[0]).toBe('00:33')
  expect(written('h12', 'de')[0]).toMatch(/^12:33 AM$/)
  setLocale('en')
})

it('violet means paused', () => {
  const violet = Object.entries(statusLooks).filter(([, look]) => look.tone === 'paused')
  expect(violet.map(([status]) => status)).toEqual(['paused', 'approval'])
  for (const { chart, status } of [lightTokens, darkTokens]) expect(chart).not.toContain(status.paused.mark)
  const paused = /(StatusBadge|Graph|JobOverview|Shell|JobRunBanner|home)\.module\.css: /
  const uses = found('src/renderer/**/*.{tsx,css}', /hg-status-paused-\w+|"(violet|grape)"/g)
  expect(uses.filter((use) => !paused.test(use))).toEqual([])
})

it('a long name keeps its end, and no character is cut in two', () => {
  expect(cutPoint('daily sales of the north')).toBeNull()
  // In the calendar there is room for a few letters.
  const daily = 'daily sales'
  expect(daily.slice(cutPoint(daily, 4, 8) ?? 0)).toBe('ales')
  const name = 'sales of the northern region, nightly'
  expect(name.slice(cutPoint(name) ?? 0)).toBe('n, nightly')
  for (let at = 0; at < 14; at += 1) {
    const text = `${'a'.repeat(30 + at)}👩‍🚀é😀ß😀😀`
    const point = cutPoint(text) ?? 0
    expect(text.slice(0, point) + text.slice(point)).toBe(text)
    expect(text.slice(point).isWellFormed()).toBe(true)
    expect(text.slice(0, point).isWellFormed()).toBe(true)
  }
})
