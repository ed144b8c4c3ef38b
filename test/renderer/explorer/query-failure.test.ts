import { expect, test } from 'vitest'
import { causeOf, placeOf } from '../../../src/renderer/features/explorer/query-failure.rules.ts'

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

test('the word that a system names is marked where it stands once, and nowhere if it could be several', () => {
  const query = 'SELECT p.name,\n  missing\nFORM people p'
  const marked = (cause: string, text = query) => {
    const place = placeOf(cause, text)
    return place && text.slice(place.from, place.to)
  }
  expect(marked('no such column: missing')).toBe('missing')
  expect(marked('column "missing" does not exist')).toBe('missing')
  expect(marked('column p.missing does not exist')).toBe('missing')
  expect(marked("Unknown column 'p.missing' in 'field list'")).toBe('missing')
  expect(marked('Referenced column "missing" not found in FROM clause! Candidate bindings: "id"')).toBe('missing')
  expect(marked('syntax error at or near "FORM"')).toBe('FORM')
  expect(marked('near "FORM": syntax error')).toBe('FORM')
  expect(marked("You have an error in your SQL syntax near 'FORM people p' at line 3")).toBe('FORM people p')
  expect(marked('column "missing" does not exist', 'SELECT missing, missing FROM p')).toBeNull()
  expect(marked('division by zero')).toBeNull()
})
