import { readdirSync, writeFileSync, mkdirSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listTasks } from '../../../src/contract/tasks.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { brokenInvariants, bundleOf, exported, importInto, recordsOf, taskLine } from './bundles.ts'

let server: TestServer
let admin: TestClient
const logged: string[] = []
const config = { limits: { requestsPerSecond: 100_000, burst: 100_000 } }
beforeAll(async () => {
  server = await startTestServer({ config, onLog: (line) => logged.push(line) })
  admin = server.as('admin')
})
afterAll(async () => {
  expect(brokenInvariants(server)).toEqual([])
  await server.close()
})

const waiting = () => readdirSync(join(server.dataDir, 'imports'))
const bundle = (prefix: string, count: number) =>
  bundleOf(...Array.from({ length: count }, (_, i) => taskLine(`${prefix}_${i}`)))

/** Begins an import, and gives what has come of its answer when `until` says so. */
function begin(client: TestClient, body: string | null, onData: () => void = () => {}) {
  const headers = { ...client.headers, 'content-type': 'application/x-ndjson', 'transfer-encoding': 'chunked' }
  const sent = request(`${server.url}/api/import`, { method: 'POST', headers, agent: false }, (answer) => {
    answer.on('data', onData)
    // That it breaks off is what is wanted.
    answer.on('error', () => {})
  })
  sent.on('error', () => {})
  if (body === null) sent.write('{"kind":"bundle","format":1}\n')
  else sent.end(body)
  return sent
}

test('a client that goes away half way: what was applied stays, the log says where, the rest comes with the same bundle', async () => {
  const text = bundle('left', 2_000)
  await new Promise<void>((resolve) => {
    const sent = begin(admin, text, () => {
      sent.destroy()
      resolve()
    })
  })
  await expect.poll(() => logged.filter((line) => line.includes('An import stopped half way'))).toHaveLength(1)
  const { total } = await admin.call(listTasks, { query: { q: 'left_' } })
  expect(total).toBeGreaterThan(0)
  expect(total).toBeLessThan(2_000)
  const entry = JSON.parse(logged.find((line) => line.includes('stopped half way'))!) as Record<string, unknown>
  expect(entry).toMatchObject({ processed: total, of: 2_000, last: `left_${total - 1}`, created: total })
  await expect.poll(waiting).toEqual([])
  const { summary } = await importInto(admin, text)
  expect(summary).toMatchObject({ created: 2_000 - total, unchanged: total, errors: 0 })
})

test('a client that goes away while it sends leaves nothing', async () => {
  const sent = begin(admin, null)
  await expect.poll(waiting).toHaveLength(1)
  sent.destroy()
  await expect.poll(waiting).toEqual([])
})

test('two imports at once go one after the other', async () => {
  const text = bundle('twice', 300)
  const answers = await Promise.all([importInto(admin, text), importInto(admin, text)])
  expect(answers.map(({ summary }) => [summary.created, summary.unchanged]).toSorted((a, b) => a[0]! - b[0]!)).toEqual([
    [0, 300],
    [300, 0],
  ])
})

test('a fifth import is sent away until one of the four has ended', async () => {
  const four = [0, 1, 2, 3].map(() => begin(admin, null))
  await expect.poll(waiting).toHaveLength(4)
  expect(await importInto(admin, bundle('fifth', 1))).toMatchObject({ status: 503, error: { error: 'UNAVAILABLE' } })
  for (const sent of four) sent.destroy()
  await expect.poll(waiting).toEqual([])
  expect((await importInto(admin, bundle('fifth', 1))).summary.created).toBe(1)
})

test('an import of a key that is revoked ends', async () => {
  const user = server.services.users.create({ username: 'leaving', role: 'admin', passwordHash: null })
  const caller = {
    kind: 'session',
    user_id: user.id,
    username: 'leaving',
    role: 'admin',
    scopes: [],
    pending: false,
  } as const
  const { id, key } = server.services.apiKeys.create({ name: 'short', scopes: [] }, { ...caller, scopes: [] })
  const client = server.client.with({ authorization: `Bearer ${key}` })
  const stopped = () => logged.filter((line) => line.includes('An import stopped half way')).length
  const before = stopped()
  let revoked = false
  begin(client, bundle('revoked', 2_000), () => {
    if (!revoked) server.app.headgate.streams.revoke(`api_key:${id}`)
    revoked = true
  })
  await expect.poll(stopped).toBe(before + 1)
  expect((await admin.call(listTasks, { query: { q: 'revoked_' } })).total).toBeLessThan(2_000)
})

test('an export is one state of the store, whatever is written meanwhile, and lets go of it when it ends', async () => {
  const before = recordsOf(await exported(admin, { tasks: 'all' }))
  const { lines } = server.services.exports.open({ tasks: 'all' })
  let text = String((await lines.next()).value)
  await importInto(admin, bundleOf(taskLine('left_0', ['# changed\n']), taskLine('a_new_one')))
  for await (const piece of lines) text += piece
  expect(recordsOf(text)).toEqual(before)
  const { sqlite } = server.platform.store
  // It is asked again, rather than waited for with everything else standing still.
  sqlite.pragma('busy_timeout = 0')
  const checkpoint = () => sqlite.pragma('wal_checkpoint(TRUNCATE)')
  expect(checkpoint()).toMatchObject([{ busy: 0 }])
  // A client that takes the first piece and goes.
  const answer = await fetch(`${server.url}/api/export`, { headers: admin.headers })
  const reader = answer.body!.getReader()
  await reader.read()
  await reader.cancel()
  await expect.poll(checkpoint).toMatchObject([{ busy: 0 }])
  sqlite.pragma('busy_timeout = 5000')
})

test('a server that starts removes what a killed one has left of a bundle', async () => {
  const one = await startTestServer({ config })
  const folder = join(one.dataDir, 'imports')
  mkdirSync(folder)
  writeFileSync(join(folder, 'left.ndjson'), 'x')
  await one.services.imports.start()
  expect(readdirSync(one.dataDir)).not.toContain('imports')
  await one.close()
})
