import { describe, expect, test } from 'vitest'
import type { RunStep } from '../../../src/contract/runs.ts'
import { durationText, endingOf, endingWithoutOutcome } from '../../../src/executor/control/run-ending.ts'
import type { AbortReason, RunOutcome } from '../../../src/executor/worker-protocol.ts'

const step = (key: string, status: RunStep['status']): RunStep => ({
  index: 0,
  key,
  label: key,
  status,
  rows_in: null,
  rows_out: null,
  rows_rejected: null,
  bytes: null,
  started_at: null,
  duration_ms: null,
  columns: [],
})
const outcome = (change: Partial<RunOutcome>): RunOutcome => ({
  status: 'success',
  item_count: 3,
  reject_count: 1,
  steps: [],
  metrics: { rows_in: 4, rows_out: 3, rejected: 1, lane: 'columnar' },
  ...change,
})
const failure = { code: 'QUERY_FAILED', message: 'interrupted', retryable: true }
const during = (stopped: AbortReason | null, steps: RunStep[] = []) => ({
  stopped,
  timeoutMs: 90_000,
  steps,
  permit: null,
  committed: null,
})
const steps = [step('source', 'success'), step('filter', 'running'), step('target', 'pending')]

describe('a worker that gave an outcome', () => {
  test('is told as it is', () => {
    const { completion, line } = endingOf(outcome({ outputs: { rows: 3 } }), during(null))
    expect(completion).toMatchObject({ status: 'success', item_count: 3, reject_count: 1, outputs: { rows: 3 } })
    expect(line).toBeNull()
  })

  test.each(['cancelled', 'timeout', 'shutdown'] as const)(
    'has succeeded also when it was to stop (%s): the data are written',
    (reason) => {
      for (const status of ['success', 'completed'] as const) {
        expect(endingOf(outcome({ status }), during(reason)).completion.status).toBe(status)
      }
    },
  )

  test.each([
    ['cancelled', 'cancelled', undefined],
    ['timeout', 'failed', 'TIMEOUT'],
    ['shutdown', 'failed', 'EXECUTOR_SHUTDOWN'],
  ] as const)('and failed because it was stopped (%s) is told by the reason', (reason, status, code) => {
    const { completion, line } = endingOf(outcome({ status: 'failed', error: failure, steps }), during(reason))
    expect(completion.status).toBe(status)
    expect(completion.error?.code).toBe(code)
    expect(line).not.toBeNull()
  })

  test.each([
    ['cancelled', 'cancelled', undefined],
    ['timeout', 'failed', 'filter'],
  ] as const)('shows the step at which it was stopped (%s) as %s', (reason, status, named) => {
    const interrupted = [step('source', 'success'), step('filter', 'failed'), step('target', 'skipped')]
    for (const told of [steps, interrupted]) {
      const { completion } = endingOf(outcome({ status: 'failed', error: failure, steps: told }), during(reason))
      expect(completion.steps.map((one) => one.status)).toEqual(['success', status, 'skipped'])
      expect(completion.error?.step).toBe(named)
    }
  })

  test('without steps is told with those that it had spoken of', () => {
    expect(endingOf(outcome({ status: 'failed', error: failure }), during(null, steps)).completion.steps).toEqual(steps)
  })
})

describe('a worker that gave none', () => {
  test.each([
    [{ code: 3, signal: null }, 'ended with exit code 3'],
    [{ code: null, signal: 'SIGSEGV' }, 'was ended by signal SIGSEGV'],
    [
      { code: null, signal: null, error: new Error('no memory') },
      'No worker process could be started for the run: no memory',
    ],
  ])('crashed: %o', (exit, message) => {
    const { completion, line } = endingWithoutOutcome(exit, during(null, steps))
    expect(completion.error).toMatchObject({ code: 'WORKER_CRASHED', step: 'filter', retryable: true })
    expect(completion.error?.message).toContain(message)
    expect(completion.steps.map(({ status }) => status)).toEqual(['success', 'failed', 'skipped'])
    expect(line).toEqual({ level: 'error', message: completion.error?.message })
  })

  test('because we killed it is told by why it was to stop', () => {
    const killed = { code: null, signal: 'SIGKILL' }
    expect(endingWithoutOutcome(killed, during('timeout')).completion.error).toMatchObject({
      code: 'TIMEOUT',
      message: 'The run took longer than its limit of 90 s and was stopped',
    })
    expect(endingWithoutOutcome(killed, during('cancelled')).completion.status).toBe('cancelled')
  })
})

test('durationText takes the largest unit that is exact', () => {
  expect([250, 1_000, 90_000, 120_000, 7_200_000, 7_260_000].map(durationText)).toEqual([
    '250 ms',
    '1 s',
    '90 s',
    '2 min',
    '2 h',
    '121 min',
  ])
})
