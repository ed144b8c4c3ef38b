import { expect, test } from 'vitest'
import { type WrittenText, followText } from '../../../src/renderer/features/jobs/override-text.rules.ts'

const opened = (base: string, part: Partial<WrittenText> = {}): WrittenText => ({
  base,
  written: base,
  sent: null,
  ...part,
})

test('an untouched text follows the stored one, and so does one that somebody else has stored just so', () => {
  expect(followText(opened('a'), 'b')).toEqual(opened('b'))
  expect(followText(opened('a', { written: 'b' }), 'b')).toEqual(opened('b'))
})

test('a touched text stays, and somebody else’s stands against it', () => {
  const touched = opened('a', { written: 'mine' })
  expect(followText(touched, 'a')).toBe(touched)
  expect(followText(touched, 'theirs')).toBe(touched)
})

test('what one has saved oneself is nobody else’s, also when one has typed on meanwhile', () => {
  const typedOn = opened('a', { written: 'b and more', sent: 'b' })
  expect(followText(typedOn, 'b')).toEqual({ ...typedOn, base: 'b' })
  expect(followText(typedOn, 'theirs').base).toBe('a')
})
