import { describe, expect, test } from 'vitest'
import { decideOpen, isAppSender, isStatusSender, mayNavigate, mayUse } from '../../src/main/security/security-rules.ts'
import { statusUrl } from '../../src/main/windows/status-page.ts'

const SERVER = 'http://127.0.0.1:4717'

describe('mayNavigate', () => {
  test.each(['http://127.0.0.1:4717/', 'http://127.0.0.1:4717/runs/1?tab=log#L3'])('allows %s', (url) => {
    expect(mayNavigate(url, SERVER)).toBe(true)
  })

  test.each([
    'http://127.0.0.1:4718/',
    'https://127.0.0.1:4717/',
    'http://localhost:4717/',
    'http://127.0.0.1:4717@evil.example/',
    'http://127.0.0.1.evil.example:4717/',
    'file:///etc/passwd',
    'data:text/html,x',
    'javascript:alert(1)',
    'blob:http://127.0.0.1:4718/x',
    'about:blank',
    'no url',
  ])('refuses %s', (url) => {
    expect(mayNavigate(url, SERVER)).toBe(false)
  })

  test('refuses everything while there is no server', () => {
    expect(mayNavigate('http://127.0.0.1:4717/', null)).toBe(false)
  })
})

describe('decideOpen', () => {
  test.each([
    ['http://127.0.0.1:4717/api/docs', 'own-window'],
    ['https://example.org/guide', 'browser'],
    ['http://example.org/', 'refuse'],
    ['https://user:secret@example.org/', 'refuse'],
    ['file:///etc/passwd', 'refuse'],
    ['smb://host/share', 'refuse'],
    ['javascript:alert(1)', 'refuse'],
    ['about:blank', 'refuse'],
    ['', 'refuse'],
  ])('%s → %s', (url, decision) => {
    expect(decideOpen(url, SERVER)).toBe(decision)
  })
})

describe('senders', () => {
  test('only the top frame of a page of the server speaks for the app', () => {
    expect(isAppSender({ url: `${SERVER}/tasks`, parent: null }, SERVER)).toBe(true)
    expect(isAppSender({ url: `${SERVER}/tasks`, parent: {} }, SERVER)).toBe(false)
    expect(isAppSender({ url: 'https://example.org/', parent: null }, SERVER)).toBe(false)
    expect(isAppSender({ url: `${SERVER}/tasks`, parent: null }, null)).toBe(false)
    expect(isAppSender(null, SERVER)).toBe(false)
  })

  test('only the top frame of the status page may press its buttons', () => {
    const url = statusUrl({ name: 'starting' }, 'en')
    expect(isStatusSender({ url, parent: null })).toBe(true)
    expect(isStatusSender({ url, parent: {} })).toBe(false)
    expect(isStatusSender({ url: SERVER, parent: null })).toBe(false)
    expect(isStatusSender(null)).toBe(false)
  })
})

test('pages may write the clipboard, fill the screen, and keep it on, and the server’s pages alone may', () => {
  for (const permission of ['clipboard-sanitized-write', 'fullscreen', 'screen-wake-lock']) {
    expect(mayUse(permission, `${SERVER}/`, SERVER)).toBe(true)
    expect(mayUse(permission, 'https://example.org/', SERVER)).toBe(false)
  }
  for (const permission of ['clipboard-read', 'geolocation', 'media', 'notifications', 'openExternal', 'hid', 'usb']) {
    expect(mayUse(permission, `${SERVER}/`, SERVER)).toBe(false)
  }
})
