// Job templates and dashboard templates that a model proposes: the same loop as for tasks, with what each kind knows.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eventsOf, fencedYaml, lastOf, useFakeAi } from '../../support/ai-events.ts'
import { type FakeAi, startFakeAi } from '../../support/fake-ai.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let fake: FakeAi
let editor: TestClient
const ids: Record<string, number> = {}

const taskOf = (name: string) => `etl: 1
kind: pipeline
name: ${name}
args: {day: {type: date, default: "2026-01-01", description: Day}, secret_default: {type: string, default: canary-of-a-default}}
connectors: {db: {type: sqlite, access: read_write}}
source: {inline: {rows: [{id: 1, day: "\${{ args.day }}", s: "\${{ args.secret_default }}"}]}}
target: {connector: db, table: t, mode: append}
`
const job = `etl: 1
kind: job
name: nightly
parameters: {day: {type: date}}
connectors: {dw: {type: sqlite}}
tasks:
  load: {task: a.load, connectors: {db: dw}, args: {day: "\${{ parameters.day }}"}}
`
const dashboard = `etl: 1
kind: dashboard
name: nightly.view
job_template: nightly
data: {rows: {metric: rows, last: 30}}
widgets:
  - {id: rows, type: kpi, data: rows, at: [0, 0, 3, 2]}
`

beforeAll(async () => {
  fake = await startFakeAi()
  server = await startTestServer()
  editor = server.as('editor')
  for (const name of ['a.load', 'a.export', 'a.drop']) {
    ids[name] = ((await editor.post('/api/tasks', { yaml_content: taskOf(name) })).body as { id: number }).id
  }
  const config = { path: '/data/none.db' }
  const connector = await server.as('admin').post('/api/connectors', { name: 'DW', type: 'sqlite', config })
  const template = await editor.post('/api/job-templates', { yaml_content: job })
  ids['nightly'] = (template.body as { id: number }).id
  const made = await editor.post(`/api/job-templates/${ids['nightly']}/jobs`, {
    name: 'Nightly',
    connector_mapping: { dw: (connector.body as { id: number }).id },
    parameters: { day: '2026-01-01' },
  })
  expect(made).toMatchObject({ status: 201 })
  ids['job'] = (made.body as { id: number }).id
})
afterAll(async () => {
  await server?.close()
  await fake?.close()
})
beforeEach(() => useFakeAi(server, fake))

const requested = (call = 0) => {
  const { messages } = JSON.parse(fake.asked[call]?.body ?? '') as { messages: { content: string }[] }
  return JSON.parse(messages[1]?.content ?? '') as Record<string, unknown>
}
const extended = job.replace(
  'tasks:\n',
  'tasks:\n  export: {task: a.export, depends_on: [load], connectors: {db: dw}}\n',
)

test('a job template is proposed over the chosen tasks and those of the text, by their slots and arguments alone', async () => {
  fake.reply({ text: fencedYaml(extended) })
  const body = { prompt: 'Then export', task_ids: [ids['a.export']], base_yaml: job }
  const shown = (await editor.post('/api/ai/generate-job-template/preview', body)).body as {
    body: string
    digest: string
  }
  expect(fake.asked).toHaveLength(0)
  const events = await eventsOf(editor, 'generate-job-template', { ...body, expected_digest: shown.digest })
  expect(lastOf(events, 'proposal')).toMatchObject({ yaml_content: extended, valid: true, attempts: 1, findings: [] })
  expect(lastOf(events, 'preview')).toBeUndefined()
  expect(fake.asked.map((asked) => asked.body)).toEqual([shown.body])
  expect(requested()).toMatchObject({
    prompt: 'Then export',
    tasks: [
      {
        task: 'a.export',
        connectors: { db: { types: ['sqlite'], access: 'read_write' } },
        args: { day: { type: 'date', description: 'Day' } },
      },
      { task: 'a.load' },
    ],
    current_yaml: job,
  })
  expect(shown.body).not.toContain('canary')
  expect(shown.body).not.toContain('a.drop')
  const templates = (await editor.get('/api/job-templates')).body as { result: unknown[] }
  expect(templates.result).toHaveLength(1)
})

test('a task that nobody chose and notifications that nobody asked for are findings, which go back', async () => {
  const dropped = job.replace('task: a.load', 'task: a.drop')
  const notified = `${job}notify: [{on: [failed], channel: ops}]\n`
  fake.reply({ text: fencedYaml(dropped) }, { text: fencedYaml(notified) }, { text: fencedYaml(job) })
  const events = await eventsOf(editor, 'generate-job-template', { prompt: 'Load', task_ids: [ids['a.load']] })
  const found = events.flatMap((event) => (event.event === 'diagnostics' ? [event.findings.map((f) => f.code)] : []))
  expect(found[0]).toContain('ai_task_not_chosen')
  expect(found[1]).toContain('ai_not_asked')
  expect(lastOf(events, 'proposal')).toMatchObject({ valid: true, attempts: 3 })
  expect(fake.asked[1]?.body).toContain('ai_task_not_chosen')
})

test('names that resemble a wrong one, and what a task that nobody chose needs, are told to people alone', async () => {
  expect((await server.as('admin').put('/api/pools/night-shift', { slots: 1 })).status).toBe(200)
  const near = job
    .replace('{task: a.load', '{task: a.load, pool: night-shif')
    .replace('tasks:\n', 'tasks:\n  other: {task: a.dro, connectors: {db: dw}}\n')
  const guessed = job.replace('a.load', 'a.drop').replace('args: {day', 'args: {whatever: 1, day')
  fake.reply({ text: fencedYaml(near) }, { text: fencedYaml(guessed) }, { text: fencedYaml(job) })
  const events = await eventsOf(editor, 'generate-job-template', { prompt: 'Load', task_ids: [ids['a.load']] })
  const [first, second] = events.flatMap((event) => (event.event === 'diagnostics' ? [event.findings] : []))
  expect(JSON.stringify(first)).toContain('a.drop')
  expect(JSON.stringify(first)).toContain('night-shift')
  expect(second?.map(({ code }) => code)).toContain('unknown_argument')
  const toldIn = (call: number) => {
    const { messages } = JSON.parse(fake.asked[call]?.body ?? '') as { messages: { content: string }[] }
    return messages.at(-1)?.content ?? ''
  }
  expect(toldIn(1)).toContain('ai_task_not_chosen')
  expect(toldIn(1)).toContain('unknown_pool')
  expect(toldIn(1)).not.toMatch(/a\.drop|night-shift|unknown_task/)
  expect(toldIn(2)).toContain('ai_task_not_chosen')
  expect(toldIn(2)).not.toMatch(/unknown_argument|slot_unbound/)
  expect(lastOf(events, 'proposal')).toMatchObject({ valid: true })
})

test('a template that the language refuses stays an honest draft, and an unknown task is refused before anything is sent', async () => {
  fake.reply({ text: fencedYaml(job.replace('connectors: {db: dw}', 'connectors: {db: nowhere}')) })
  const events = await eventsOf(editor, 'generate-job-template', { prompt: 'Load', task_ids: [ids['a.load']] })
  expect(lastOf(events, 'proposal')).toMatchObject({ valid: false, attempts: 2 })
  fake.reply()
  const refused = await editor.post('/api/ai/generate-job-template', { prompt: 'x', task_ids: [999_999] })
  expect(refused).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.task_ids[0]', code: 'ai_task_unknown' }] },
  })
  expect(fake.asked).toHaveLength(0)
})

test('a dashboard is proposed for its job template, and knows its tasks, parameters, and databases', async () => {
  fake.reply({ text: fencedYaml(dashboard) })
  const events = await eventsOf(editor, 'generate-dashboard-template', {
    prompt: 'Show rows',
    job_template_id: ids['nightly'],
    job_id: ids['job'],
  })
  expect(lastOf(events, 'proposal')).toMatchObject({ yaml_content: dashboard, valid: true })
  expect(requested()).toMatchObject({
    job_template: {
      name: 'nightly',
      tasks: ['load'],
      parameters: { day: 'date' },
      databases: [{ connector: 'dw', types: ['sqlite'] }],
    },
    connectors: [{ slot: 'dw', type: 'sqlite' }],
  })
})

test('a dashboard of another job template is a finding; without a choice, the text says which one it is for', async () => {
  const other = await editor.post('/api/job-templates', { yaml_content: job.replace('name: nightly', 'name: weekly') })
  expect(other.status).toBe(201)
  fake.reply({ text: fencedYaml(dashboard.replace('job_template: nightly', 'job_template: weekly')) })
  const events = await eventsOf(editor, 'generate-dashboard-template', { prompt: 'Rows', base_yaml: dashboard })
  expect(lastOf(events, 'proposal')).toMatchObject({ valid: false, findings: [{ code: 'ai_template_other' }] })
  expect(requested()).toMatchObject({ job_template: { name: 'nightly' }, connectors: [] })
})

test('a job of another template and an unknown template are refused by name', async () => {
  fake.reply()
  const { id } = (await editor.post('/api/job-templates', { yaml_content: job.replace('nightly', 'monthly') }))
    .body as {
    id: number
  }
  for (const [body, code] of [
    [{ job_template_id: id, job_id: ids['job'] }, 'ai_job_unknown'],
    [{ job_template_id: 999_999 }, 'ai_template_unknown'],
    [{ job_template_id: ids['nightly'], job_id: 999_999 }, 'ai_job_unknown'],
  ] as const) {
    const answer = await editor.post('/api/ai/generate-dashboard-template/preview', { prompt: 'x', ...body })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ code }] } })
  }
  expect(fake.asked).toHaveLength(0)
  for (const path of ['generate-job-template', 'generate-dashboard-template'])
    expect((await server.as('viewer').post(`/api/ai/${path}`, { prompt: 'x' })).status).toBe(403)
})
