import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { buildQuery } from '../../src/language/query/build-query.ts'
import { type BuiltQuery, QueryMistakes, filterOperators, withoutValue } from '../../src/language/query/query.types.ts'
import { buildWrite } from '../../src/language/query/write-query.ts'

/** Begins each value: nothing else of a definition has it, so that a text that holds it holds a value. */
const mark = 'vålüe'
const hostile = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.constantFrom(
    "'",
    '"',
    '`',
    '\\',
    "'; DROP TABLE t; --",
    '{{b}}',
    '{"$gt": ""}',
    '$where',
    ' eq 1 or 1 eq 1',
    ':a',
    '&x=',
    '\n',
  ),
)
const value = fc.array(hostile, { maxLength: 4 }).map((parts) => `${mark}${parts.join('').replaceAll('\0', '')}`)
/** Names are quoted: whatever they hold, they are no values. */
const name = fc.oneof(fc.constantFrom('a', 'order', 'te"x`t', "it's", 'größe', 'a b'), fc.stringMatching(/^[a-z"`' ;-]{1,10}$/)).filter((text) => text.trim() !== '') // prettier-ignore
const filter = fc.record({
  field: name,
  operator: fc.constantFrom(...filterOperators),
  value,
  valueType: fc.constantFrom('auto' as const, 'string' as const),
})
const shared = { filters: fc.array(filter, { maxLength: 4 }) }
const reading = fc.record({
  ...shared,
  mode: fc.constant('visual' as const),
  action: fc.constantFrom('find' as const, 'count' as const),
  columns: fc.array(name, { maxLength: 3 }),
  sort: fc.oneof(fc.constant(''), name),
  order: fc.constantFrom('asc' as const, 'desc' as const),
  limit: fc.constantFrom('', '10'),
})
const writing = fc.record({
  ...shared,
  mode: fc.constant('visual' as const),
  action: fc.constantFrom('insert' as const, 'update' as const, 'delete' as const),
  values: fc.uniqueArray(fc.record({ field: name, value, valueType: fc.constantFrom('auto' as const, 'string' as const) }), { minLength: 1, maxLength: 3, selector: ({ field }) => field }), // prettier-ignore
})
const databases = ['postgres', 'mysql', 'sqlite', 'duckdb'] as const
const runs = { numRuns: 1500 }

const hasValue = (filters: readonly { operator: string }[]) => filters.some(({ operator }) => !withoutValue(operator))

/** null: refused, with where and why. */
function builtOf(build: () => BuiltQuery): BuiltQuery | null {
  try {
    return build()
  } catch (error) {
    if (error instanceof QueryMistakes) return null
    throw error
  }
}

/** Every name in a JSON text. */
function keysOf(json: unknown): string[] {
  if (Array.isArray(json)) return json.flatMap(keysOf)
  if (typeof json !== 'object' || json === null) return []
  return Object.entries(json).flatMap(([key, inner]) => [key, ...keysOf(inner)])
}

describe('values of definitions', () => {
  it.each(databases)('are bound in %s, never written into the statement', (type) => {
    let built = 0
    const holds = (query: BuiltQuery | null, needs: boolean) => {
      if (!query) return
      built += 1
      expect(query.text).not.toContain(mark)
      expect(Object.values(query.parameters).some((bound) => String(bound).includes(mark))).toBe(needs)
    }
    fc.assert(
      fc.property(reading, writing, (read, write) => {
        const place = { type, resource: 'table' }
        holds(builtOf(() => buildQuery(read, place)), hasValue(read.filters)) // prettier-ignore
        holds(builtOf(() => buildWrite(write, place)), write.action === 'delete' ? hasValue(write.filters) : true) // prettier-ignore
      }),
      runs,
    )
    expect(built).toBeGreaterThan(runs.numRuns)
  })

  it.each(databases)('leave the statement of %s the same, whatever they are', (type) => {
    const place = { type, resource: 'table' }
    expect(() =>
      fc.assert(
        fc.property(writing, value, (write, other) => {
          const replaced = {
            ...write,
            filters: write.filters.map((one) => (one.operator.endsWith('in') ? one : { ...one, value: other })),
            values: write.values.map((one) => ({ ...one, value: other })),
          }
          const [one, two] = [write, replaced].map((definition) => builtOf(() => buildWrite(definition, place)))
          return !one || !two || two.text === one.text
        }),
        runs,
      ),
    ).not.toThrow()
  })

  it('are values in the JSON of MongoDB, and never names of operators', () => {
    let built = 0
    fc.assert(
      fc.property(reading, writing, (read, write) => {
        const place = { type: 'mongodb', resource: 'people' }
        for (const query of [builtOf(() => buildQuery(read, place)), builtOf(() => buildWrite(write, place))]) {
          if (!query) continue
          built += 1
          for (const key of keysOf(JSON.parse(query.text))) expect(key).not.toContain(mark)
        }
      }),
      runs,
    )
    expect(built).toBeGreaterThan(runs.numRuns)
  })

  it('are bound in the address of OData', () => {
    expect(() =>
      fc.assert(
        fc.property(reading, (read) => {
          const query = builtOf(() => buildQuery(read, { type: 'odata', resource: 'People' }))
          return !query || !query.text.includes(mark)
        }),
        runs,
      ),
    ).not.toThrow()
  })
})
