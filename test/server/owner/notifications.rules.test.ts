import { expect, test } from 'vitest'
import type { ServerEvent } from '../../../src/contract/events.ts'
import { createAnnounced, notificationsOf } from '../../../src/server/features/owner/notifications.rules.ts'

let id = 0
const event = (type: ServerEvent['type'], entity_id: number, data: Record<string, unknown>): ServerEvent => ({
  id: ++id,
  type,
  at: '2026-03-01T08:00:00.000Z',
  entity_id,
  data,
})
const failedRun = (entity_id: number, job_run_id: number | null = null) =>
  event('run.changed', entity_id, { status: 'failed', task_name: 'load', error_message: 'no disk', job_run_id })
const jobRun = (entity_id: number, status: string) =>
  event('job_run.changed', entity_id, { status, job_name: 'nightly', error_message: 'load failed' })
const de = { title: 'Job nightly ist fehlgeschlagen', body: 'b' }
const channel = (path: unknown) =>
  event('notification.desktop', 1, {
    title: 'Job nightly failed',
    body: 'b',
    translations: { de },
    path,
    event: 'failed',
  })

test('a run that failed is told once, with its name, its error and its page', () => {
  const told = createAnnounced()
  const news = { kind: 'failure', title: 'load', body: 'no disk', path: '/runs/7' }
  expect(notificationsOf([failedRun(7)], told)).toEqual([news])
  expect(notificationsOf([failedRun(7)], told)).toEqual([])
  expect(notificationsOf([event('run.changed', 8, { status: 'success', job_run_id: null })], told)).toEqual([])
})

test('a job run that failed is one piece of news, and none of its runs is', () => {
  const told = createAnnounced()
  const batch = [failedRun(7, 3), failedRun(8, 3), jobRun(3, 'failed')]
  expect(notificationsOf(batch, told)).toEqual([
    { kind: 'failure', title: 'nightly', body: 'load failed', path: '/job-runs/3' },
  ])
  expect(notificationsOf([jobRun(3, 'failed')], told)).toEqual([])
  expect(notificationsOf([jobRun(3, 'running')], told)).toEqual([])
  expect(notificationsOf([jobRun(3, 'failed')], told)).toHaveLength(1)
})

test('what a channel tells of a failure is not told twice; a path that leaves the app leads home', () => {
  const told = createAnnounced()
  expect(notificationsOf([jobRun(3, 'failed'), channel('/job-runs/3')], told)).toEqual([
    { kind: 'channel', title: 'Job nightly failed', body: 'b', translations: { de }, path: '/job-runs/3' },
  ])
  expect(notificationsOf([channel('//evil.example')], told)[0]?.path).toBe('/')
  expect(notificationsOf([channel(3)], told)[0]?.path).toBe('/')
})

test('long errors are shortened, and only so many failures are remembered', () => {
  const told = createAnnounced(2)
  const long = { status: 'failed', task_name: 't', error_message: '😀'.repeat(1_000), job_run_id: null }
  const body = notificationsOf([event('run.changed', 1, long)], told)[0]!.body
  expect(body.length).toBeLessThanOrEqual(400)
  expect(body.isWellFormed()).toBe(true)
  for (const run of [2, 3]) notificationsOf([failedRun(run)], told)
  expect(notificationsOf([failedRun(3)], told)).toEqual([])
  expect(notificationsOf([failedRun(1)], told)).toHaveLength(1)
})
