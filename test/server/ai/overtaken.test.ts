// What changes while an answer is made: the rights of who asks, the key, the address, what may leave.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { AiEvent } from '../../../src/contract/ai.ts'
import { hold } from '../../../src/server/platform/config.hold.ts'
import { fencedYaml, lastOf, useFakeAi } from '../../support/ai-events.ts'
import { type FakeAi, openaiDelta, startFakeAi } from '../../support/fake-ai.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let admin: TestClient
let fake: FakeAi
beforeAll(async () => {
  fake = await startFakeAi()
  server = await startTestServer()
  admin = server.as('superadmin')
})
afterAll(async () => {
  await server.close()
  await fake.close()
})
beforeEach(() => {
  useFakeAi(server, fake)
  hold(server.platform.config, 'ai.rows', 'never')
})

const good = `etl: 1
kind: pipeline
name: one
connectors: {}
source: {inline: {rows: [{id: 1}]}}
target: {connector: out, file: {path: out.csv}}
`.replace('{}', '{out: {type: file, access: write}}')
const bad = good.replace('kind: pipeline', 'kind: pipelin')

/** A proposal that is under way: its first piece has come. */
async function underWay(client: TestClient, body: object = {}) {
  const response = await fetch(`${server.url}/api/ai/generate-task`, {
    method: 'POST',
    headers: { ...client.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'Load it', base_yaml: good, ...body }),
  })
  expect(response.status).toBe(200)
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let said = (await reader.read()).value ?? ''
  return {
    /** Everything that was said, and whether the answer came to its end. */
    async rest(): Promise<{ events: AiEvent[]; complete: boolean }> {
      let complete = true
      try {
        for (let next = await reader.read(); !next.done; next = await reader.read()) said += next.value
      } catch {
        complete = false
      }
      const lines = said.split('\n').filter((line) => line.startsWith('data: ') && line.endsWith('}'))
      return { events: lines.map((line) => JSON.parse(line.slice(6)) as AiEvent), complete }
    },
  }
}
/** The beginning of an answer whose rest never comes. */
const hanging = { bytes: [openaiDelta('etl: 1\n')], hang: true }
/** An answer with findings, in two halves. */
function halves() {
  let finish: () => void = () => {}
  const later = new Promise<void>((resolve) => (finish = resolve))
  const text = fencedYaml(bad)
  const end = `data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\ndata: [DONE]\n\n`
  return {
    reply: { bytes: [openaiDelta(text.slice(0, 20))], later: later.then(() => openaiDelta(text.slice(20)) + end) },
    finish: () => finish(),
  }
}

const ownUser = async (client: TestClient) =>
  (await client.get('/api/users/me')).body as { id: number; username: string }

test('whose role is taken away hears no more, and the provider is not waited for', async () => {
  fake.reply(hanging)
  const editor = server.as('editor')
  const { id } = await ownUser(editor)
  const asked = await underWay(editor)
  expect((await admin.put(`/api/users/${id}`, { role: 'viewer' })).status).toBe(200)
  const { events, complete } = await asked.rest()
  expect(complete).toBe(false)
  expect(lastOf(events, 'proposal')).toBeUndefined()
  await expect.poll(() => fake.left).toBe(1)
  expect((await editor.post('/api/ai/generate-task', { prompt: 'x' })).status).toBe(403)
  expect(fake.asked).toHaveLength(1)
})

test('a key that is revoked ends what it has asked for', async () => {
  fake.reply(hanging)
  const maker = server.as('editor')
  const made = (await maker.post('/api/api-keys', { name: 'of an agent', scopes: ['read', 'write'] })).body as {
    id: number
    key: string
  }
  const asked = await underWay(server.client.with({ authorization: `Bearer ${made.key}` }))
  expect((await maker.delete(`/api/api-keys/${made.id}`)).status).toBe(200)
  expect((await asked.rest()).complete).toBe(false)
  await expect.poll(() => fake.left).toBe(1)
})

test('a key of the provider that is changed while an answer comes is used from the next call on', async () => {
  const first = halves()
  fake.reply(first.reply, { text: fencedYaml(good) })
  const asked = await underWay(server.as('editor'))
  hold(server.platform.config, 'ai.api_key', 'a-key-that-is-new')
  first.finish()
  const { events } = await asked.rest()
  expect(lastOf(events, 'proposal')).toMatchObject({ attempts: 2 })
  expect(fake.asked.map(({ headers }) => headers['authorization'])).toEqual([
    'Bearer a-key-of-the-tests',
    'Bearer a-key-that-is-new',
  ])
})

test.each<[what: string, change: () => unknown, code: string]>([
  ['the key is removed', () => hold(server.platform.config, 'ai.api_key', null), 'ai_key_missing'],
  ['another address is set', () => hold(server.platform.config, 'ai.base_url', `${fake.url}/other`), 'ai_overtaken'],
  [
    'a reference is changed',
    () => changeReference((path) => admin.put(path, { ...reference, content: 'New' })),
    'ai_overtaken',
  ],
  ['a reference is deleted', () => changeReference((path) => admin.delete(path)), 'ai_overtaken'],
])('when %s between two calls, the second is not made, and the answer says why', async (_, change, code) => {
  const made = (await admin.post('/api/ai/references', reference)).body as { id: number }
  const first = halves()
  fake.reply(first.reply, { text: fencedYaml(good) })
  const asked = await underWay(server.as('editor'), { reference_ids: [made.id] })
  await change()
  first.finish()
  const { events, complete } = await asked.rest()
  expect(complete).toBe(true)
  expect(lastOf(events, 'error')?.code).toBe(code)
  expect(lastOf(events, 'proposal')).toBeUndefined()
  expect(lastOf(events, 'usage')?.estimated).toBe(true)
  expect(fake.asked).toHaveLength(1)
  await admin.delete(`/api/ai/references/${made.id}`)
})
const reference = { title: 'Overtaken', kind: 'text', content: 'Old' }
async function changeReference(change: (path: string) => Promise<{ status: number }>): Promise<void> {
  const { result } = (await admin.get('/api/ai/references?q=Overtaken')).body as { result: { id: number }[] }
  expect((await change(`/api/ai/references/${result[0]?.id}`)).status).toBe(200)
}

test('of two who accept proposals onto the same version, the second is refused and nothing is lost', async () => {
  const editors = [server.as('editor'), server.as('editor')]
  const named = good.replace('name: one', 'name: contested')
  const task = (await editors[0]!.post('/api/tasks', { yaml_content: named })).body as { id: number }
  const path = `/api/tasks/${task.id}`
  const opened = await Promise.all(editors.map((one) => one.get(path)))
  const texts = ['First', 'Second'].map((said) => named.replace('kind:', `description: ${said}\nkind:`))
  fake.reply(...texts.map((text) => ({ text: fencedYaml(text) })))
  const proposals: string[] = []
  for (const one of editors) {
    // One after the other: the fake answers in turn.
    const { events } = await (await underWay(one, { base_yaml: named })).rest()
    proposals.push(lastOf(events, 'proposal')?.yaml_content ?? '')
  }
  expect(proposals).toEqual(texts)
  const saved = await Promise.all(
    editors.map((one, at) =>
      one.put(
        path,
        { yaml_content: proposals[at] },
        { headers: { 'if-match': opened[at]?.headers.get('etag') ?? '' } },
      ),
    ),
  )
  expect(saved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
  const { result } = (await admin.get(`${path}/versions`)).body as { result: { version: number }[] }
  expect(result.map(({ version }) => version)).toEqual([2, 1])
})
