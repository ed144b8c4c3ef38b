import { describe, expect, test } from 'vitest'
import * as germanFirst from '../../../src/renderer/i18n/de/first.ts'
import * as germanRest from '../../../src/renderer/i18n/de/rest.ts'
import * as englishFirst from '../../../src/renderer/i18n/en/first.ts'
import * as englishRest from '../../../src/renderer/i18n/en/rest.ts'
import { namedKeys } from './window-code.ts'

function* entries(words: object, path = ''): Generator<[key: string, text: string]> {
  for (const [name, value] of Object.entries(words)) {
    if (typeof value === 'string') yield [path + name, value]
    else if (typeof value === 'object' && value !== null) yield* entries(value, `${path + name}.`)
  }
}

const english = new Map(entries({ ...englishFirst, ...englishRest }))
const german = new Map(entries({ ...germanFirst, ...germanRest }))
const placeholders = (text: string) => [...text.matchAll(/\{\{[^}]*\}\}/g)].map(String).toSorted()

test('German has the keys of English, no more and no less', () => {
  expect([...german.keys()].toSorted()).toEqual([...english.keys()].toSorted())
})

test('each German text takes what its English one takes', () => {
  const wrong = [...english]
    .filter(([key, text]) => placeholders(text).join() !== placeholders(german.get(key) ?? '').join())
    .map(([key, text]) => `${key}: ${text} | ${german.get(key)}`)
  expect(wrong).toEqual([])
})

test('a plural has both its forms', () => {
  const lonely = [...english.keys()].filter((key) => {
    const other = key.endsWith('_one') ? key.replace(/_one$/, '_other') : key.replace(/_other$/, '_one')
    return !english.has(other)
  })
  expect(lonely).toEqual([])
})

test('every key is named by the code of the window', () => {
  const { texts, patterns } = namedKeys()
  const unnamed = [...english.keys()].filter((key) => {
    const [, ...path] = key.split('.')
    const plain = path.join('.').replace(/_(zero|one|other)$/, '')
    // Groups of texts are handed on whole, too: `t('contents')`.
    return !texts.has(plain) && !texts.has(key) && !patterns.some((pattern) => pattern.test(plain))
  })
  expect(unnamed).toEqual([])
})

/** Words of translated or British English that no product sentence needs. */
const oldStyle =
  /\b(anew|beside|by itself|cancell(ed|ing)|colours?|firings|next firing|heals|lies|meanwhile|mend(ed)?|moments?|nobody|of its own|somebody|at once|take out|under way|whole(?! number)|(it|this) is no|is (away|told))\b/i

test('English is plain: no words of the old style', () => {
  expect([...english].filter(([, text]) => oldStyle.test(text))).toEqual([])
})

describe('German typography', () => {
  const texts = [...german].filter(([key]) => !key.startsWith('executors.command'))

  test('quotes are „so“', () => {
    expect(texts.filter(([, text]) => /[”"]|“[^“]*„?[^„]*”/.test(text))).toEqual([])
    expect(texts.filter(([, text]) => text.split('„').length !== text.split('“').length)).toEqual([])
  })

  test('a word and its ellipsis stand apart', () => {
    expect(texts.filter(([, text]) => /\p{L}…/u.test(text) && !/event\.…/.test(text))).toEqual([])
  })
})
