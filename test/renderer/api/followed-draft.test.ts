import { expect, test } from 'vitest'
import { following } from '../../../src/renderer/api/followed-draft.rules.ts'

const { formOf, follow, isDirty } = following<string, string>({ draftOf: (text) => text, same: (a, b) => a === b })

const opened = formOf('a')

test('an untouched draft follows the record, and so does one that somebody else has saved just so', () => {
  expect(follow(opened, 'b')).toEqual(formOf('b'))
  expect(follow({ ...opened, draft: 'b' }, 'b')).toEqual(formOf('b'))
})

test('a touched draft stays, and somebody else’s stands against it until the record is as it was', () => {
  const touched = { ...opened, draft: 'mine' }
  expect(follow(touched, 'a')).toBe(touched)
  const overtaken = follow(touched, 'theirs')
  expect(overtaken).toEqual({ ...touched, theirs: 'theirs' })
  expect(isDirty(overtaken)).toBe(true)
  expect(follow(overtaken, 'a')).toEqual(touched)
})

test('what one has saved oneself is nobody else’s, also when one has typed on meanwhile', () => {
  const typedOn = { ...opened, draft: 'b and more', sent: 'b' }
  expect(follow(typedOn, 'b')).toEqual({ ...typedOn, base: 'b' })
  expect(follow(typedOn, 'theirs').base).toBe('a')
})
