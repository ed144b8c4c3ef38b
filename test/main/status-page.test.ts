import { expect, test } from 'vitest'
import { statusPage, statusUrl } from '../../src/main/status-page.ts'

test('what the server says cannot become markup', () => {
  const page = statusPage({ name: 'failed', message: '<img src=x onerror=alert(1)> & "quoted"', details: ['<b>'] })
  expect(page).toContain('&lt;img src=x onerror=alert(1)&gt; &amp; &quot;quoted&quot;')
  expect(page).toContain('<pre>&lt;b&gt;</pre>')
  expect(page).not.toContain('<img')
})

test('a failure offers to try again, a start does not', () => {
  expect(statusPage({ name: 'failed', message: 'No.', details: [] })).toContain('data-action="retry"')
  expect(statusPage({ name: 'starting' })).not.toContain('data-action="retry"')
})

test('a damaged store offers the backup that it can be replaced by', () => {
  const restore = { name: 'a.db', created_at: '2026-03-01T08:30:00.000Z' }
  const page = statusPage({ name: 'failed', message: 'Damaged.', details: [], restore })
  expect(page).toMatch(/<button data-action="restore" autofocus>Restore the backup of [^<]*2026[^<]*<\/button>/)
  expect(page).toContain('Show the data folder')
  expect(page.match(/autofocus/g)).toHaveLength(1)
  expect(statusPage({ name: 'failed', message: 'No.', details: [] })).not.toContain('data-action="restore"')
})

test('the page takes no script and nothing from elsewhere, and its URL keeps every character', () => {
  const state = { name: 'failed' as const, message: '100 % #1 — ü', details: [] }
  expect(statusPage(state)).toContain("default-src 'none'")
  expect(statusPage(state)).not.toContain('<script')
  expect(decodeURIComponent(new URL(statusUrl(state)).pathname)).toContain('100 % #1 — ü')
})
