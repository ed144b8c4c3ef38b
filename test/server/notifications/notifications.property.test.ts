import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type JobRunStatus, createJob } from '../../../src/contract/jobs.ts'
import type { NotifyEvent } from '../../../src/language/job/job.types.ts'
import { notifyEvents, updateNotification } from '../../../src/contract/notifications.ts'
import type { JobRunUpdate } from '../../../src/server/features/notifications/notifications.service.ts'
import { type JobWorld, createJobWorld, node, templateYaml } from '../jobs/job-world.ts'
import { channels, endOf } from './notification-world.ts'

let world: JobWorld
const jobs: { id: number; snapshot_id: number }[] = []
beforeAll(async () => {
  world = await createJobWorld()
  const task = await world.task()
  const admin = world.server.as('admin')
  for (const name of ['alpha', 'beta']) await channels(admin).create({ name, type: 'desktop', on: [] })
  const asked = 'notify: [{on: [failed, late], channel: alpha}, {on: [recovered, failed], channel: beta}]\n'
  for (const more of ['', asked]) {
    const template = await world.template(templateYaml(world.newName('template'), { load: node(task.name) }, more))
    const { id } = await world.editor.call(createJob, {
      params: { id: template.id },
      body: { name: world.newName('job'), connector_mapping: { lake: world.lake, store: world.store } },
    })
    jobs.push({ id, snapshot_id: world.server.services.jobs.forRun(id).snapshot_id })
  }
})
afterAll(() => world.close())

const events = fc.uniqueArray(fc.constantFrom(...notifyEvents))
const channel = fc.record({
  on: events,
  // Of the two jobs: all, or some.
  of: fc.option(fc.uniqueArray(fc.nat(1), { minLength: 1 })),
  enabled: fc.boolean(),
})
const ended = fc.constantFrom<JobRunStatus>('completed', 'failed', 'cancelled')
const happening = fc.record({
  job: fc.nat(1),
  late: fc.boolean(),
  status: ended,
  previous_status: fc.option(ended),
  kept: fc.boolean(),
})

/** Who is told what, in other words than the rules have. */
function expected(
  name: string,
  { on, of, enabled }: { on: NotifyEvent[]; of: number[] | null; enabled: boolean },
  {
    job,
    late,
    status,
    previous_status,
  }: { job: number; late: boolean; status: string; previous_status: string | null },
): string[] {
  const template: Record<string, string[]> =
    job === 1 ? { alpha: ['failed', 'late'], beta: ['recovered', 'failed'] } : {}
  const told = (event: NotifyEvent) =>
    enabled && ((on.includes(event) && (of === null || of.includes(job))) || (template[name] ?? []).includes(event))
  const happened: NotifyEvent[] = late ? ['late'] : ['finished']
  if (!late && status === 'failed') happened.push('failed')
  if (!late && status === 'completed' && previous_status === 'failed') happened.push('recovered')
  return happened.filter(told)
}

test('whatever ends, each channel is told once what it or the template asks for, and nothing of what was rolled back', async () => {
  const { server } = world
  const admin = server.as('admin')
  const { platform, services } = server
  const all = (await admin.get('/api/notifications')).body as { result: { id: number; name: string }[] }
  const lastDelivery = () => {
    const rows = platform.store.sqlite.prepare<[], { id: number | null }>(
      'SELECT max(id) AS id FROM notification_deliveries',
    )
    return rows.get()?.id ?? 0
  }
  const since = platform.store.sqlite.prepare<[number], { name: string; event: string; job_run_id: number }>(
    `SELECT name, event, job_run_id FROM notification_deliveries AS d JOIN notifications AS n ON n.id = d.notification_id
     WHERE d.id > ?`,
  )
  function end(run: JobRunUpdate, late: boolean, kept: boolean): void {
    const undone = new Error('rolled back')
    try {
      platform.store.transaction(() => {
        services.notifications[late ? 'jobRunLate' : 'jobRunEnded'](run)
        if (!kept) throw undone
      })
    } catch (error) {
      if (error !== undone) throw error
    }
  }
  await fc.assert(
    fc.asyncProperty(
      fc.record({ alpha: channel, beta: channel }),
      fc.array(happening, { minLength: 1, maxLength: 12 }),
      async (settings, happenings) => {
        for (const { id, name } of all.result) {
          const { of, on, enabled } = settings[name as 'alpha']
          const body = { on, enabled, job_ids: of && of.map((at) => jobs[at]!.id) }
          await admin.call(updateNotification, { params: { id }, body })
        }
        const before = lastDelivery()
        const wanted: string[] = []
        for (const { job, late, status, previous_status, kept } of happenings) {
          const { id: job_id, snapshot_id } = jobs[job]!
          const run = endOf({ job_id, snapshot_id, status: late ? 'running' : status, previous_status })
          end(run, late, kept)
          if (!kept) continue
          for (const name of ['alpha', 'beta'] as const) {
            const told = expected(name, settings[name], { job, late, status, previous_status })
            wanted.push(...told.map((event) => `${name} ${event} ${run.id}`))
          }
        }
        const told = since.all(before).map(({ name, event, job_run_id }) => `${name} ${event} ${job_run_id}`)
        expect(told.toSorted()).toEqual(wanted.toSorted())
      },
    ),
    { numRuns: 60 },
  )
}, 120_000)
