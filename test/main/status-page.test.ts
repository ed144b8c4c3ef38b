import { expect, test } from 'vitest'
import { statusPage, statusUrl } from '../../src/main/windows/status-page.ts'

test('what the server says cannot become markup', () => {
  const page = statusPage(
    { name: 'failed', message: '<img src=x onerror=alert(1)> & "quoted"', details: ['<b>'] },
    'en',
  )
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;')
  expect(page).toContain('>&lt;b&gt;</pre>')
  expect(page).not.toContain('<img')
})

test('a failure offers to try again, a start does not', () => {
  expect(statusPage({ name: 'failed', message: 'No.', details: [] }, 'en')).toContain('data-action="retry"')
  expect(statusPage({ name: 'starting' }, 'en')).not.toContain('data-action="retry"')
})

test('a damaged store offers the backup that it can be replaced by', () => {
  const restore = { name: 'a.db', created_at: '2026-03-01T08:30:00.000Z' }
  const page = statusPage({ name: 'failed', message: 'Damaged.', details: [], restore }, 'en')
  expect(page).toMatch(
    /<button data-action="restore" class="main" autofocus>Restore backup of [^<]*2026[^<]*<\/button>/,
  )
  expect(page).toContain('Show data folder')
  expect(page.match(/autofocus/g)).toHaveLength(1)
  expect(statusPage({ name: 'failed', message: 'No.', details: [] }, 'en')).not.toContain('data-action="restore"')
})

test('a store that lost changes offers to continue without them, and never as the main button', () => {
  const page = statusPage({ name: 'failed', message: 'Lost.', details: [], accept: '42' }, 'en')
  expect(page).toContain('<button data-action="accept-loss">Continue without the lost changes</button>')
  expect(statusPage({ name: 'failed', message: 'No.', details: [] }, 'en')).not.toContain('accept-loss')
})

test('the page takes no script and nothing from elsewhere, and its URL keeps every character', () => {
  const state = { name: 'failed' as const, message: '100 % #1 — ü', details: [] }
  expect(statusPage(state, 'en')).toContain("default-src 'none'")
  expect(statusPage(state, 'en')).not.toContain('<script')
  expect(decodeURIComponent(new URL(statusUrl(state, 'en')).pathname)).toContain('100 % #1 — ü')
})

test('a page that crashed again and again says that the server is well, and can be tried again', () => {
  const page = statusPage({ name: 'crashed', times: 4, reason: 'oom' }, 'en')
  expect(page).toContain('4 times within a minute (oom). The server and its runs continue.')
  expect(page).toContain('data-action="retry"')
})

test('it speaks German to whoever does', () => {
  const restore = { name: 'a.db', created_at: '2026-03-01T08:30:00.000Z' }
  const page = statusPage({ name: 'failed', message: 'Damaged.', details: [], restore }, 'de-CH')
  expect(page).toContain('<html lang="de">')
  expect(page).toMatch(/>Sicherung vom [^<]*2026[^<]* wiederherstellen</)
  expect(page).toContain('>Erneut versuchen<')
})
