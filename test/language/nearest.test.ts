import { describe, expect, it } from 'vitest'
import { nearest, suggest } from '../../src/language/nearest.ts'

describe('nearest', () => {
  it.each([
    ['nmae', ['name', 'kind'], 'name'],
    ['union-by-name', ['union_by_name'], 'union_by_name'],
    ['Filter', ['filter', 'files'], 'filter'],
    ['banana', ['name', 'kind'], null],
    ['x', [], null],
    ['desciption', ['description'], 'description'],
    ['a'.repeat(101), ['a'.repeat(100)], null],
  ])('of %s among %j is %j', (word, candidates, expected) => {
    expect(nearest(word, candidates)).toBe(expected)
  })

  it('is offered; where there is none the choice is, shortened', () => {
    expect(suggest('nmae', ['name'], 'keys').message).toBe('Did you mean `name`?')
    expect(suggest('zzz', ['name', 'kind'], 'keys').message).toBe('The keys here are `name`, `kind`.')
    expect(
      suggest(
        'zzz',
        Array.from({ length: 20 }, (_, index) => `key_${index}`),
        'keys',
      ).message,
    ).toMatch(/and 5 more\.$/)
    expect(suggest('zzz', [], 'keys').message).toBe('There are no keys here.')
  })
})
