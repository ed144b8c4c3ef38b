import { expect, test } from 'vitest'
import { runMessage } from '../../src/contract/run-messages.ts'
import { reasonWithoutValues } from '../../src/contract/without-values.ts'

test('counts of fields are told without the text of the row', () => {
  const { code, params } = runMessage('row_field_count', { found: 3, expected: 7, text: '4711;Jane;secret' })
  expect(reasonWithoutValues({ reason: code, ...params })?.message).toBe('the row has 3 fields, the header has 7: …')
})

test('a value under the name of a count is not told', () => {
  const { code, params } = runMessage('row_field_count', { found: 'Jane', expected: '4711', text: '' })
  expect(reasonWithoutValues({ reason: code, ...params })?.message).not.toMatch(/Jane|4711/)
})
