import { afterEach, expect, test } from 'vitest'
import { connectorTypeSpecs } from '../../../src/contract/connector-types.ts'
import { serverTexts } from '../../../src/renderer/i18n/de/server-texts.ts'
import { connectorTypeTexts, setServerTexts, settingTexts } from '../../../src/renderer/i18n/server-texts.ts'
import { settings } from '../../../src/server/platform/config.settings.ts'

/** Names of systems and words that both languages share. */
const same = new Set(['SQLite', 'PostgreSQL', 'DuckDB', 'MongoDB', 'OData', 'S3', 'SFTP', 'TLS', 'MiB'])
const worded = new Set(['title', 'description', 'unit', 'x-wanted'])

/** Every text of an answer, with its path. */
function* textsOf(value: object, path = ''): Generator<[path: string, text: string]> {
  for (const [name, part] of Object.entries(value)) {
    if (typeof part === 'string' && worded.has(name)) yield [`${path}.${name}`, part]
    // Of a header with any name no form says anything.
    else if (typeof part === 'object' && part !== null && name !== 'patternProperties')
      yield* textsOf(part, `${path}.${name}`)
  }
}

const types = Object.values(connectorTypeSpecs).map(({ config, secrets, ...spec }) => ({
  ...spec,
  config_schema: { ...config },
  secrets_schema: { ...secrets },
}))
const entries = Object.entries(settings).map(([key, { title, description, unit }]) => ({
  key,
  title,
  description,
  unit,
}))

afterEach(() => setServerTexts())

test('every setting of the server and every field of a connector has its German words, by its key', () => {
  setServerTexts({ ...serverTexts, gallery: {} })
  const german = new Map(textsOf([...types.map(connectorTypeTexts), ...entries.map(settingTexts)]))
  // Words that both languages share stand in the German texts as well.
  const shared = new Set([...textsOf(serverTexts)].map(([, text]) => text))
  const left = [...textsOf([...types, ...entries])].filter(
    ([path, text]) => german.get(path) === text && !same.has(text) && !shared.has(text),
  )
  expect(left).toEqual([])
})

test('no German text is of a setting, a type or a field that does not exist', () => {
  const fields = new Set(
    types.flatMap(({ config_schema, secrets_schema }) => [
      ...Object.keys(config_schema.properties),
      ...Object.keys(secrets_schema.properties),
    ]),
  )
  expect(Object.keys(serverTexts.settings).filter((key) => !(key in settings))).toEqual([])
  expect(Object.keys(serverTexts.connectorTypes).filter((type) => !(type in connectorTypeSpecs))).toEqual([])
  expect(Object.keys(serverTexts.fields).filter((field) => !fields.has(field))).toEqual([])
})

test('only texts are put into the language, values stay; English is as it comes', () => {
  const setting = { key: 'server.port', title: 'Port', unit: 'days', value: 'days' }
  expect(settingTexts(setting)).toEqual(setting)
  setServerTexts({ ...serverTexts, settings: { 'server.port': { title: 'Anschluss' } }, gallery: {} })
  expect(settingTexts(setting)).toEqual({ ...setting, title: 'Anschluss', unit: 'Tage' })
})
