import { expect, test } from 'vitest'
import { hasTrayHost } from '../../src/main/background/tray-host.ts'
import { readServerMessage } from '../../src/main/processes/server-messages.ts'

const bus = { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/run/bus' }

test('Windows and the Mac show icons; Linux where a program of the session does', async () => {
  const never = () => Promise.reject(new Error('nobody is to be asked'))
  expect(await hasTrayHost('win32', {}, never)).toBe(true)
  expect(await hasTrayHost('darwin', {}, never)).toBe(true)
  expect(await hasTrayHost('linux', {}, never)).toBe(false)
  expect(await hasTrayHost('linux', bus, async () => '   boolean true\n')).toBe(true)
  expect(await hasTrayHost('linux', bus, async () => '   boolean false\n')).toBe(false)
})

test('another program is asked where the first is missing; where none is, an icon is tried', async () => {
  const asked: string[] = []
  const gdbusOnly = async (program: string) => {
    asked.push(program)
    return program === 'gdbus' ? '(false,)\n' : null
  }
  expect(await hasTrayHost('linux', bus, gdbusOnly)).toBe(false)
  expect(asked).toEqual(['dbus-send', 'gdbus'])
  expect(await hasTrayHost('linux', bus, async () => null)).toBe(true)
})

test('what the server tells is read field by field; a path that leaves the app leads home', () => {
  expect(readServerMessage({ event: 'ready' })).toBeNull()
  expect(readServerMessage(null)).toBeNull()
  expect(
    readServerMessage({ event: 'notification', kind: 'failure', title: 'a', body: 'b', path: '//evil.example' }),
  ).toEqual({
    event: 'notification',
    kind: 'failure',
    title: 'a',
    body: 'b',
    path: '/',
  })
  expect(readServerMessage({ event: 'pulse', running: -1, failures: [{ title: 3 }, null] })).toEqual({
    event: 'pulse',
    running: 0,
    waiting: 0,
    scheduler_paused: false,
    next_fire_at: null,
    failures: [
      { title: '', at: '', path: '/' },
      { title: '', at: '', path: '/' },
    ],
  })
})
