import { expect, test } from 'vitest'
import { createNumbering } from '../../src/language/numbering.ts'
import { buildQuery } from '../../src/language/query/build-query.ts'
import { type QueryFilter, QueryMistakes } from '../../src/language/query/query.types.ts'

const place = { type: 'sqlite', resource: 't' }
const ones = (count: number): QueryFilter => ({ field: 'id', operator: 'in', value: Array(count).fill(1).join(',') })

function mistakesOf(work: () => unknown): unknown[] {
  try {
    work()
  } catch (error) {
    if (error instanceof QueryMistakes) return error.mistakes.map(({ path, reason }) => `${path}: ${reason.code}`)
    throw error
  }
  return []
}

test('each taken name is looked at once, however many ask for the same one', () => {
  const taken = new Set(['a_3'])
  let looks = 0
  const numbered = createNumbering((name) => (looks++, taken.has(name)))
  const names = Array.from({ length: 1000 }, () => {
    const free = numbered('a')
    taken.add(free)
    return free
  })
  expect(names.slice(0, 3)).toEqual(['a_2', 'a_4', 'a_5'])
  expect(new Set(names).size).toBe(1000)
  expect(looks).toBe(1001)
})

test('values of one field are bound under names of their own', () => {
  const filters = [
    { field: 'a_2', operator: '=', value: 'x' },
    { field: 'a', operator: 'in', value: '["y", "z", "w"]' },
  ]
  const { text, parameters } = buildQuery({ mode: 'visual', filters }, place)
  expect(text).toContain('IN (:a, :a_3, :a_4)')
  expect(parameters).toEqual({ a_2: 'x', a: 'y', a_3: 'z', a_4: 'w' })
})

test('a query takes ten thousand values in all of its conditions', () => {
  const built = (filters: QueryFilter[]) => () => buildQuery({ mode: 'visual', filters }, place)
  expect(Object.keys(built([ones(10_000)])().parameters)).toHaveLength(10_000)
  expect(mistakesOf(built([ones(10_001)]))).toEqual(['filters[0].value: query_values_many'])
  expect(mistakesOf(built([ones(9_000), ones(1_001)]))).toEqual(['filters[1].value: query_values_many'])
})

test('a long value of a parameter can’t be used again and again until memory is full', () => {
  const value = '{{p}},'.repeat(1_000)
  const filled = (p: string, operator: string) => () =>
    buildQuery(
      {
        mode: 'visual',
        filters: [{ field: 'a', operator, value }],
        parameters: [{ name: 'p', type: 'string' }],
      },
      place,
      { p },
    )
  expect(mistakesOf(filled('x'.repeat(10_001), 'in'))).toEqual(['parameters.p: query_parameter_long'])
  expect(mistakesOf(filled('x'.repeat(10_001), 'contains'))).toEqual(['parameters.p: query_parameter_long'])
  expect(mistakesOf(filled('x'.repeat(100), 'contains'))).toEqual([])
})
