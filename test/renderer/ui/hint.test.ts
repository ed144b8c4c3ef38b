import { expect, it } from 'vitest'
import { placeHint, reaches } from '../../../src/renderer/ui/hint.rules.ts'

const room = { width: 800, height: 600 }
const tip = { width: 100, height: 26 }

it('a tooltip stands in the middle of the wished side, beside its control', () => {
  const anchor = { left: 300, top: 300, width: 40, height: 28 }
  expect(placeHint(anchor, tip, room, 'bottom')).toEqual({ left: 270, top: 332 })
  expect(placeHint(anchor, tip, room, 'top')).toEqual({ left: 270, top: 270 })
  expect(placeHint(anchor, tip, room, 'right')).toEqual({ left: 344, top: 301 })
  expect(placeHint(anchor, tip, room, 'left')).toEqual({ left: 196, top: 301 })
})

it('a tooltip without room goes to the other side, and never over the edge of the window', () => {
  expect(placeHint({ left: 760, top: 570, width: 28, height: 28 }, tip, room, 'bottom')).toEqual({
    left: 696,
    top: 540,
  })
  expect(placeHint({ left: 2, top: 10, width: 28, height: 28 }, tip, room, 'left')).toEqual({ left: 34, top: 11 })
  expect(placeHint({ left: 2, top: 2, width: 796, height: 596 }, tip, room, 'bottom')).toEqual({ left: 350, top: 570 })
})

it('the pointer may go over the gap onto the tooltip', () => {
  const box = { left: 100, top: 100, ...tip }
  expect(reaches(box, 150, 97)).toBe(true)
  expect(reaches(box, 150, 110)).toBe(true)
  expect(reaches(box, 150, 140)).toBe(false)
})
