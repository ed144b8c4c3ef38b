import { expect, test } from 'vitest'
import type { DesktopCommand } from '../../src/contract/desktop-bridge.ts'
import { outbox } from '../../src/main/outbox.ts'

const go = (path: string): DesktopCommand => ({ name: 'navigate', path })

function started() {
  const sent: [number, DesktopCommand][] = []
  return { box: outbox((id, command) => sent.push([id, command])), sent }
}

test('links wait until the page listens; what concerns a page that is gone does not', () => {
  const { box, sent } = started()
  box.push({ name: 'run', id: 'save' })
  box.push(go('/runs/1'))
  box.push({ name: 'server-restarted' })
  box.push(go('/runs/2'))
  expect(sent).toEqual([])
  box.listening(true)
  expect(sent).toEqual([
    [2, go('/runs/1')],
    [4, go('/runs/2')],
  ])
})

test('what a page did not get before it was loaded anew comes again, and nothing comes twice', () => {
  const { box, sent } = started()
  box.listening(true)
  box.push(go('/runs/1'))
  box.push(go('/runs/2'))
  box.heard(1)
  box.newPage()
  box.push(go('/runs/3'))
  sent.length = 0
  box.listening(true)
  expect(sent.map(([, command]) => command)).toEqual([go('/runs/2'), go('/runs/3')])
  box.heard(3)
  box.listening(false)
  box.listening(true)
  expect(sent).toHaveLength(2)
  expect(box.waiting()).toEqual([])
})

test('a command that is not kept keeps its number, by which the page knows the ones before', () => {
  const { box, sent } = started()
  box.listening(true)
  box.push(go('/a'))
  box.push({ name: 'run', id: 'save' })
  box.heard(2)
  expect(sent.map(([id]) => id)).toEqual([1, 2])
  expect(box.waiting()).toEqual([])
})
