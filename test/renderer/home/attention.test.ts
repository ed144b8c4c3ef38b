import { expect, test } from 'vitest'
import type { AttentionItem } from '../../../src/contract/attention.ts'
import { badgeOf, leadsTo } from '../../../src/renderer/features/home/attention.rules.ts'

const item = (more: Partial<AttentionItem>): AttentionItem => ({
  kind: 'failure',
  key: 'key',
  name: 'nightly',
  task_keys: [],
  message: null,
  message_params: null,
  status: null,
  since: '2026-03-01T00:00:00.000Z',
  count: 1,
  task_id: null,
  job_id: null,
  job_run_id: null,
  run_id: null,
  trigger_id: null,
  executor_id: null,
  start: null,
  ...more,
})

test('each item leads to where it is dealt with', () => {
  expect(leadsTo(item({ kind: 'gate', job_run_id: 3, task_keys: ['sign off'] }))).toBe('/job-runs/3?task=sign+off')
  expect(leadsTo(item({ kind: 'outcome', task_id: 7, run_id: 9 }))).toBe('/tasks/7/state')
  expect(leadsTo(item({ job_id: 1, job_run_id: 3 }))).toBe('/job-runs/3')
  expect(leadsTo(item({ task_id: 1, run_id: 9 }))).toBe('/runs/9')
  expect(leadsTo(item({ kind: 'missed', job_id: 4, trigger_id: 5 }))).toBe('/triggers?job_id=4')
  expect(leadsTo(item({ kind: 'executor', executor_id: 2 }))).toBe('/executors')
})

test('what needs someone says what it is: the run that failed has, whatever the newest one does', () => {
  expect(badgeOf(item({ status: 'running' }))).toEqual({ status: 'failed', word: null })
  expect(badgeOf(item({ kind: 'gate' }))).toEqual({ status: 'approval', word: null })
  expect(badgeOf(item({ kind: 'metric' }))).toEqual({ status: 'failed', word: 'metric' })
  const late = item({ kind: 'metric', message_params: { reason: 'metric_overdue' } })
  expect(badgeOf(late)).toEqual({ status: 'failed', word: 'overdue' })
  expect(badgeOf(item({ kind: 'missed' }))).toEqual({ status: 'completed', word: 'missed' })
})
