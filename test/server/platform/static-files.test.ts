import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpApp } from '../../../src/server/platform/http-app.ts'
import { serveWindow } from '../../../src/server/platform/static-files.ts'
import { type TestPlatform, openTestPlatform } from '../../support/platform.ts'

const script = `console.log(${JSON.stringify('x'.repeat(5_000))})`
let opened: TestPlatform
let app: FastifyInstance
let folder: string
const root = () => join(folder, 'renderer')

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-test-'))
  mkdirSync(join(root(), 'assets'), { recursive: true })
  writeFileSync(join(root(), 'index.html'), '<!doctype html><title>Headgate</title>')
  writeFileSync(join(root(), 'assets/main-abc123.js'), script)
  writeFileSync(join(root(), 'icon.png'), 'png')
  writeFileSync(join(folder, 'secret.txt'), 'canary')
  mkdirSync(join(folder, 'renderer-other'))
  writeFileSync(join(folder, 'renderer-other/a.txt'), 'canary')
  opened = await openTestPlatform()
  app = createHttpApp(opened.platform, { session: () => undefined, apiKey: () => undefined, stillValid: () => false })
  serveWindow(app, root())
})
afterAll(async () => {
  await app.close()
  opened.close()
  rmSync(folder, { recursive: true, force: true })
})

test.each(['/', '/tasks', '/tasks/7/versions', '/runs/1?tab=log'])('%s is the window', async (url) => {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
  expect(answer.body).toContain('<title>Headgate</title>')
  expect(answer.headers['content-security-policy']).toContain("script-src 'self';")
})

test('files with a hash in their name are kept for good, others are asked for again', async () => {
  expect((await app.inject('/assets/main-abc123.js')).headers['cache-control']).toBe(
    'public, max-age=31536000, immutable',
  )
  const icon = await app.inject('/icon.png')
  expect(icon.headers).toMatchObject({ 'content-type': 'image/png', 'cache-control': 'no-cache' })
  const again = await app.inject({ url: '/icon.png', headers: { 'if-none-match': String(icon.headers.etag) } })
  expect([again.statusCode, again.body]).toEqual([304, ''])
})

test('texts are compressed as the browser accepts it', async () => {
  const get = (encoding: string) =>
    app.inject({ url: '/assets/main-abc123.js', headers: { 'accept-encoding': encoding } })
  const brotli = await get('gzip, deflate, br')
  expect(brotli.headers).toMatchObject({ 'content-encoding': 'br', vary: 'accept-encoding' })
  expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(script)
  expect(gunzipSync((await get('gzip')).rawPayload).toString()).toBe(script)
  expect((await get('identity')).body).toBe(script)
  expect(
    (await app.inject({ url: '/icon.png', headers: { 'accept-encoding': 'br' } })).headers['content-encoding'],
  ).toBeUndefined()
})

test('a file that is built anew is served anew', async () => {
  const file = join(root(), 'index.html')
  writeFileSync(file, '<!doctype html><title>Second</title>')
  utimesSync(file, new Date(), new Date(Date.now() + 5_000))
  expect((await app.inject('/')).body).toContain('Second')
  writeFileSync(file, '<!doctype html><title>Headgate</title>')
  utimesSync(file, new Date(), new Date(Date.now() + 10_000))
})

test.each([
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/%2e%2e/secret.txt',
  '/assets/..%2f..%2fsecret.txt',
  '/..%5csecret.txt',
  '/../renderer-other/a.txt',
  '/%00',
  '/index.html%00.png',
  '/%E0%A4%A',
  `/${'a'.repeat(5_000)}.js`,
])('%s gives nothing from outside', async (url) => {
  const answer = await app.inject(url)
  expect(answer.body).not.toContain('canary')
  expect(answer.statusCode).toBeLessThan(500)
})

test.each(['/assets/missing.js', '/favicon.ico', '/api/nothing', '/api'])('%s is a 404 and no page', async (url) => {
  const answer = await app.inject(url)
  expect(answer.statusCode).toBe(404)
  expect(answer.json()).toMatchObject({ error: 'NOT_FOUND' })
})

test('without a built window the answer says what to do', async () => {
  const bare = createHttpApp(opened.platform, {
    session: () => undefined,
    apiKey: () => undefined,
    stillValid: () => false,
  })
  serveWindow(bare, join(folder, 'missing'))
  const answer = await bare.inject('/')
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([503, 'text/plain; charset=utf-8'])
  expect(answer.body).toBe('The window has not been built: run `npm run build`. The REST interface is at /api.\n')
  await bare.close()
})
