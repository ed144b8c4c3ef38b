import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { listConnectors } from '../../../src/contract/connectors.ts'
import type { UploadedFile } from '../../../src/contract/uploads.ts'
import { type Answer, type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let folder: string
beforeAll(async () => {
  server = await startTestServer()
  folder = `${server.dataDir}-files`
})
afterAll(() => server.close())

const headers = { 'content-type': 'application/octet-stream' }
const upload = (client: TestClient, name: string, body: string) =>
  client.post('/api/uploads', body, { headers, query: { name } })
const taken = (answer: Answer) => {
  expect(answer).toMatchObject({ status: 201 })
  // What the server answers is what the contract says.
  return answer.body as UploadedFile
}

test('a file is kept beside the data folder, where its connector reaches it', async () => {
  const file = taken(await upload(server.as('editor'), 'orders.csv', 'id\n1\n'))
  expect(file).toMatchObject({ name: 'orders.csv', path: join(folder, 'orders.csv'), bytes: 5 })
  expect(dirname(folder)).toBe(dirname(server.dataDir))
  expect(readFileSync(file.path, 'utf8')).toBe('id\n1\n')
  const { result } = await server.as('viewer').call(listConnectors, {})
  expect(result.filter(({ id }) => id === file.connector_id)).toMatchObject([
    { name: 'Uploaded files', type: 'file', config: { root: folder } },
  ])
})

test('a name that is taken gets a number, and nothing is overwritten', async () => {
  const editor = server.as('editor')
  const names = await Promise.all(
    Array.from({ length: 6 }, async (_, at) => taken(await upload(editor, 'same.csv.gz', `content ${at}`)).name),
  )
  expect(names.toSorted()).toEqual([
    'same (2).csv.gz',
    'same (3).csv.gz',
    'same (4).csv.gz',
    'same (5).csv.gz',
    'same (6).csv.gz',
    'same.csv.gz',
  ])
  const contents = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  expect(new Set(contents).size).toBe(6)
  const { result } = await editor.call(listConnectors, { query: { q: 'uploaded files' } })
  expect(result).toHaveLength(1)
})

const odd: [string, string][] = [
  ['../../etc/passwd', 'passwd'],
  [String.raw`C:\Users\ada\sales.csv`, 'sales.csv'],
  ['.hidden.csv', 'hidden.csv'],
  ['a*b?[c]{d,e}.csv', 'a_b__c__d_e_.csv'],
  ['con.csv', '_con.csv'],
  ['headgate.db', '_headgate.db'],
  ['x/HEADGATE.DB', '_HEADGATE.DB'],
  ['..', 'file'],
  ['naïve ‮tab\u0000.csv', 'naïve _tab_.csv'],
  ['売上 2024.csv', '売上 2024.csv'],
  [`${'ä'.repeat(300)}.csv`, `${'ä'.repeat(98)}.csv`],
]
test.each(odd)('%j is kept as %j', async (given, name) => {
  expect(taken(await upload(server.as('editor'), given, 'x')).name).toBe(name)
  expect(existsSync(join(folder, name))).toBe(true)
})

test('only editors and above upload', async () => {
  expect((await upload(server.as('viewer'), 'a.csv', 'x')).status).toBe(403)
  expect((await upload(server.as('editor', ['run']), 'a.csv', 'x')).status).toBe(403)
  expect((await upload(server.as('editor', ['write']), 'a.csv', 'x')).status).toBe(201)
})

/** Sends pieces one after the other, without saying how many there will be. */
async function stream(
  pieces: Iterable<Buffer>,
  name: string,
  leave?: () => Promise<void>,
  client = server.as('editor'),
): Promise<number | string> {
  const url = new URL(`/api/uploads?name=${name}`, server.url)
  const sent = request(url, { method: 'POST', headers: { ...client.headers, ...headers }, agent: false })
  const ended = new Promise<number | string>((resolve) => {
    sent.on('response', (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', (error) => resolve(error.message))
  })
  for (const piece of pieces) {
    if (!sent.write(piece)) await Promise.race([new Promise((resolve) => sent.once('drain', resolve)), ended])
  }
  if (leave) {
    await leave()
    sent.destroy()
  } else sent.end()
  return ended
}

test('two hundred mebibytes go to the disk as they come', async () => {
  const piece = Buffer.alloc(1024 * 1024, 'line of a file\n')
  const before = process.memoryUsage.rss()
  expect(
    await stream(
      Array.from({ length: 200 }, () => piece),
      'large.csv',
    ),
  ).toBe(201)
  expect(process.memoryUsage.rss() - before).toBeLessThan(120 * 1024 * 1024)
  const hash = createHash('sha256')
  for (let at = 0; at < 200; at++) hash.update(piece)
  const kept = readFileSync(join(folder, 'large.csv'))
  expect(createHash('sha256').update(kept).digest('hex')).toBe(hash.digest('hex'))
  rmSync(join(folder, 'large.csv'))
})

test('an upload that is broken off leaves nothing', async () => {
  const before = readdirSync(folder)
  await stream([Buffer.alloc(100_000)], 'broken.csv', () =>
    vi.waitFor(() => expect(readdirSync(folder).some((one) => one.endsWith('.part'))).toBe(true)),
  )
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual(before))
})

test('a file above the limit is refused, announced or not', async () => {
  const before = readdirSync(folder)
  server.platform.config.uploads.maxMb = 1
  try {
    const answer = await upload(server.as('editor'), 'big.csv', 'x'.repeat(1024 * 1024 + 1))
    expect(answer).toMatchObject({
      status: 413,
      body: { error: 'PAYLOAD_TOO_LARGE', message: 'The file is larger than 1 MiB, the limit set by uploads.max_mb' },
    })
    expect(await stream([Buffer.alloc(1024 * 1024), Buffer.alloc(1)], 'big.csv')).toBe(413)
  } finally {
    server.platform.config.uploads.maxMb = 4096
  }
  expect(readdirSync(folder)).toEqual(before)
})

test('a disk without room is told before anything is sent', async () => {
  const client = server.as('editor')
  server.platform.config.uploads.maxMb = 1_048_576
  try {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const announced = { ...client.headers, ...headers, 'content-length': String(1_000_000 * 1024 * 1024) }
      const sent = request(new URL('/api/uploads?name=a.csv', server.url), {
        method: 'POST',
        headers: announced,
        agent: false,
      })
      sent.on('response', (response) => {
        response.resume()
        resolve(response.statusCode)
        sent.destroy()
      })
      sent.on('error', reject)
      sent.flushHeaders()
    })
    expect(status).toBe(503)
  } finally {
    server.platform.config.uploads.maxMb = 4096
  }
})

test('a user has eight uploads at a time, and others have theirs', async () => {
  const editor = server.as('editor')
  const hold = Promise.withResolvers<void>()
  const slow = Array.from({ length: 8 }, (_, at) =>
    stream([Buffer.from('x')], `slow${at}.csv`, () => hold.promise, editor),
  )
  const mine = () => upload(editor, 'ninth.csv', 'x')
  await expect.poll(() => readdirSync(folder).filter((name) => name.startsWith('.upload-')).length).toBe(8)
  const refused = await mine()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5'])
  expect((await upload(server.as('admin'), 'other.csv', 'x')).status).toBe(201)
  hold.resolve()
  await Promise.all(slow)
  await expect.poll(async () => (await mine()).status).toBe(201)
})

test('a folder of its own, but not within the data folder', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'headgate-uploads-'))
  try {
    server.platform.config.uploads.folder = join(elsewhere, 'files')
    expect(taken(await upload(server.as('editor'), 'a.csv', 'x')).path).toBe(join(elsewhere, 'files', 'a.csv'))
    server.platform.config.uploads.folder = join(server.dataDir, 'files')
    const answer = await upload(server.as('editor'), 'a.csv', 'x')
    expect(answer.status).toBe(503)
    expect(answer.body).toMatchObject({ message: expect.stringContaining('with uploads.folder') as string })
    expect(existsSync(join(server.dataDir, 'files'))).toBe(false)
    writeFileSync(join(elsewhere, 'taken'), '')
    server.platform.config.uploads.folder = join(elsewhere, 'taken', 'files')
    expect((await upload(server.as('editor'), 'a.csv', 'x')).status).toBe(503)
  } finally {
    server.platform.config.uploads.folder = null
    rmSync(elsewhere, { recursive: true })
  }
})

test('what a server that was killed has left goes at the next start', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-test-'))
  const files = join(dirname(dataDir), `${basename(dataDir)}-files`)
  mkdirSync(files)
  writeFileSync(join(files, '.upload-0b9f.part'), 'half')
  writeFileSync(join(files, 'orders.csv'), 'whole')
  chmodSync(files, 0o700)
  const again = await startTestServer({ dataDir })
  try {
    expect(readdirSync(files)).toEqual(['orders.csv'])
  } finally {
    await again.close()
    for (const one of [dataDir, files]) rmSync(one, { recursive: true })
  }
})
