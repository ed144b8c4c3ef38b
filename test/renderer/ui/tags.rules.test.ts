import { expect, test } from 'vitest'
import { fittingTags } from '../../../src/renderer/ui/tags.rules.ts'

test('a cell shows all tags that fit', () => {
  expect(fittingTags(['crm'])).toBe(1)
  expect(fittingTags(['csv', 'files'])).toBe(2)
})

test('a cell leaves room for the number of tags that do not fit', () => {
  expect(fittingTags(['flights', 'delays'])).toBe(1)
  expect(fittingTags(['csv', 'files', 'table'])).toBe(1)
})

test('the first tag is shown however long it is', () => {
  expect(fittingTags(['quarterly-reconciliation-of-invoices', 'crm'])).toBe(1)
})
