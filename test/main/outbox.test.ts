import { expect, test } from 'vitest'
import type { DesktopCommand } from '../../src/contract/desktop-bridge.ts'
import { outbox } from '../../src/main/windows/outbox.ts'

const go = (path: string): DesktopCommand => ({ name: 'navigate', path })

const opened = (name: string): DesktopCommand => ({
  name: 'open-file',
  file: { token: name, name, path: `/${name}`, kind: 'data', size: 1 },
})

function started() {
  const sent: [number, DesktopCommand][] = []
  return { box: outbox((id, command) => sent.push([id, command])), sent }
}

test('links wait until the page listens; what concerns a page that is gone does not', () => {
  const { box, sent } = started()
  box.push({ name: 'run', id: 'save' })
  box.push(opened('a.csv'))
  box.push({ name: 'server-restarted' })
  box.push(go('/runs/2'))
  expect(sent).toEqual([])
  box.listening(true)
  expect(sent).toEqual([
    [2, opened('a.csv')],
    [4, go('/runs/2')],
  ])
})

test('what a page did not get before it was loaded anew comes again, and nothing comes twice', () => {
  const { box, sent } = started()
  box.listening(true)
  box.push(go('/runs/1'))
  box.push(opened('b.csv'))
  box.heard(1)
  box.newPage()
  box.push(go('/runs/3'))
  sent.length = 0
  box.listening(true)
  expect(sent.map(([, command]) => command)).toEqual([opened('b.csv'), go('/runs/3')])
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

test('of many links that came while nobody listened, the page is led to the last one', () => {
  const { box, sent } = started()
  box.push(go('/runs/1'))
  box.push(opened('a.csv'))
  for (let run = 2; run <= 1_000; run++) box.push(go(`/runs/${run}`))
  box.listening(true)
  expect(sent.map(([, command]) => command)).toEqual([opened('a.csv'), go('/runs/1000')])
  box.heard(1_001)
  expect(box.waiting()).toEqual([])
})
