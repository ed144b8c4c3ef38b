import { expect, test } from 'vitest'
import { fullPool, jobRunLook } from '../../../src/renderer/features/job-runs/node-status.ts'

const lookOf = (run: Partial<Parameters<typeof jobRunLook>[0]>) =>
  jobRunLook({ status: 'running', task_counts: {}, pause_reason: null, ...run })

test('a job run none of whose tasks has begun looks queued', () => {
  expect(lookOf({ status: 'running', task_counts: { queued: 1, pending: 2, success: 0 } })).toBe('pending')
  expect(lookOf({ status: 'running', task_counts: { queued: 1, success: 1 } })).toBe('running')
  expect(lookOf({ status: 'running', task_counts: { pending: 1, running: 1 } })).toBe('running')
  expect(lookOf({ status: 'paused', task_counts: { queued: 1 } })).toBe('paused')
})

test('a job run that is paused by its gates waits for approval, one that was asked to is paused', () => {
  expect(lookOf({ status: 'paused', pause_reason: 'gate' })).toBe('approval')
  expect(lookOf({ status: 'paused', pause_reason: 'asked' })).toBe('paused')
  expect(lookOf({ status: 'running', task_counts: { paused: 1, running: 1 } })).toBe('running')
})

test('a queued job run waits for the pool that is full, else for an executor', () => {
  const waiting = { status: 'pending', reason: null, pool: 'night' } as const
  expect(fullPool([waiting, { status: 'queued', reason: 'pool', pool: 'night' }])).toBe('night')
  expect(fullPool([waiting, { status: 'queued', reason: null, pool: 'night' }])).toBeNull()
})
