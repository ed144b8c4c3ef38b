import { expect, test } from 'vitest'
import { fittingTags } from '../../../src/renderer/ui/tags.rules.ts'

test('a cell shows all tags that fit', () => {
  expect(fittingTags(['crm'], 96)).toBe(1)
  expect(fittingTags(['csv', 'files'], 96)).toBe(2)
})

test('a cell leaves room for the number of tags that do not fit', () => {
  expect(fittingTags(['flights', 'delays'], 96)).toBe(1)
  expect(fittingTags(['csv', 'files', 'table'], 96)).toBe(1)
})

test('a wider cell shows more of them', () => {
  expect(fittingTags(['flights', 'delays'], 120)).toBe(2)
})

test('the first tag is shown however long it is', () => {
  expect(fittingTags(['quarterly-reconciliation-of-invoices', 'crm'], 96)).toBe(1)
})
