import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { brandingMistakes } from '../../../src/server/features/branding/branding.rules.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

const path = '/api/branding'
const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const dataUrl = (type: string, content: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(content).toString('base64')}`

test('before anything is set it is Headgate’s own; everybody may read it, admins change it, null is the default again', async () => {
  const unset = { logo_data_url: null, primary_color: null, login_message: null, support_url: null }
  expect((await server.client.get(path)).body).toEqual({ product_name: 'Headgate', ...unset })
  for (const client of [server.client, server.as('viewer'), server.as('editor')]) {
    expect((await client.put(path, { product_name: 'x' })).status).toBeGreaterThanOrEqual(401)
  }
  const admin = server.as('admin')
  const values = {
    product_name: 'Łódź Data ‮',
    logo_data_url: dataUrl('png', png),
    primary_color: '#1f6feb',
    login_message: 'Hello\n<b>there</b>',
    support_url: 'mailto:help@example.com',
  }
  expect((await admin.put(path, values)).body).toEqual(values)
  expect((await server.client.get(path)).body).toEqual(values)
  expect((await admin.put(path, { product_name: null, logo_data_url: null })).body).toEqual({
    ...values,
    product_name: 'Headgate',
    logo_data_url: null,
  })
  const nothing = { primary_color: null, login_message: null, support_url: null }
  expect((await admin.put(path, nothing)).body).toEqual({ product_name: 'Headgate', ...unset })
})

test('of two that change what they have read, the second hears 409 and loses nothing; the window is told of the first', async () => {
  const admin = server.as('admin')
  const etag = (await admin.get(path)).headers.get('etag')!
  const before = server.platform.events.latestId()
  expect((await admin.put(path, { product_name: 'First' }, { headers: { 'if-match': etag } })).status).toBe(200)
  expect((await admin.put(path, { product_name: 'Second' }, { headers: { 'if-match': etag } })).status).toBe(409)
  expect((await admin.get(path)).body).toMatchObject({ product_name: 'First' })
  const told = server.platform.events.after(before, 10)
  expect(told.map(({ type, data }) => [type, data])).toEqual([['server.changed', { what: 'branding' }]])
})

test('it outlives a restart, and a change that is refused leaves it as it is', async () => {
  const first = await startTestServer()
  const { dataDir } = first
  await first.as('admin').put(path, { product_name: 'Kept' })
  await first.app.close()
  first.platform.close()
  const second = await startTestServer({ dataDir })
  const answer = await second.as('superadmin').put(path, { product_name: 'Other', support_url: 'javascript:alert(1)' })
  expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.support_url' }] } })
  expect((await second.client.get(path)).body).toMatchObject({ product_name: 'Kept' })
  await second.close()
})

describe('a logo', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><rect fill="url(#a)" href="#b"/></svg>'
  test.each([
    ['PNG', dataUrl('png', png)],
    ['JPEG', dataUrl('jpeg', Buffer.from('ffd8ffe0', 'hex'))],
    ['WebP', dataUrl('webp', 'RIFF\0\0\0\0WEBPVP8 ')],
    ['SVG', dataUrl('svg+xml', svg)],
    ['SVG with a declaration', dataUrl('svg+xml', `<?xml version="1.0"?>\n<!-- ours -->\n${svg}`)],
    ['largest', dataUrl('png', Buffer.concat([png, Buffer.alloc(256 * 1024 - png.length)]))],
  ])('%s is taken', (_, logo_data_url) => {
    expect(brandingMistakes({ logo_data_url })).toEqual([])
  })

  test.each([
    ['an address', 'https://example.com/logo.png', /must be a data: URL/],
    ['a page', 'data:text/html;base64,PGI+', /must be a data: URL/],
    ['plain SVG', 'data:image/svg+xml,<svg/>', /must be a data: URL/],
    ['nothing', '', /must be a data: URL/],
    ['broken base64', 'data:image/png;base64,iVBORw0KGg=', /must be a data: URL|not valid base64/],
    ['another content', dataUrl('png', '<html>'), /is declared as PNG/],
    ['a page as SVG', dataUrl('svg+xml', '<html><svg></svg></html>'), /is declared as SVG/],
    ['too much', dataUrl('png', Buffer.concat([png, Buffer.alloc(256 * 1024)])), /maximum is 256 KiB/],
    ['a script', dataUrl('svg+xml', '<svg><script>alert(1)</script></svg>'), /a script/],
    ['a prefixed script', dataUrl('svg+xml', '<svg xmlns:x="u"><x:script/></svg>'), /a script/],
    ['a handler', dataUrl('svg+xml', '<svg onload="alert(1)"/>'), /event handler/],
    ['foreign content', dataUrl('svg+xml', '<svg><foreignObject/></svg>'), /foreignObject/],
    ['entities', dataUrl('svg+xml', '<svg><!DOCTYPE x></svg>'), /DOCTYPE/],
    ['a reference', dataUrl('svg+xml', '<svg><image href="https://example.com/x"/></svg>'), /outside/],
    ['a style from elsewhere', dataUrl('svg+xml', '<svg><style>@import "x"</style></svg>'), /outside/],
  ])('%s is refused', (_, logo_data_url, reason) => {
    const [mistake] = brandingMistakes({ logo_data_url })
    expect(mistake).toMatchObject({ path: 'body.logo_data_url', message: expect.stringMatching(reason) })
  })
})

test.each([
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['//example.com'],
  ['https://'],
  ['https://user:word@example.com'],
  ['mailto:'],
  ['https://a b'],
  ['https://example.com/\n'],
  [''],
])('the support address %j is refused', (support_url) => {
  expect(brandingMistakes({ support_url })).toMatchObject([{ path: 'body.support_url' }])
})

test.each([['https://example.com/help?x=1#y'], ['http://intranet:8080'], ['mailto:help@example.com'], [null]])(
  'the support address %j is taken',
  (support_url) => {
    expect(brandingMistakes({ support_url })).toEqual([])
  },
)

test.each([['\0'], [' x'], ['x\n'], ['\ud800'], ['a\u0085b']])('the name %j is refused', (product_name) => {
  expect(brandingMistakes({ product_name })).toMatchObject([{ path: 'body.product_name' }])
})

test.each([['a\0b'], ['\udc00']])('the message %j is refused', (login_message) => {
  expect(brandingMistakes({ login_message })).toMatchObject([{ path: 'body.login_message' }])
})
