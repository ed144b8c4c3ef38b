import { expect, test } from 'vitest'
import { bodyOf, bytesOf, foldedText, placesOf } from '../../../src/renderer/features/ai-references/part-text.rules.ts'

test('a heading that is the title of its part is not shown again', () => {
  const heading = 'Flights and delays › Flights'
  expect(bodyOf({ heading, complete: false, text: '# Flights\n\nTimes are local.' })).toBe('Times are local.')
  expect(bodyOf({ heading, complete: false, text: '## Flights ##\nTimes are local.' })).toBe('Times are local.')
  expect(bodyOf({ heading, complete: false, text: '# Delays\nTimes are local.' })).toBe('# Delays\nTimes are local.')
  expect(bodyOf({ heading, complete: false, text: '# Flights' })).toBe('# Flights')
  expect(bodyOf({ heading: '', complete: false, text: 'Times are local.' })).toBe('Times are local.')
})

test('an excerpt that begins within a sentence begins with an ellipsis', () => {
  const begun = (text: string, complete = false) => bodyOf({ heading: 'Flights', text, complete })
  expect(begun('of a flight are local.')).toBe('… of a flight are local.')
  expect(begun(', landed, or cancelled.')).toBe('… , landed, or cancelled.')
  expect(begun('Times are local.')).toBe('Times are local.')
  expect(begun('create table flights (id int)')).toBe('create table flights (id int)')
  expect(begun('ids are unique.', true)).toBe('ids are unique.')
})

test('a long part is cut between words or lines, a short one not at all', () => {
  expect(foldedText('Times are local.')).toBeNull()
  expect(foldedText('a\nb\nc\nd\ne')).toBe('a\nb\nc\nd …')
  const folded = foldedText('local '.repeat(100)) ?? ''
  expect(folded.length).toBeGreaterThan(300)
  expect(folded).toMatch(/^(local )+…$/)
  expect(foldedText('x'.repeat(400))).toBe(`${'x'.repeat(320)} …`)
})

test('parts of one section are numbered, and their sizes add up', () => {
  const parts = [
    { reference_id: 1, heading: 'Flights', text: 'ä' },
    { reference_id: 1, heading: 'Airports', text: 'b' },
    { reference_id: 1, heading: 'Flights', text: 'c' },
    { reference_id: 2, heading: 'Flights', text: 'd' },
  ]
  expect(placesOf(parts)).toEqual([{ at: 1, of: 2 }, null, { at: 2, of: 2 }, null])
  expect(bytesOf(parts)).toBe(5)
})
