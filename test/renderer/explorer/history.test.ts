import { expect, test } from 'vitest'
import { isCut, tabOfEntry } from '../../../src/renderer/features/explorer/history.rules.ts'

test('an entry opens as it was asked: in the builder with its conditions, or as text with its values', () => {
  const definition = {
    mode: 'visual' as const,
    filters: [{ field: 'id', operator: '=', value: '{{id}}' }],
    parameters: [{ name: 'id', label: 'Id', type: 'string' as const }],
  }
  expect(
    tabOfEntry({ text: 'SELECT …', asked: { definition, resource: 'orders', parameters: { id: '7' } } }, 'Query'),
  ).toEqual({
    title: 'orders',
    text: '',
    resource: 'orders',
    presetId: null,
    definition,
    builder: true,
    values: { id: '7' },
  })
  const raw = { mode: 'raw' as const, rawQuery: 'SELECT :n' }
  const asked = { definition: raw, parameters: { n: '9007199254740993', none: null, list: [1] } }
  expect(tabOfEntry({ text: 'SELECT :n', asked }, 'Query')).toMatchObject({
    title: 'Query',
    text: 'SELECT :n',
    builder: false,
    values: { n: '9007199254740993', none: null },
  })
})

test('an entry without what was asked opens as text, unless its text may have been cut', () => {
  expect(tabOfEntry({ text: 'DELETE FROM a', asked: null }, 'Query')).toEqual({
    title: 'Query',
    text: 'DELETE FROM a',
    resource: null,
    presetId: null,
  })
  expect(isCut({ text: 'x'.repeat(99_999), asked: null })).toBe(false)
  expect(isCut({ text: 'x'.repeat(100_000), asked: null })).toBe(true)
  expect(isCut({ text: 'x'.repeat(100_000), asked: { definition: { mode: 'raw' } } })).toBe(false)
})
