import { expect, test } from 'vitest'
import { draftOf, mistakesOf, parameterOf } from '../../../src/renderer/features/explorer/preset-parameters.rules.ts'
import { rawDefinition } from '../../../src/renderer/features/explorer/builder.rules.ts'

const record = {
  name: 'who',
  label: 'Who',
  type: 'mongoRecord' as const,
  required: false,
  defaultValue: '5',
  collection: 'people',
  valueField: 'nr',
  labelField: 'name',
  descriptionFields: ['city'],
  searchFields: ['name'],
  filter: { active: true },
  sort: { name: -1 },
}

test('a parameter that is edited and saved is the one that it was', () => {
  expect(parameterOf(draftOf(record))).toEqual(record)
  const plain = { name: 'a', label: 'a', type: 'string' as const }
  expect(parameterOf(draftOf(plain))).toEqual(plain)
  // What belongs to records is not in a parameter that is text.
  expect(parameterOf({ ...draftOf(record), type: 'string' })).toEqual({
    name: 'who',
    label: 'Who',
    type: 'string',
    required: false,
    defaultValue: '5',
  })
})

test('mistakes are told at their field', () => {
  const draft = draftOf(record)
  expect(mistakesOf(draft)).toEqual({})
  expect(mistakesOf({ ...draft, label: ' ', collection: '', filter: '[1]', sort: '{' })).toEqual({
    label: 'required',
    collection: 'required',
    filter: 'object',
    sort: 'object',
  })
  expect(mistakesOf({ ...draft, type: 'objectId', collection: '' })).toEqual({ defaultValue: 'objectId' })
})

test('placeholders in JSON are parameters, described as they were', () => {
  const rawQuery = '{"find": "orders", "filter": {"who": "{{who}}", "state": "{{state}}"}}'
  const definition = { mode: 'raw' as const, rawQuery: 'old', parameters: [record] }
  expect(rawDefinition({ definition }, rawQuery)).toEqual({
    mode: 'raw',
    rawQuery,
    parameters: [record, { name: 'state', label: 'state', type: 'string' }],
  })
  expect(rawDefinition({}, '{"find": "orders"}')).toEqual({ mode: 'raw', rawQuery: '{"find": "orders"}' })
})
