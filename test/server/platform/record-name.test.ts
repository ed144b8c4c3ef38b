import { expect, test } from 'vitest'
import { personMistakes } from '../../../src/server/features/users/users.rules.ts'
import { recordName } from '../../../src/server/platform/record-name.ts'

const reversed = 'invoice\u202Elmx'
const cases = [
  [reversed, 'invisible_character'],
  ['ad\u200Bmin', 'invisible_character'],
  ['a\u2066b\u2069', 'invisible_character'],
  ['a\u2028b', 'invisible_character'],
  ...['\u200C', '\u200D', '\u2060', '\uFEFF', '\u00AD', '\u034F', '\u115F', '\uFE0F', '\u{E0061}'].map(
    (hidden) => [`ro${hidden}ot`, 'invisible_character'] as const,
  ),
  ['a\nb', 'control_characters'],
  ['\u3164', 'no_visible_character'],
] as const

test.each(cases)('a name such as %j would be read as another one: it is refused, with its place', (name, code) => {
  const details = [expect.objectContaining({ path: 'body.name', code })]
  expect(() => recordName(name)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR', details }))
  expect(personMistakes({ username: name, display_name: name })).toMatchObject([
    { path: 'body.username', code },
    { path: 'body.display_name', code },
  ])
})

test('the refusal names the character', () => {
  expect(personMistakes({ username: reversed })[0]?.message).toBe('must not contain the invisible character U+202E')
})

test('a name from before stays as it is; joined letters and emoji are names, too', () => {
  expect(recordName(` ${reversed} `, { before: reversed })).toBe(reversed)
  expect(personMistakes({ username: reversed }, { username: reversed })).toEqual([])
  for (const name of ['می\u200Cخواهم', '👩🏽\u200D🔬', '❤\uFE0F', '1\uFE0F\u20E3', '葛\u{E0100}城', 'Straße 7', 'עברית'])
    expect(recordName(name)).toBe(name)
})
