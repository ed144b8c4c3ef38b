import { expect, test } from 'vitest'
import { causeOf } from '../../../src/renderer/features/explorer/query-failure.rules.ts'

const place = 'connector `warehouse`, C:\\data\\warehouse.db'
const cause = 'no such column: rain'
const said = { message: `${place}: ${cause}`, params: { place, cause } }

test('a failed query shows what the system says once, without its place, and what to do', () => {
  expect(causeOf({ message: `${said.message}. Check the name.`, details: [said] })).toEqual({
    cause,
    advice: 'Check the name.',
  })
  expect(causeOf({ message: said.message, details: [said] })).toEqual({ cause, advice: '' })
})

test('what the window can’t take apart is shown as it is', () => {
  expect(causeOf({ message: 'Out of memory', details: [] })).toBeNull()
  expect(causeOf({ message: 'Invalid input', details: [said] })).toBeNull()
})
