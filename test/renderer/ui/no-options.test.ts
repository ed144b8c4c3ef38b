import { expect, test } from 'vitest'
import { emptyReason } from '../../../src/renderer/ui/no-options.ts'

test('a field that searches tells waiting, failing, finding nothing and having nothing apart', () => {
  const error = new Error('500')
  expect(emptyReason({ data: undefined, error: null }, false)).toBe('waiting')
  expect(emptyReason({ data: undefined, error }, true)).toBe('failed')
  expect(emptyReason({ data: [], error: null, isPlaceholderData: true }, false)).toBe('waiting')
  expect(emptyReason({ data: [], error: null }, true)).toBe('notFound')
  expect(emptyReason({ data: [], error: null }, false)).toBe('none')
})
