import { afterAll, beforeAll, expect, test } from 'vitest'
import { decideGate, resumeJobRun, runJob } from '../../../src/contract/job-run-control.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { createJob } from '../../../src/contract/jobs.ts'
import { type Notification, updateNotification } from '../../../src/contract/notifications.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { channels } from './notification-world.ts'

let clock: TestClock
let server: TestServer
let admin: TestClient
let channel: Notification
let job: { id: number }
beforeAll(async () => {
  clock = createTestClock()
  server = await startTestServer({ clock })
  admin = server.as('admin')
  channel = await channels(admin).create({ name: 'ops', type: 'desktop', on: [] })
  const yaml_content = `etl: 1
kind: job
name: approval
deadline: 1m
tasks:
  sign_off: {gate: "Publish?"}
notify: [{on: [failed, recovered, late], channel: ops}]
`
  const template = await admin.call(createJobTemplate, { body: { yaml_content } })
  job = await admin.call(createJob, { params: { id: template.id }, body: { name: 'approval' } })
})
afterAll(() => server.close())

const start = async () => (await admin.call(runJob, { params: { id: job.id } })).id
const decide = (id: number, open: boolean) =>
  admin.call(decideGate, { params: { id, key: 'sign_off' }, body: { open } })
/** Since the last look. */
let seen = 0
async function told(): Promise<string[]> {
  const all = (await channels(admin).deliveries(channel)).filter(({ id }) => id > seen)
  seen = all.at(-1)?.id ?? seen
  return all.map(({ event, job_run_id }) => `${event} ${job_run_id}`)
}

test('a job run that fails is told of each time it does, and its recovery once: resumed, or by the next one', async () => {
  const first = await start()
  await decide(first, false)
  expect(await told()).toEqual([`failed ${first}`])
  await admin.call(resumeJobRun, { params: { id: first } })
  await decide(first, false)
  expect(await told()).toEqual([`failed ${first}`])
  await admin.call(resumeJobRun, { params: { id: first } })
  await decide(first, true)
  expect(await told()).toEqual([`recovered ${first}`])

  const second = await start()
  await decide(second, true)
  expect(await told()).toEqual([])
  const third = await start()
  await decide(third, false)
  const fourth = await start()
  await decide(fourth, true)
  expect(await told()).toEqual([`failed ${third}`, `recovered ${fourth}`])
})

test('a job run is late once, when its deadline is up', async () => {
  const id = await start()
  clock.advance(59_000)
  server.services.jobRuns.sweep()
  expect(await told()).toEqual([])
  clock.advance(1_001)
  server.services.jobRuns.sweep()
  server.services.jobRuns.sweep()
  expect(await told()).toEqual([`late ${id}`])
  await decide(id, true)
  expect(await told()).toEqual([])
})

test('a channel that is switched off is told nothing, whatever the template asks for', async () => {
  await admin.call(updateNotification, { params: { id: channel.id }, body: { enabled: false } })
  await decide(await start(), false)
  expect(await told()).toEqual([])
})
