import { afterEach, expect, test } from 'vitest'
import { connectorTypeSpecs } from '../../../src/contract/connector-types.ts'
import { serverTexts } from '../../../src/renderer/i18n/de/server-texts.ts'
import { inLanguage, setServerTexts, worded } from '../../../src/renderer/i18n/server-texts.ts'
import { settings } from '../../../src/server/platform/config.settings.ts'

/** Names of systems and words that both languages share. */
const same = new Set(['SQLite', 'PostgreSQL', 'DuckDB', 'MongoDB', 'OData', 'S3', 'SFTP', 'TLS', 'MiB'])

function* textsOf(value: object): Generator<string> {
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && worded.has(name)) yield part
    else if (typeof part === 'object' && part !== null) yield* textsOf(part)
  }
}

afterEach(() => setServerTexts({}))

test('every setting of the server and every field of a connector has its German words', () => {
  const sent = new Set([...textsOf(settings), ...textsOf(connectorTypeSpecs)])
  expect([...sent].filter((text) => !same.has(text) && !serverTexts[text])).toEqual([])
  expect(Object.keys(serverTexts).filter((text) => !sent.has(text))).toEqual([])
})

test('only texts are put into the language; values and a field called title stay as they are', () => {
  setServerTexts({ Port: 'Anschluss', days: 'Tage' })
  const answer = {
    title: 'Port',
    unit: 'days',
    value: 'Port',
    examples: ['days'],
    properties: { title: { title: 'Port' } },
  }
  expect(inLanguage(answer)).toEqual({
    title: 'Anschluss',
    unit: 'Tage',
    value: 'Port',
    examples: ['days'],
    properties: { title: { title: 'Anschluss' } },
  })
})

test('a text that has no words in the language stays as the server says it; English is not touched at all', () => {
  setServerTexts({ Port: 'Anschluss' })
  expect(inLanguage({ title: 'Something new' })).toEqual({ title: 'Something new' })
  setServerTexts({})
  const answer = { title: 'Port' }
  expect(inLanguage(answer)).toBe(answer)
})
