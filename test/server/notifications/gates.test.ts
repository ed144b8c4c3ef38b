import { expect, test } from 'vitest'
import { jobPlane } from '../job-runs/job-plane.ts'
import { channels } from './notification-world.ts'

test('a gate that begins to wait is told once, with the way to it, while the rest of the job run goes on', async () => {
  const plane = await jobPlane()
  const channel = await channels(plane.editor).create({ type: 'desktop', on: ['waiting_for_approval'] })
  const others = await channels(plane.editor).create({ type: 'desktop', on: ['failed', 'finished'] })
  const node = '{task: work, args: {value: x}, connectors: {out: dir}'
  const job = await plane.job(`  load: ${node}}
  publish: {gate: "Publish it?", depends_on: [load]}
  also: {gate: "And run \${{ run.id }}?", depends_on: [load]}
  last: ${node}, depends_on: [publish, also]}`)
  const told = async (to: typeof channel) => (await channels(plane.editor).deliveries(to)).map(({ event }) => event)

  const run = plane.start(job)
  expect(await told(channel)).toEqual([])
  await plane.drain()
  expect(plane.jobRun(run)).toMatchObject({ status: 'paused', pause_reason: 'gate' })
  expect(await told(channel)).toEqual(['waiting_for_approval', 'waiting_for_approval'])
  expect(await told(others)).toEqual([])
  const news = plane.platform.store.sqlite.prepare('SELECT news FROM notification_deliveries ORDER BY id').pluck().all()
  expect(news.map((one) => JSON.parse(String(one)) as object)).toMatchObject([
    {
      event: 'waiting_for_approval',
      gate: { task_key: 'publish', message: 'Publish it?' },
      job_run: { id: run, status: 'running', path: `/job-runs/${run}?task=publish` },
    },
    { gate: { task_key: 'also', message: `And run ${run}?` }, job_run: { path: `/job-runs/${run}?task=also` } },
  ])
})
