import { expect, test } from 'vitest'
import { bodyOf, bytesOf, foldedText, placesOf } from '../../../src/renderer/features/ai-references/part-text.rules.ts'

test('a heading that is the title of its part is not shown again', () => {
  const heading = 'Flights and delays › Flights'
  expect(bodyOf({ heading, text: '# Flights\n\nTimes are local.' })).toBe('Times are local.')
  expect(bodyOf({ heading, text: '## Flights ##\nTimes are local.' })).toBe('Times are local.')
  expect(bodyOf({ heading, text: '# Delays\nTimes are local.' })).toBe('# Delays\nTimes are local.')
  expect(bodyOf({ heading, text: '# Flights' })).toBe('# Flights')
  expect(bodyOf({ heading: '', text: 'Times are local.' })).toBe('Times are local.')
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
