import { expect, test } from 'vitest'
import { fullPool, jobRunLook } from '../../../src/renderer/features/job-runs/node-status.ts'

test('a job run none of whose tasks has begun looks queued', () => {
  expect(jobRunLook({ status: 'running', task_counts: { queued: 1, pending: 2, success: 0 } })).toBe('pending')
  expect(jobRunLook({ status: 'running', task_counts: { queued: 1, success: 1 } })).toBe('running')
  expect(jobRunLook({ status: 'running', task_counts: { pending: 1, running: 1 } })).toBe('running')
  expect(jobRunLook({ status: 'paused', task_counts: { queued: 1 } })).toBe('paused')
})

test('a queued job run waits for the pool that is full, else for an executor', () => {
  const waiting = { status: 'pending', reason: null, pool: 'night' } as const
  expect(fullPool([waiting, { status: 'queued', reason: 'pool', pool: 'night' }])).toBe('night')
  expect(fullPool([waiting, { status: 'queued', reason: null, pool: 'night' }])).toBeNull()
})
