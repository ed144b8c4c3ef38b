import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../src/language/pattern.ts'

const matches = (pattern: string, text: string): boolean | string => {
  const compiled = compilePattern(pattern)
  return compiled.ok ? compiled.matches(text) : compiled.problem.code
}

describe('patterns', () => {
  it('match as the language of regular expressions says', () => {
    const atom = fc.constantFrom('a', 'b', '[ab]', '[^a]', '.', '\\d', '\\w', '(a|b)', '(?:ab)', '[a-c-]', '\\.', '1')
    const part = fc
      .tuple(atom, fc.constantFrom('', '?', '*', '+', '{2}', '{1,3}', '{2,}', '+?'))
      .map((pair) => pair.join(''))
    const pattern = fc.array(fc.array(part, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(
        pattern,
        fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', '.', '-', '\n', 'é', '😀'), maxLength: 8 }),
        (options, text) => {
          const source = options.map((parts) => parts.join('')).join('|')
          expect([source, matches(source, text)]).toEqual([source, new RegExp(`^(?:${source})$`, 'u').test(text)])
        },
      ),
      { numRuns: 2000 },
    )
  })

  it.each([
    '(a+)+',
    '(a*)*b',
    '(\\w+\\.)*x',
    '(a{2,3}){4}',
    '(a|b+){2}',
    '(?=a)',
    '(?!a)',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '\\k<x>',
  ])('refuse %s, which could take forever elsewhere', (pattern) => {
    expect(matches(pattern, 'a')).toBe('pattern_unsafe')
  })

  it.each([
    '[a',
    '(a',
    'a)',
    '*a',
    'a{3,1}',
    'a{',
    'a**',
    '[]',
    '[z-a]',
    '\\',
    '\\p{L}',
    '(?<n>a)',
    'a^b',
    'a$b',
    'a{5000}',
    'x'.repeat(501),
  ])('refuse %s, which is no pattern', (pattern) => {
    expect(matches(pattern, 'a')).toBe('pattern_invalid')
  })

  it('stay linear where backtracking explodes', () => {
    expect(matches('a*a*a*a*a*a*a*a*b', 'a'.repeat(20_000))).toBe(false)
  })

  it('never throw', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'ab()[]{}|*+?^$\\.-,1dwsk<=!:'), maxLength: 20 }),
        fc.string(),
        (pattern, text) => {
          expect(typeof matches(pattern, text)).toMatch(/boolean|string/)
        },
      ),
      { numRuns: 2000 },
    )
  })
})
