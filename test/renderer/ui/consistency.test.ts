/** What every screen does alike, held where it can be read from the source. */
import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { cutPoint } from '../../../src/renderer/ui/cut.rules.ts'
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

it('times have 24 hours, and are written by the formatters alone', () => {
  expect(found('src/renderer/**/*.{ts,tsx}', /toLocale(Time|Date)?String\(|hour12: \w+,/g)).toEqual([])
  for (const { path, text } of texts('src/renderer/{ui,features}/**/*.{ts,tsx}')) {
    const hours = text.match(/\bhour: '|timeStyle: '/g)?.length ?? 0
    const cycles = text.match(/hourCycle: 'h23'|'sv-SE'/g)?.length ?? 0
    expect([path, cycles >= hours]).toEqual([path, true])
  }
})

it('violet means paused', () => {
  const violet = Object.entries(statusLooks).filter(([, look]) => look.tone === 'paused')
  expect(violet.map(([status]) => status)).toEqual(['paused'])
  const paused = /(StatusBadge|Graph|JobOverview|Shell|JobRunBanner|home)\.module\.css: /
  const uses = found('src/renderer/**/*.{tsx,css}', /hg-status-paused-\w+|"(violet|grape)"/g)
  expect(uses.filter((use) => !paused.test(use))).toEqual([])
})

it('a long name keeps its end, and no character is cut in two', () => {
  expect(cutPoint('daily sales of the north')).toBeNull()
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
