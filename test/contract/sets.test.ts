import { expect, test } from 'vitest'
import { namedSchemas } from '../../src/contract/operation.ts'
import { operations } from '../../src/contract/operations.ts'

interface Found {
  type?: unknown
  uniqueItems?: boolean
  maxItems?: number
  items?: { type?: unknown }
}

/** Every schema of a list whose elements differ, with where it stands. */
function setsOf(value: unknown, path: string): [string, Found][] {
  if (typeof value !== 'object' || value === null) return []
  const found: Found = value
  const inside = Object.entries(value).flatMap(([key, inner]) => setsOf(inner, `${path}.${key}`))
  return found.uniqueItems === true ? [[path, found], ...inside] : inside
}

const plain = new Set<unknown>(['string', 'integer', 'number', 'boolean'])

test('lists without doubles are of plain values, and of few: nothing is compared in pairs', () => {
  const sets = [
    ...Object.entries(operations).flatMap(([id, { params, query, headers, body }]: [string, Record<string, unknown>]) =>
      setsOf({ params, query, headers, body }, id),
    ),
    ...[...namedSchemas].flatMap(([name, schema]) => setsOf(schema, name)),
  ]
  expect(sets.map(([path]) => path)).toContain('queryMetrics.body.properties.group_by')
  expect(sets.length).toBeGreaterThan(10)
  const slow = sets.filter(([, { items, maxItems }]) => !plain.has(items?.type) || maxItems === undefined)
  expect(slow.map(([path]) => path)).toEqual([])
})
