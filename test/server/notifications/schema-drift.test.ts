import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { eventsOfEnd } from '../../../src/server/features/notifications/notifications.rules.ts'
import { jobPlane } from '../job-runs/job-plane.ts'
import { startHookWorld } from './hook-world.ts'
import { channels, endOf, tell } from './notification-world.ts'

const drift = [
  { column: 'amount', there: 'integer', coming: 'text', outcome: 'recreated' as const },
  { column: 'note', there: 'text', coming: null, outcome: 'not_written' as const },
]

describe('schema drift', () => {
  test('that a run of a job reports is told when the job run ends, failed or not, and columns that nothing was done about are not', async () => {
    const plane = await jobPlane()
    const channel = await channels(plane.editor).create({ type: 'desktop', on: ['schema_drift'] })
    const job = await plane.job('  load: {task: work, args: {value: x}, connectors: {out: dir}}')
    const steps = (found: object[]) => [
      {
        index: 0,
        key: 'target',
        label: 't',
        status: 'success',
        rows_in: 1,
        rows_out: 1,
        rows_rejected: 0,
        bytes: null,
        started_at: null,
        duration_ms: 1,
        columns: [],
        drift: found,
      },
    ]
    const told = async () =>
      (await channels(plane.editor).deliveries(channel)).map(({ event, job_run_id }) => `${event} ${job_run_id}`)
    const quiet = plane.start(job)
    await plane.drain(() => ({ steps: steps(drift.slice(1)) }))
    expect(plane.jobRun(quiet).status).toBe('completed')
    expect(await told()).toEqual([])
    const drifted = plane.start(job)
    await plane.drain(() => ({ steps: steps(drift) }))
    expect(await told()).toEqual([`schema_drift ${drifted}`])
    const failed = plane.start(job)
    for (const plan of plane.claim())
      await plane.complete(plan, {
        status: 'failed',
        steps: steps([{ ...drift[0], outcome: 'refused' }]),
        error: { code: 'SCHEMA_MISMATCH', message: 'no', retryable: false },
      })
    expect(plane.jobRun(failed).status).toBe('failed')
    expect(await told()).toEqual([`schema_drift ${drifted}`, `schema_drift ${failed}`])
  })

  test.each([
    ['added', null, 'text', true],
    ['widened', 'integer', 'text', true],
    ['recreated', 'integer', 'date', true],
    ['refused', 'integer', 'date', true],
    ['left_out', null, 'text', false],
    ['not_written', 'text', null, false],
  ] as const)(
    'a column that was %s is told only if the table became another one, or would have had to',
    (outcome, there, coming, isTold) => {
      const columns = [{ column: 'amount', there, coming, outcome }]
      const events = eventsOfEnd(endOf({ status: 'completed', drift: [{ task_key: 'load', drift: columns }] }))
      expect(events.includes('schema_drift')).toBe(isTold)
    },
  )

  describe('as a webhook', async () => {
    const { server, hook, settled, create, reset, close } = await startHookWorld()
    beforeEach(reset)
    afterAll(close)
    test('names task, column, and both types', async () => {
      await create({ config: { url: hook.url }, on: ['schema_drift'] })
      tell(
        server,
        endOf({ status: 'completed', error_message: null, failed_task_keys: [], drift: [{ task_key: 'load', drift }] }),
      )
      await settled()
      expect(hook.bodies()).toMatchObject([
        {
          event: 'schema_drift',
          schema_drift: [
            { task_key: 'load', column: 'amount', there: 'integer', coming: 'text', outcome: 'recreated' },
          ],
        },
      ])
    })
  })
})
