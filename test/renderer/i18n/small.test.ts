/** The page of public links has its words without i18next: it must say the same. */
import { createInstance } from 'i18next'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as german from '../../../src/renderer/i18n/de/public.ts'
import * as english from '../../../src/renderer/i18n/en/public.ts'

function* keysIn(words: object, path = ''): Generator<string> {
  for (const [name, value] of Object.entries(words)) {
    if (typeof value === 'string') yield path + name
    else if (typeof value === 'object' && value !== null) yield* keysIn(value, `${path + name}.`)
  }
}

beforeEach(() => {
  vi.stubGlobal('document', { documentElement: {} })
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {}, removeItem: () => {} })
  vi.stubGlobal('window', { localStorage })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('reportError', (error: Error) => {
    throw error
  })
  vi.resetModules()
})
afterEach(() => vi.unstubAllGlobals())

test.each([
  ['en', english],
  ['de', german],
] as const)('every text is what i18next makes of it: %s', async (language, words) => {
  vi.stubGlobal('navigator', { languages: [language] })
  const { makeTranslate, startWords } = await import('../../../src/renderer/i18n/small.ts')
  await startWords()
  const i18n = createInstance()
  await i18n.init({
    lng: language,
    resources: { [language]: words },
    returnEmptyString: true,
    interpolation: { escapeValue: false },
  })
  const { numberText: inLanguage } = await import('../../../src/renderer/ui/format.ts')
  i18n.services.formatter?.add('number', (value: number) => inLanguage(value))
  const made: [string, string][] = []
  // Its type knows only the keys of the window.
  const theirs = i18n.t as unknown as (key: string, given: object) => string
  for (const [namespace, texts] of Object.entries(words)) {
    const keys = [...keysIn(texts)].map((key) => key.replace(/_(one|other)$/, ''))
    const names = JSON.stringify(texts).matchAll(/\{\{(\w+)(,\s*number)?/g)
    const params = Object.fromEntries([...names].map(([, name, isNumber]) => [name, isNumber ? 12_345.5 : `<${name}>`]))
    for (const key of new Set(keys)) {
      for (const more of [{}, { count: 0 }, { count: 1 }, { count: 12_345 }]) {
        // Only texts that count have forms; of others the number is one more parameter.
        if (!('count' in more) && keys.filter((one) => one === key).length > 1) continue
        const given = { ...params, ...more }
        made.push([
          `${namespace}:${key} ${makeTranslate(namespace)(key, given)}`,
          `${namespace}:${key} ${theirs(`${namespace}:${key}`, given)}`,
        ])
      }
    }
  }
  expect(made.length).toBeGreaterThan(500)
  expect(made.map(([ours]) => ours)).toEqual(made.map(([, other]) => other))
})

test('a key without a text is told of, and shown as it is', async () => {
  vi.stubGlobal('navigator', { languages: ['en'] })
  const told = vi.fn<(error: Error) => void>()
  vi.stubGlobal('reportError', told)
  const { makeTranslate, startWords } = await import('../../../src/renderer/i18n/small.ts')
  await startWords()
  expect(makeTranslate('ui')('not.there')).toBe('not.there')
  expect(told).toHaveBeenCalledOnce()
})
