import { describe, expect, test } from 'vitest'
import { keyLabels, matchesChord } from '../../../src/renderer/commands/keys.ts'
import { byTitle, matchesQuery, runNumberIn, typedAhead } from '../../../src/renderer/commands/palette.rules.ts'

const press = (key: string, held: Partial<Record<'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey', boolean>> = {}) => ({
  key,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...held,
})

describe('matchesChord', () => {
  test('mod is Ctrl, and Cmd on a Mac', () => {
    expect(matchesChord(press('k', { ctrlKey: true }), 'mod+k', false)).toBe(true)
    expect(matchesChord(press('k', { metaKey: true }), 'mod+k', true)).toBe(true)
    expect(matchesChord(press('k', { ctrlKey: true }), 'mod+k', true)).toBe(false)
    expect(matchesChord(press('k'), 'mod+k', false)).toBe(false)
  })

  test('shift counts where the key does not say it by itself', () => {
    expect(matchesChord(press('?', { shiftKey: true }), '?', false)).toBe(true)
    expect(matchesChord(press('Enter', { ctrlKey: true, shiftKey: true }), 'mod+Enter', false)).toBe(false)
    expect(matchesChord(press('Enter', { ctrlKey: true, shiftKey: true }), 'mod+shift+Enter', false)).toBe(true)
  })

  test('another modifier held is another chord', () => {
    expect(matchesChord(press('k', { ctrlKey: true, altKey: true }), 'mod+k', false)).toBe(false)
    expect(matchesChord(press('k', { ctrlKey: true, metaKey: true }), 'mod+k', false)).toBe(false)
  })
})

test('keys are written as the machine writes them', () => {
  expect(keyLabels('mod+shift+Enter', false)).toEqual(['Ctrl', 'Shift', 'Enter'])
  expect(keyLabels('mod+k', true)).toEqual(['⌘', 'K'])
  expect(keyLabels('g t', false)).toEqual(['G', 'T'])
})

describe('the palette', () => {
  test('finds by the beginnings of words in any order', () => {
    expect(matchesQuery('Go to API keys', 'ke api')).toBe(true)
    expect(matchesQuery('Go to API keys', '')).toBe(true)
    expect(matchesQuery('Go to API keys', 'eys')).toBe(false)
  })

  test('puts what is called so before what is found by other words', () => {
    const commands = ['Settings: Appearance', 'Dark theme', 'Go dark'].map((title) => ({ title }))
    expect(byTitle(commands, 'dark').map(({ title }) => title)).toEqual([
      'Dark theme',
      'Go dark',
      'Settings: Appearance',
    ])
  })

  test.each([
    ['17', 17],
    ['#17', 17],
    ['run 17', 17],
    ['Run #17 ', 17],
    ['0', null],
    ['17a', null],
    ['', null],
  ])('%j names run %j', (query, number) => {
    expect(runNumberIn(query)).toBe(number)
  })
})

describe('what is typed before the palette’s field has the focus', () => {
  test.each([
    ['or', press('d'), 'ord'],
    ['', press('>'), '>'],
    ['or', press(' '), 'or '],
    ['or', press('Backspace'), 'o'],
    ['', press('Backspace'), ''],
    ['user', press('@', { ctrlKey: true, altKey: true }), 'user@'],
    // Kept from the page below; nothing is listed yet that it could choose.
    ['or', press('Enter'), 'or'],
  ])('%j and then %j is %j', (query, key, expected) => {
    expect(typedAhead(query, key)).toBe(expected)
  })

  test('keys of the window are not text', () => {
    for (const key of [press('k', { ctrlKey: true }), press('Escape'), press('Tab'), press('F1'), press('Shift')]) {
      expect(typedAhead('or', key)).toBeNull()
    }
  })
})
