import { expect, onTestFinished, test } from 'vitest'
import type { ServerMessage } from '../../../src/process/messages.ts'
import { createFailuresService } from '../../../src/server/features/failures/failures.service.ts'
import { createOwnerService } from '../../../src/server/features/owner/owner.service.ts'
import { systemClock } from '../../../src/server/platform/clock.ts'
import { createTestClock, openTestPlatform } from '../../support/platform.ts'

const now = '2026-03-01T08:00:00.000Z'

/** A real store with runs and job runs that nobody ran. */
async function world(clock = createTestClock(now)) {
  const { platform, close } = await openTestPlatform({ clock })
  onTestFinished(() => {
    platform.drain()
    close()
  })
  const { sqlite } = platform.store
  sqlite.pragma('foreign_keys = OFF')
  const insert = sqlite.prepare(
    `INSERT INTO runs (task_id, task_name, task_version, job_run_id, trigger_type, status, logical_date, ready_at, completed_at,
      created_at, updated_at) VALUES (?, ?, 1, ?, 'manual', ?, '', '', ?, ?, ?)`,
  )
  const names: string[] = []
  const taskOf = (name: string) => (names.includes(name) ? names.indexOf(name) : names.push(name) - 1)
  const run = (name: string, status: string, at = now, jobRun: number | null = null) =>
    void insert.run(taskOf(name), name, jobRun, status, at, at, at)
  let paused = false
  const owner = createOwnerService(platform, {
    isPaused: () => paused,
    failures: createFailuresService(platform),
  })
  return { platform, sqlite, run, owner, pause: (value: boolean) => void (paused = value) }
}

test('the pulse counts what runs and waits, and names what failed in the last day, each job and task once', async () => {
  const { sqlite, run, owner, pause } = await world()
  run('a', 'running')
  run('b', 'pending')
  run('c', 'pending')
  run('old', 'failed', '2026-02-28T07:59:59.000Z')
  run('of a job', 'failed', now, 1)
  for (const minute of [1, 2, 3, 4, 5]) run(`f${minute}`, 'failed', `2026-03-01T07:0${minute}:00.000Z`)
  // Told once, with its newest.
  for (const second of [1, 2, 3, 4, 5, 6]) run('f5', 'failed', `2026-03-01T07:05:0${second}.000Z`)
  sqlite
    .prepare(
      `INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, trigger_type, logical_date, parameters,
        connector_mapping, on_overlap, max_tasks, completed_at, created_at, updated_at)
       VALUES (1, 'nightly', 1, 1, 'failed', 'cron', '', '{}', '{}', 'skip', 1, '2026-03-01T07:04:30.000Z', '', '')`,
    )
    .run()
  sqlite.exec(`INSERT INTO triggers (job_id, type, cron_expression, timezone, enabled, misfire_policy, jitter_seconds, revision,
    next_fire_at, due_at, created_at, updated_at) VALUES (1, 'cron', '', '', 1, 'skip', 0, 1, '2026-03-01T09:00:00.000Z', '', '', '')`)
  expect(owner.pulse()).toEqual({
    running: 1,
    waiting: 2,
    scheduler_paused: false,
    next_fire_at: '2026-03-01T09:00:00.000Z',
    failures: [
      { title: 'f5', at: '2026-03-01T07:05:06.000Z', path: '/runs/16' },
      { title: 'nightly', at: '2026-03-01T07:04:30.000Z', path: '/job-runs/1' },
      { title: 'f4', at: '2026-03-01T07:04:00.000Z', path: '/runs/9' },
      { title: 'f3', at: '2026-03-01T07:03:00.000Z', path: '/runs/8' },
      { title: 'f2', at: '2026-03-01T07:02:00.000Z', path: '/runs/7' },
    ],
  })
  pause(true)
  expect(owner.pulse()).toMatchObject({ scheduler_paused: true, next_fire_at: null })
})

test('the owner hears of changes, together, and of nothing when nothing has changed', async () => {
  // Time passes here: two pulses are a second apart.
  const { platform, run, owner } = await world({ ...systemClock, advance: () => {} })
  const heard: ServerMessage[] = []
  owner.report((message) => heard.push(message))
  expect(heard).toMatchObject([{ event: 'pulse', running: 0 }])
  const change = (more: Record<string, unknown> = {}) =>
    platform.store.transaction(() => platform.events.append('run.changed', 1, { status: 'running', ...more }))
  run('a', 'running')
  run('b', 'running')
  change()
  change()
  await expect.poll(() => heard.length, { timeout: 60_000 }).toBe(2)
  expect(heard[1]).toMatchObject({ event: 'pulse', running: 2 })
  // The same numbers again: the next that is heard is the news.
  change()
  change({ status: 'failed', task_name: 'a', error_message: 'e', job_run_id: null })
  await expect.poll(() => heard.length).toBe(3)
  expect(heard[2]).toEqual({ event: 'notification', kind: 'failure', title: 'a', body: 'e', path: '/runs/1' })
})
