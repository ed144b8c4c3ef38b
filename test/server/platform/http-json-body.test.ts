import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startTestServer()
  admin = server.as('admin')
})
afterAll(() => server.close())

const post = (body: string | Buffer<ArrayBuffer>) =>
  fetch(new URL('/api/connectors', server.url), {
    method: 'POST',
    headers: { ...admin.headers, 'content-type': 'application/json' },
    body,
  })
const refusal = async (body: string | Buffer<ArrayBuffer>) => {
  const answer = await post(body)
  return { status: answer.status, ...((await answer.json()) as { details?: object[] }) }
}

test.each([
  ['a text', String.raw`{"name":"a\ud800","type":"file","config":{"root":"/"}}`, 'body.name'],
  [
    'a text deep inside',
    String.raw`{"name":"a","type":"file","config":{"root":["b",{"c":"\uDFFF"}]}}`,
    'body.config.root[1].c',
  ],
  ['a key', String.raw`{"name":"a","type":"file","config":{"\udc00":1}}`, 'body.config'],
])('half a character in %s is refused with its place, as the store could not hold it', async (_, body, path) => {
  expect(await refusal(body)).toMatchObject({
    status: 400,
    details: [{ path, message: 'contains half a character (a lone surrogate)' }],
  })
})

test('an escaped character that is whole is taken', async () => {
  const answer = await post(String.raw`{"name":"\ud83d\ude82","type":"file","config":{"root":"/"}}`)
  expect(answer.status).toBe(201)
  expect(await answer.json()).toMatchObject({ name: '🚂' })
})

test('bytes that are no UTF-8 are refused rather than replaced', async () => {
  const body = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')])
  expect(await refusal(body)).toMatchObject({ status: 400, details: [{ path: 'body', message: 'is not UTF-8' }] })
})

test('nesting without end is looked through as well', async () => {
  const depth = 100_000
  const answer = await refusal(`${'['.repeat(depth)}"\\ud800"${']'.repeat(depth)}`)
  expect(answer.status).toBe(400)
})

test('values that are nested too deeply to be written again are refused, whatever asks for them', async () => {
  const nested = (levels: number) =>
    `{"name":"a","type":"file","config":${'['.repeat(levels)}"]\\""${']'.repeat(levels)}}`
  expect(await refusal(nested(500))).toMatchObject({
    status: 400,
    details: [{ path: 'body', code: 'too_many_levels' }],
  })
  expect(await refusal(nested(499))).toMatchObject({ status: 400, details: [{ path: 'body.config', code: 'type' }] })
})

test.each([
  ['9007199254740993', 'body.config.port'],
  ['-9223372036854775809', 'body.config.port'],
  ['123456789012345678901', 'body.config.port'],
])('an integer that a JSON number would change (%s) is refused with its place', async (number, path) => {
  expect(await refusal(`{"name":"long","type":"file","config":{"root":"/","port":${number}}}`)).toMatchObject({
    status: 400,
    details: [{ path, code: 'number_rounded', params: { number } }],
  })
})

test('numbers that are what was written, and texts of digits, are not in the way', async () => {
  for (const value of ['9007199254740992', '1e20', '"9007199254740993"', '0.1234567890123456789']) {
    // Refused for what it is, a key that a connector doesn't have.
    expect(await refusal(`{"name":"long","type":"file","config":{"root":"/","port":${value}}}`)).not.toMatchObject({
      details: [{ code: 'number_rounded' }],
    })
  }
})

test('a long number below nesting without end is refused, too', async () => {
  const depth = 100_000
  expect((await refusal(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`)).status).toBe(400)
})

/** Processor milliseconds of this thread, which is the server's. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.threadCpuUsage()
  await work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
const listed = (item: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => item(index)).join(',')

test('who is not signed in sends little: a megabyte is refused before it is read', async () => {
  const body = `{${listed((index) => `"k${index}":1`, 80_000)}}`
  for (const path of ['/api/auth/login', '/api/auth/bootstrap', '/api/auth/launch']) {
    const answer = await fetch(new URL(path, server.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: server.url },
      body,
    })
    expect(answer.status).toBe(413)
  }
})

test('a body of more values than anything needs is refused before it is parsed', async () => {
  const body = `{"name":"a","type":"file","config":{"root":[${listed(() => '1', 250_001)}]}}`
  expect(await refusal(body)).toMatchObject({ status: 400, details: [{ path: 'body', code: 'too_many_elements' }] })
})

test.each([
  ['unknown keys', `{${listed((index) => `"k${index}":1`, 60_000)}}`],
  ['digits', `{"name":${'1'.repeat(900_000)}}`],
  ['whole characters', `{"name":["\\ud83d\\ude82",${listed(() => '1', 240_000)}]}`],
  ['half a character', `{"name":[${listed(() => '1', 240_000)},"\\ud83d"]}`],
])('a megabyte of %s is refused with few words in little time', { timeout: 30_000 }, async (_what, body) => {
  let answer: Awaited<ReturnType<typeof refusal>> | undefined
  const cost = await costOf(async () => (answer = await refusal(body)))
  expect(answer?.status).toBe(400)
  expect(answer?.details?.length).toBeLessThanOrEqual(20)
  expect(cost).toBeLessThan(250)
})

test('an integer of more digits than numbers have is refused as rounded', async () => {
  const answer = await refusal(`{"name":${'1'.repeat(5_000)}}`)
  expect(answer).toMatchObject({ status: 400, details: [{ path: 'body.name', code: 'number_rounded' }] })
})
