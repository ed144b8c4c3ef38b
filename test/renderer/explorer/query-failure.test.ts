import { expect, test } from 'vitest'
import {
  causeOf,
  columnsInstead,
  mistakeOf,
  placeOf,
} from '../../../src/renderer/features/explorer/query-failure.rules.ts'

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

test('the word that a system names is marked, and nothing where it could be several', () => {
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
  expect(marked('near "(": syntax error', 'SELECT (1), (2')).toBeNull()
  expect(marked('division by zero')).toBeNull()
})

test('a name that isn’t there is marked where the query reads it first', () => {
  const query = `SELECT 'missing', -- missing\n 1 AS missing, p.missing FROM p WHERE missing > 1`
  const place = placeOf('no such column: p.missing', query, 'sqlite')
  expect(place && query.slice(place.from - 2, place.to)).toBe('p.missing')
})

test('what stands at the line and column of an error is marked, in the part that was run', () => {
  const text = 'SELECT 1;\nSELECT a,\n  ä_b, "c d" FROM t'
  const ran = { text: text.slice(10), from: 10 }
  const marked = (line: number, column: number) => {
    const details = [said, { message: 'told', params: {}, line, column }]
    const found = mistakeOf(Object.assign(new Error('all'), { details }), ran)
    return found && [text.slice(found.from, found.to), found.message]
  }
  expect(marked(2, 3)).toEqual(['ä_b', 'told'])
  expect(marked(1, 9)).toEqual([',', 'told'])
  // PostgreSQL tells the place behind the last character where a statement ends too early.
  expect(marked(2, 20)).toEqual(['t', 'told'])
})

test('where a column is missing, those of the tables in the query are named, the nearest first', () => {
  const schema = { weather: ['month', 'precipitation'], flights: [] }
  const query = 'SELECT precipitaton FROM weather'
  expect(columnsInstead({ cause: 'no such column: precipitaton', query }, schema)).toEqual([
    { table: 'weather', columns: ['precipitation', 'month'] },
  ])
  expect(columnsInstead({ cause: 'no such column: rain', query: 'SELECT rain FROM weather' }, schema)).toEqual([
    { table: 'weather', columns: ['month', 'precipitation'] },
  ])
  expect(columnsInstead({ cause: 'no such table: wether', query: 'SELECT 1 FROM wether' }, schema)).toEqual([])
})
