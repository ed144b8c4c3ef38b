import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import { createEventTrigger, getEventTrigger } from '../../../src/contract/event-triggers.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { decideGate } from '../../../src/contract/job-run-control.ts'
import { listAllJobRuns } from '../../../src/contract/job-runs.ts'
import { archiveJob, createJob, getJob, restoreJob } from '../../../src/contract/jobs.ts'
import type { BodyOf, QueryOf } from '../../../src/contract/operation.ts'
import {
  type Trigger,
  createTrigger,
  getTrigger,
  getTriggerCalendar,
  listTriggerFirings,
  listTriggers,
  previewTrigger,
} from '../../../src/contract/triggers.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
let editor: TestClient
let clock: TestClock
beforeAll(async () => {
  clock = createTestClock('2026-03-01T07:59:00.000Z')
  server = await startTestServer({ clock })
  editor = server.as('editor')
})
afterAll(() => server.close())

let made = 0
/** A job of one gate: it is under way until somebody opens that. */
async function job(more = ''): Promise<number> {
  const name = `job_${++made}`
  const yaml_content = `etl: 1
kind: job
name: ${name}
parameters:
  day: {type: date, required: false}
  n: {type: integer, required: false}
${more}tasks:
  ask: {gate: "Go on?"}
`
  const { id } = await editor.call(createJobTemplate, { body: { yaml_content } })
  return (await editor.call(createJob, { params: { id }, body: { name } })).id
}
const make = async (more: Partial<BodyOf<typeof createTrigger>> = {}) =>
  editor.call(createTrigger, {
    body: { job_id: more.job_id ?? (await job()), type: 'cron', cron_expression: '0 * * * *', ...more },
  })
const runsOf = async (job_id: number) => (await editor.call(listAllJobRuns, { query: { job_id: [job_id] } })).result
const firingsOf = async (id: number) => (await editor.call(listTriggerFirings, { params: { id } })).result
const problems = ({ body }: { body: unknown }) => (body as ErrorBody).details?.map(({ path }) => path)
async function untilNextHour(): Promise<string> {
  const now = clock.now().getTime()
  const next = Math.floor(now / 3_600_000 + 1) * 3_600_000
  clock.advance(next - now)
  await server.services.triggers.scheduler.run()
  return new Date(next).toISOString()
}
const open = (id: number) => editor.call(decideGate, { params: { id, key: 'ask' }, body: { open: true } })

describe('a trigger', () => {
  test('starts a job run that names it, for the time that it was scheduled for', async () => {
    const { id, job_id } = await make({ arguments: { n: 3 } })
    const at = await untilNextHour()
    const [run] = await runsOf(job_id)
    expect(run).toMatchObject({ trigger_type: 'cron', trigger_id: id, logical_date: at, status: 'paused' })
    expect(JSON.parse(run!.arguments!)).toEqual({ n: 3 })
    expect(await firingsOf(id)).toMatchObject([
      { scheduled_at: at, fired_at: at, outcome: 'started', job_run_id: run!.id },
    ])
    const next = new Date(Date.parse(at) + 3_600_000).toISOString()
    expect(await editor.call(getJob, { params: { id: job_id } })).toMatchObject({
      next_fire_at: next,
      last_run_id: run!.id,
    })
    await editor.delete(`/api/triggers/${id}`)
    expect(await editor.call(getJob, { params: { id: job_id } })).toMatchObject({ next_fire_at: null })
    expect(await runsOf(job_id)).toHaveLength(1)
  })
  test('records the job run that was in its way', async () => {
    const { id, job_id } = await make({ on_overlap: 'skip' })
    await untilNextHour()
    const at = await untilNextHour()
    const [run, ...others] = await runsOf(job_id)
    expect(others).toEqual([])
    expect((await firingsOf(id))[0]).toMatchObject({ scheduled_at: at, outcome: 'overlap', job_run_id: run!.id })
  })
  test('does not fire while its job is archived', async () => {
    const { id, job_id } = await make()
    await editor.call(archiveJob, { params: { id: job_id } })
    await untilNextHour()
    await editor.call(restoreJob, { params: { id: job_id } })
    expect(await firingsOf(id)).toEqual([])
    expect((await editor.call(getTrigger, { params: { id } })).next_fire_at).not.toBeNull()
    const at = await untilNextHour()
    expect(await firingsOf(id)).toMatchObject([{ scheduled_at: at, outcome: 'started' }])
  })
  test.each([
    [{ cron_expression: '0 * * *' }, 'body.cron_expression'],
    [{ timezone: 'Mars/Base' }, 'body.timezone'],
    [{ type: 'one_off' as const }, 'body.cron_expression'],
    [{ type: 'one_off' as const, cron_expression: '2020-01-01T00:00:00Z' }, 'body.cron_expression'],
    [{ task_key: 'task' }, 'body.task_key'],
    [{ task_key: 'ask' }, 'body.task_key'],
    [{ arguments: { n: 'many' } }, 'body.arguments.n'],
    [{ arguments: { m: 1 } }, 'body.arguments.m'],
  ])('is refused with %j', async (more, path) => {
    const answer = await editor.post('/api/triggers', {
      job_id: await job(),
      type: 'cron',
      cron_expression: '0 * * * *',
      ...more,
    })
    expect([answer.status, problems(answer)]).toEqual([400, [path]])
  })
  test('a datetime is judged by the stored type where none is sent', async () => {
    const { id } = await make({ type: 'one_off', cron_expression: '2030-01-01T00:00:00Z' })
    const put = (body: object) => editor.put(`/api/triggers/${id}`, body)
    expect(problems(await put({ cron_expression: '0 6 * * *' }))).toEqual(['body.cron_expression'])
    expect(problems(await put({ cron_expression: '2020-01-01T00:00:00Z' }))).toEqual(['body.cron_expression'])
    expect(problems(await put({ type: 'cron' }))).toEqual(['body.cron_expression'])
    expect((await put({ type: 'cron', cron_expression: '0 6 * * *' })).body).toMatchObject({ type: 'cron', enabled: 1 })
    expect(problems(await put({ type: 'one_off' }))).toEqual(['body.cron_expression'])
    expect((await put({ cron_expression: '2031-01-01T00:00:00Z', type: 'one_off' })).body).toMatchObject({
      next_fire_at: '2031-01-01T00:00:00.000Z',
    })
  })
  test('a one_off without an offset is in UTC, and is kept with its Z', async () => {
    const { id } = await make({ type: 'one_off', cron_expression: ' 2030-06-01T08:30:00 ' })
    const kept = { cron_expression: '2030-06-01T08:30:00Z', next_fire_at: '2030-06-01T08:30:00.000Z' }
    expect((await editor.get(`/api/triggers/${id}`)).body).toMatchObject(kept)
    const answer = await editor.put(`/api/triggers/${id}`, { cron_expression: '2030-06-01T09:00' })
    expect(answer.body).toMatchObject({ next_fire_at: '2030-06-01T09:00:00.000Z' })
  })
  test('a new time for one that is disabled carries a hint; an enabled one does not', async () => {
    const { id } = await make({ type: 'one_off', cron_expression: '2030-06-01T08:30:00Z', enabled: false })
    const put = async (body: object) => (await editor.put(`/api/triggers/${id}`, body)).body as Trigger
    const moved = await put({ cron_expression: '2031-06-01T08:30:00Z' })
    expect([moved.enabled, moved.next_fire_at, moved.hint]).toEqual([
      0,
      null,
      expect.stringContaining('`enabled: true`'),
    ])
    const enabled = await put({ enabled: true })
    expect([enabled.enabled, enabled.next_fire_at, enabled.hint]).toEqual([1, '2031-06-01T08:30:00.000Z', undefined])
  })
  test('what is left out of a change stays, and a stale change is refused', async () => {
    const { id, next_fire_at } = await make({ arguments: { n: 1 }, jitter_seconds: 30, on_overlap: 'skip' })
    const before = await editor.get(`/api/triggers/${id}`)
    const etag = before.headers.get('etag')!
    const changed = await editor.put(
      `/api/triggers/${id}`,
      { misfire_policy: 'skip' },
      { headers: { 'if-match': etag } },
    )
    expect(changed.body).toMatchObject({
      arguments: '{"n":1}',
      jitter_seconds: 30,
      on_overlap: 'skip',
      misfire_policy: 'skip',
      next_fire_at,
    })
    expect((await editor.put(`/api/triggers/${id}`, {}, { headers: { 'if-match': etag } })).status).toBe(409)
  })
})

test('triggers are listed by what fires next; those that fire no more come last', async () => {
  const job_id = await job()
  const off = await make({ job_id, enabled: false })
  const later = await make({ job_id, cron_expression: '0 0 1 1 *' })
  const soon = await make({ job_id, cron_expression: '* * * * *' })
  const { result } = await editor.call(listTriggers, { query: { job_id, sort: 'next_fire_at' } })
  expect(result.map(({ id }) => id)).toEqual([soon.id, later.id, off.id])
  const first = await editor.call(listTriggers, { query: { job_id, sort: 'next_fire_at', limit: 2 } })
  const second = await editor.call(listTriggers, {
    query: { job_id, sort: 'next_fire_at', limit: 2, cursor: first.nextCursor! },
  })
  expect(second.result.map(({ id }) => id)).toEqual([off.id])
  const enabled = await editor.call(listTriggers, { query: { job_id, enabled: true } })
  expect(enabled.result.map(({ id }) => id)).toEqual([soon.id, later.id])
  const back = await editor.call(listTriggers, { query: { job_id, sort: 'next_fire_at', order: 'desc' } })
  expect(back.result.map(({ id }) => id)).toEqual([off.id, later.id, soon.id])
})

test('triggers are found by their job or their cron expression, and by their type', async () => {
  const { id, job_id, job_name } = await make({ cron_expression: '17 4 * * *' })
  const once = await make({ job_id, type: 'one_off', cron_expression: '2031-01-01T00:00:00Z' })
  const ids = async (query: QueryOf<typeof listTriggers>) =>
    (await editor.call(listTriggers, { query })).result.map((trigger) => trigger.id)
  expect(await ids({ q: job_name.toUpperCase(), job_id })).toEqual([once.id, id])
  expect(await ids({ q: '17 4 *' })).toEqual([id])
  expect(await ids({ job_id, type: 'one_off' })).toEqual([once.id])
  expect(await ids({ q: 'no such job' })).toEqual([])
})

test('a preview shows the next firings on the clocks of the zone', async () => {
  const body = { cron_expression: '30 2 * * *', timezone: 'Europe/Berlin', count: 2, from: '2026-03-28T12:00:00+01:00' }
  expect(await editor.call(previewTrigger, { body })).toEqual({
    firings: [
      { at: '2026-03-29T01:00:00.000Z', local: '2026-03-29T03:00:00+02:00' },
      { at: '2026-03-30T00:30:00.000Z', local: '2026-03-30T02:30:00+02:00' },
    ],
  })
})

test('the calendar holds what was fired and what is to be fired, of all triggers in order', async () => {
  const job_id = await job()
  const hourly = await make({ job_id })
  const at = await untilNextHour()
  const half = await make({ job_id, cron_expression: '30 * * * *' })
  const hours = (count: number) => new Date(Date.parse(at) + count * 3_600_000).toISOString()
  const calendar = (query: object) =>
    editor.call(getTriggerCalendar, { query: { from: hours(-1), to: hours(2.5), job_id, ...query } })
  const { entries, truncated } = await calendar({})
  expect(entries.map((entry) => [entry.at, entry.trigger_id, entry.outcome])).toEqual([
    [at, hourly.id, 'started'],
    [hours(0.5), half.id, null],
    [hours(1), hourly.id, null],
    [hours(1.5), half.id, null],
    [hours(2), hourly.id, null],
  ])
  expect(truncated).toBe(false)
  const cut = await calendar({ limit: 3 })
  expect([cut.entries, cut.truncated]).toEqual([entries.slice(0, 3), true])
  expect((await calendar({ from: hours(1), to: hours(1.25) })).entries.map((entry) => entry.at)).toEqual([hours(1)])
  const long = await editor.get('/api/triggers/calendar', { query: { from: hours(0), to: hours(24 * 400) } })
  expect(problems(long)).toEqual(['query.to'])
})

describe('an event trigger', () => {
  test('a webhook starts the job with what came, and its token is told once', async () => {
    const body = {
      job_id: await job(),
      name: 'push',
      type: 'webhook' as const,
      arguments: { n: '${{ event.body.n }}' },
    }
    const headers = { 'idempotency-key': 'hook-once' }
    const first = await editor.post('/api/event-triggers', body, { headers })
    const { id, token } = first.body as { id: number; token: string }
    const again = await editor.post('/api/event-triggers', body, { headers })
    expect([again.status, again.body]).toMatchObject([201, { id, token: null }])
    const called = await server.client.post(`/api/hooks/${token}`, { n: 5 })
    expect([called.status, called.body]).toMatchObject([202, { outcome: 'started' }])
    const [run] = await runsOf(body.job_id)
    expect(run).toMatchObject({ trigger_type: 'api', event_trigger_id: id, arguments: '{"n":5}' })
    const bad = await server.client.post(`/api/hooks/${token}`, { n: 'five' })
    expect([bad.status, problems(bad)]).toEqual([400, ['request', 'body.arguments.n']])
    expect((await editor.call(getEventTrigger, { params: { id } })).last_error).toContain('arguments.n')
    expect((await server.client.post(`/api/hooks/${token}`, '{', {})).status).toBe(400)
    const send = (n: unknown, to = token) =>
      server.client.post(`/api/hooks/${to}`, { n }, { headers: { 'idempotency-key': 'delivery-7' } })
    const delivered = await send(6)
    const repeated = await send(6)
    expect([repeated.status, repeated.body, repeated.headers.get('idempotency-replayed')]).toEqual([
      202,
      delivered.body,
      'true',
    ])
    expect((await send(7)).status).toBe(409)
    expect(await runsOf(body.job_id)).toHaveLength(2)
    // Keys of another webhook are other keys.
    const other = await editor.post('/api/event-triggers', { ...body, name: 'push again' })
    expect((await send(7, (other.body as { token: string }).token)).status).toBe(202)
    expect(JSON.stringify(await editor.get(`/api/event-triggers/${id}`))).not.toContain(token)
  })
  test('after a job has ended the next one starts, for the same logical date', async () => {
    const first = await job()
    const second = await job()
    const { id } = await editor.call(createEventTrigger, {
      body: {
        job_id: second,
        name: 'after',
        type: 'after_job',
        config: { job_id: first },
        arguments: { n: '${{ event.job_run_id }}' },
      },
    })
    const started = await editor.post(`/api/jobs/${first}/run`, { logical_date: '2026-02-03T00:00:00Z' })
    const { id: before } = started.body as { id: number }
    expect(await runsOf(second)).toEqual([])
    await open(before)
    expect(await runsOf(second)).toMatchObject([
      { event_trigger_id: id, logical_date: '2026-02-03T00:00:00.000Z', arguments: JSON.stringify({ n: before }) },
    ])
  })
})
