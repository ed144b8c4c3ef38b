import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonMistake } from '../../../src/server/platform/http-json.ts'

test.each([
  ['{"a":1,}', 1, 8, 'found "}" where a name in double quotes was expected'],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3, 'found "\\"" where "," or "}" was expected'],
  ['[1, 2', 1, 6, 'the text ends where "," or "]" was expected'],
  ['{"a" 1}', 1, 6, 'found "1" where ":" was expected'],
  ['{a: 1}', 1, 2, 'found "a" where a name in double quotes was expected'],
  ["{'a': 1}", 1, 2, 'found "\'" where a name in double quotes was expected'],
  ['nope', 1, 1, 'found "n" where a value was expected'],
  ['{} {}', 1, 4, 'found "{" where the end of the text was expected'],
  ['"line\nbreak"', 1, 6, 'found "\\n" where a value was expected'],
  ['[01]', 1, 3, 'found "1" where "," or "]" was expected'],
  ['"\\x"', 1, 3, 'found "\\\\" where a value was expected'],
  ['', 1, 1, 'the text ends where a value was expected'],
])('%j', (text, line, column, message) => {
  const found = findJsonMistake(text)
  expect(found.message).toContain(message)
  expect(found.line).toBe(line)
  // Inside a string the place is the character before which it stops.
  expect(Math.abs(found.column - column)).toBeLessThanOrEqual(1)
})

test('a text cut or changed anywhere has its mistake at or before the place, unless it is still JSON', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (json, seed) => {
      const cut = json.slice(0, seed % (json.length + 1))
      let valid = true
      try {
        JSON.parse(cut)
      } catch {
        valid = false
      }
      if (valid) return
      const { line, column } = findJsonMistake(cut)
      expect(line).toBeGreaterThanOrEqual(1)
      expect(column).toBeLessThanOrEqual(cut.length + 1)
    }),
  )
})

test('a text that is JSON ends where it ends', () => {
  fc.assert(
    fc.property(fc.json(), (json) => {
      expect(findJsonMistake(json).message).toBe(
        'is not valid JSON: the text ends where the end of the text was expected',
      )
    }),
  )
})

test('depth and length do not exhaust the stack', () => {
  expect(findJsonMistake('['.repeat(1_000_000)).column).toBe(1_000_001)
  expect(findJsonMistake(`"${'x'.repeat(5_000_000)}`).message).toContain('the text ends')
})
