import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { jobPlane, nameOf } from '../job-runs/job-plane.ts'
import { startHookWorld } from './hook-world.ts'
import { channels, endOf, tell } from './notification-world.ts'

const rejects = [
  { task_key: 'load', rejected: 12 },
  { task_key: 'check', rejected: 1 },
]

describe('rejected rows', () => {
  test('are told when the job run completes, of the tasks that rejected them, and neither by one that fails nor by one that reuses them', async () => {
    const plane = await jobPlane()
    const channel = await channels(plane.editor).create({ type: 'desktop', on: ['completed_with_rejects'] })
    const node = '{task: work, args: {value: x}, connectors: {out: dir}'
    const job = await plane.job(`  load: ${node}}\n  check: ${node}, depends_on: [load]}`)
    /** `load` rejects so many rows, `check` ends as said. */
    const run = async (rejected: number, check: object) => {
      const id = plane.start(job)
      for (let plans = plane.claim(); plans.length > 0; plans = plane.claim())
        for (const plan of plans) {
          const { run_id, attempt, lease_token } = plan
          const isLoad = nameOf(plane, plan) === 'load'
          const rejects = Array.from({ length: rejected }, (_, n) => ({ step: 's', reason: 'no number', row: { n } }))
          if (isLoad) await plane.services.runs.callbacks.rejects(run_id, { attempt, lease_token, seq: 1, rejects })
          await plane.complete(plan, isLoad ? { status: 'completed', reject_count: rejected } : check)
        }
      return id
    }
    const told = async () => (await channels(plane.editor).deliveries(channel)).map(({ job_run_id }) => job_run_id)

    const clean = plane.start(job)
    await plane.drain()
    expect(plane.jobRun(clean).status).toBe('completed')
    expect(await told()).toEqual([])

    const rejecting = await run(12, { status: 'success' })
    expect(plane.jobRun(rejecting)).toMatchObject({ status: 'completed', error_message: null })
    expect(await told()).toEqual([rejecting])
    const sent = plane.platform.store.sqlite.prepare('SELECT news FROM notification_deliveries').pluck().all()
    expect(sent.map((news) => JSON.parse(String(news)) as object)).toMatchObject([
      { event: 'completed_with_rejects', rejects: [{ task_key: 'load', rejected: 12 }] },
    ])

    const failed = await run(3, { status: 'failed', error: { code: 'TARGET_FAILED', message: 'no', retryable: false } })
    expect(plane.jobRun(failed).status).toBe('failed')
    const again = await plane.editor.post(`/api/job-runs/${failed}/rerun`, { from: ['check'] })
    expect(again.status).toBe(200)
    await plane.drain()
    expect(await told()).toEqual([rejecting])
  })

  describe('as a message', async () => {
    const { server, hook, settled, create, switchOff, reset, close } = await startHookWorld()
    beforeEach(reset)
    afterAll(close)
    const ended = endOf({ status: 'completed', error_message: null, failed_task_keys: [], rejects })

    test('name each task with its number of rows in the body of a webhook', async () => {
      const channel = await create({ config: { url: hook.url }, on: ['completed_with_rejects'] })
      tell(server, ended)
      await settled()
      await switchOff(channel)
      expect(hook.bodies()).toMatchObject([{ event: 'completed_with_rejects', rejects }])
    })

    test.each(['slack', 'teams'] as const)('name each task with its number of rows in %s', async (format) => {
      const channel = await create({ config: { format }, secrets: { url: hook.url }, on: ['completed_with_rejects'] })
      tell(server, ended)
      await settled()
      await switchOff(channel)
      const text = JSON.stringify(hook.bodies())
      expect(text).toContain('nightly completed with rejects')
      expect(text).toContain(String.raw`load: 12 rows\ncheck: 1 row"`)
    })
  })
})
