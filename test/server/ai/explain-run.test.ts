// Why a run failed, told by a model that knows the reason and none of the rows.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { AiEvent } from '../../../src/contract/ai.ts'
import { type RealWorld, startRealWorld } from '../../executor/process/real-world.ts'
import { eventsOf, lastOf, useFakeAi } from '../../support/ai-events.ts'
import { type FakeAi, startFakeAi } from '../../support/fake-ai.ts'
import type { TestClient } from '../../support/server.ts'

const canary = 'canary-in-a-row'
const password = 'hunter2-in-the-task'
let world: RealWorld
let fake: FakeAi
let editor: TestClient
let failed = 0

const yaml = `# Kept: password=${password}
etl: 1
kind: pipeline
name: people
connectors: {files: {type: file, access: read_write}}
source: {connector: files, files: {glob: people.csv, format: csv}}
steps:
  - cast: {age: integer}
target: {connector: files, file: {path: out.jsonl, format: jsonl}}
`
const fixed = yaml.replace('- cast: {age: integer}', '- filter: "age SIMILAR TO \'[0-9]+\'"\n  - cast: {age: integer}')
const fenced = (text: string) => `\`\`\`yaml\n${text}\`\`\`\n`

beforeAll(async () => {
  fake = await startFakeAi()
  world = await startRealWorld()
  editor = world.server.as('editor')
  writeFileSync(join(world.folder, 'people.csv'), `id,age\n1,12\n2,${canary}\n`)
  const soon = { timeout: 60_000, interval: 10 }
  await vi.waitFor(async () => expect(await world.online()).toBe('online'), soon)
  failed = await world.trigger(yaml, { files: world.connector })
  await vi.waitFor(async () => expect(await world.statusOf(failed)).toBe('failed'), soon)
})
afterAll(async () => {
  await world?.close()
  await fake?.close()
})
beforeEach(() => useFakeAi(world.server, fake))

const explain = (more: object = {}) => eventsOf(editor, 'explain-run', { run_id: failed, ...more })
const explanationIn = (events: AiEvent[]) => events.find((one) => one.event === 'explanation')

test('what leaves is the task, the reason, and counts, byte for byte as shown, and no value of a row', async () => {
  fake.reply()
  const shown = (await editor.post('/api/ai/explain-run/preview', { run_id: failed })).body as {
    body: string
    digest: string
    held_back: number
  }
  expect(fake.asked).toHaveLength(0)
  const { messages } = JSON.parse(shown.body) as { messages: { content: string }[] }
  const facts = JSON.parse(messages[1]?.content ?? '') as Record<string, unknown>
  expect(facts).toMatchObject({
    task: yaml.replace(password, '[secret 1]'),
    failure: { reason: expect.any(String), message: expect.stringContaining('…') },
    attempt: { number: 1, of: 1 },
    steps: expect.arrayContaining([expect.objectContaining({ status: 'failed' })]),
  })
  expect(shown.held_back).toBe(1)
  expect(shown.body).not.toContain(canary)
  expect(shown.body).not.toContain(password)
  fake.reply({ text: 'It failed.' })
  await explain({ expected_digest: shown.digest })
  expect(fake.asked.map(({ body }) => body)).toEqual([shown.body])
  const other = await editor.post('/api/ai/explain-run', {
    run_id: failed,
    expected_digest: shown.digest,
    language: 'de',
  })
  expect(other).toMatchObject({ status: 409, body: { code: 'ai_request_changed' } })
})

test('an explanation is text, with a corrected task that was checked and has its secrets back', async () => {
  fake.reply({
    text: `<think>${canary}</think>The cast failed.\n\n${fenced(fixed.replace(password, '[secret 1]'))}\nCheck the file.`,
  })
  const events = await explain()
  expect(events.map(({ event }) => event)).toEqual(expect.arrayContaining(['delta', 'explanation', 'usage']))
  expect(explanationIn(events)).toEqual({
    event: 'explanation',
    text: 'The cast failed.\n\nCheck the file.',
    yaml_content: fixed,
    valid: true,
    findings: [],
    connector_mapping: { files: world.connector },
  })
  // Checked by its rows as a proposal is: columns and counts, and no value.
  expect(lastOf(events, 'preview')).toMatchObject({
    ran: true,
    stages: [{ row_count: 2 }, { row_count: 1 }, { row_count: 1, columns: [{ name: 'id' }, { name: 'age' }] }],
  })
  expect(JSON.stringify(events.filter(({ event }) => event !== 'delta'))).not.toContain(canary)
  const saved = (await editor.get('/api/tasks')).body as { result: { current_version: number }[] }
  expect(saved.result.map(({ current_version }) => current_version)).toEqual([1])
})

test('a task that nothing changes is no proposal, and one that does more than asked has findings', async () => {
  fake.reply({ text: `Nothing to change.\n${fenced(yaml.replace(password, '[secret 1]'))}` })
  expect(explanationIn(await explain())).toMatchObject({ yaml_content: null, valid: true })
  fake.reply({ text: fenced(fixed.replace('cast:', 'castt:')) })
  expect(explanationIn(await explain())).toMatchObject({ valid: false, text: '' })
  fake.reply({ text: fenced('etl: 1\nkind: command\nname: people\ncommand: {argv: [rm]}\n') })
  expect(explanationIn(await explain())).toMatchObject({ valid: false, findings: [{ code: 'ai_not_asked' }] })
})

test('a correction whose preview fails says at which step, without values, and a query that a model wrote is not run', async () => {
  fake.reply({ text: fenced(yaml.replace('# Kept: ', '# Lost: ').replace(password, '[secret 1]')) })
  const failing = await explain()
  const told = explanationIn(failing)
  expect(told).toMatchObject({
    valid: false,
    findings: [{ code: 'ai_preview_failed', path: 'steps[0]', hint: expect.stringContaining('age') }],
  })
  expect(JSON.stringify(told)).not.toContain(canary)
  const query = fixed
    .replace(password, '[secret 1]')
    .replace('files: {glob: people.csv, format: csv}', `sql: {query: "SELECT 1 AS id, '2' AS age"}`)
  fake.reply({ text: fenced(query) })
  expect(lastOf(await explain(), 'preview') ?? { ran: false }).toMatchObject({ ran: false })
})

test('a failure of the provider is told, and the language of the answer is the one asked for', async () => {
  fake.reply({ status: 401 })
  expect((await explain({ language: 'de' })).map((one) => (one.event === 'error' ? one.code : one.event))).toEqual([
    'ai_key_refused',
    'usage',
  ])
  expect(fake.asked[0]?.body).toContain('Answer in German')
})

test('a run that has not failed is not explained, and neither is any to who may not write', async () => {
  writeFileSync(join(world.folder, 'good.csv'), 'id,age\n1,12\n')
  const good = yaml.replace('people.csv', 'good.csv').replace('name: people', 'name: good')
  const run_id = await world.trigger(good, { files: world.connector })
  await expect.poll(() => world.statusOf(run_id)).toBe('success')
  const refused = await editor.post('/api/ai/explain-run', { run_id })
  expect(refused).toMatchObject({ status: 400, body: { error: 'INVALID_STATE', code: 'ai_run_not_failed' } })
  expect((await world.server.as('viewer').post('/api/ai/explain-run', { run_id: failed })).status).toBe(403)
})
