import { describe, expect, test } from 'vitest'
import type { Command } from '../../../src/renderer/commands/commands.ts'
import { acceleratorOf, keysClash, matchesChord } from '../../../src/renderer/commands/keys.ts'
import { byGroup, desktopMenu } from '../../../src/renderer/commands/menu.rules.ts'

const command = (id: string, more: Partial<Command> = {}): Command => ({ id, title: id, run: () => undefined, ...more })

describe('the menu of the desktop', () => {
  test('has every command, by its heading; what is only moved by key has no place in it', () => {
    const commands = [
      command('go-tasks', { group: 'go', shortcut: 'g t' }),
      command('run.cancel'),
      command('new-task', { group: 'create' }),
      command('list-down', { group: 'general', menu: null }),
      command('sign-out', { group: 'general', menu: 'file' }),
    ]
    expect(desktopMenu(commands, (group) => `«${group}»`)).toEqual([
      { id: 'run.cancel', title: 'run.cancel', menu: 'page', group: '«page»' },
      { id: 'new-task', title: 'new-task', menu: 'file', group: '«create»' },
      { id: 'go-tasks', title: 'go-tasks', menu: 'go', group: '«go»' },
      { id: 'sign-out', title: 'sign-out', menu: 'file', group: '«general»' },
    ])
  })

  test('a heading without commands is left out, the others keep their order', () => {
    const groups = byGroup([command('b', { group: 'go' }), command('a'), command('c')])
    expect(groups.map(([group, members]) => [group, members.map(({ id }) => id)])).toEqual([
      ['page', ['a', 'c']],
      ['go', ['b']],
    ])
  })

  test.each([
    ['mod+k', 'CommandOrControl+K'],
    ['mod+shift+Enter', 'CommandOrControl+Shift+Enter'],
    ['alt+ArrowLeft', 'Alt+Left'],
    ['F1', 'F1'],
    // A menu would claim them while somebody types.
    ['j', undefined],
    ['?', undefined],
    ['Escape', undefined],
    ['shift+e', undefined],
    // Electron knows no sequences.
    ['g t', undefined],
  ])('%s is written %s', (shortcut, accelerator) => {
    expect(acceleratorOf(shortcut)).toBe(accelerator)
  })
})

describe('keys', () => {
  const press = { key: 'E', ctrlKey: false, metaKey: false, shiftKey: true, altKey: false }

  test('a shifted letter is another key than the letter, a shifted sign is the sign', () => {
    expect(matchesChord(press, 'shift+e', false)).toBe(true)
    expect(matchesChord(press, 'e', false)).toBe(false)
    expect(matchesChord({ ...press, key: '?' }, '?', false)).toBe(true)
  })

  test.each([
    ['e', 'e', true],
    ['e', 'shift+e', false],
    ['g', 'g t', true],
    ['g t', 'g r', false],
    ['mod+Enter', 'mod+shift+Enter', false],
  ])('%s and %s clash: %s', (one, other, clash) => {
    expect(keysClash(one, other)).toBe(clash)
    expect(keysClash(other, one)).toBe(clash)
  })
})
