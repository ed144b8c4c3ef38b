import { describe, expect, test } from 'vitest'
import {
  type RunState,
  batchVerdict,
  endOfReport,
  endOfSilence,
  moves,
  retryDelay,
  standing,
  within,
} from '../../../src/server/features/runs/runs.rules.ts'

const running: RunState & { reject_count: number | null } = {
  status: 'running',
  attempt: 1,
  max_attempts: 1,
  retry_delay_ms: 1_000,
  retry_backoff: 2,
  lease_token: 'lease',
  cancel_requested: 0,
  committed_at: null,
  commit_permit: null,
  error_code: null,
  reject_count: null,
}
const withRetries = { ...running, max_attempts: 3 }
const asked = { ...withRetries, cancel_requested: 1 as const }
const failed = (retryable: boolean) => ({
  status: 'failed' as const,
  reject_count: 0,
  error: { code: 'X', message: 'It broke.', hint: 'Mend it.', retryable },
})

test('what has committed is never tried again, by a report or by silence', () => {
  const committed = { ...withRetries, committed_at: '2026-01-01T00:00:00.000Z' }
  for (const end of [endOfReport(committed, failed(true)), endOfSilence(committed, 'executor_lost', 'one')]) {
    expect(end).toMatchObject({ move: 'finish', status: 'failed' })
    expect(end.move === 'finish' && end.error?.message).toContain('are committed and stay')
  }
})

test('a worker that crashes twice in a row does not get the run a third time, whatever retries are left', () => {
  const crashed = (code: string) => ({ ...failed(true), error: { ...failed(true).error, code } })
  const again = { ...withRetries, attempt: 2, max_attempts: 9 }
  expect(endOfReport(withRetries, crashed('WORKER_CRASHED'))).toMatchObject({ move: 'try_again' })
  for (const before of ['WORKER_CRASHED', 'OUT_OF_MEMORY'])
    for (const now of ['WORKER_CRASHED', 'OUT_OF_MEMORY'])
      expect(endOfReport({ ...again, error_code: before }, crashed(now))).toMatchObject({
        move: 'finish',
        status: 'failed',
        error: { code: now, message: expect.stringContaining('the run is not retried') },
      })
  expect(endOfReport({ ...again, error_code: 'EXECUTOR_LOST' }, crashed('WORKER_CRASHED')).move).toBe('try_again')
  expect(endOfReport({ ...again, error_code: 'WORKER_CRASHED' }, crashed('CONNECTION_FAILED')).move).toBe('try_again')
})

test('the doubt whether an attempt has written its rows outlives the attempts after it, until one succeeds', () => {
  const again = { ...withRetries, attempt: 2, error_code: 'OUTCOME_UNKNOWN' }
  const ends = [
    endOfSilence({ ...again, attempt: 3 }, 'executor_lost', 'one'),
    endOfReport(again, failed(false)),
    endOfReport({ ...again, cancel_requested: 1 }, failed(true)),
    endOfSilence({ ...again, cancel_requested: 1 }, 'executor_lost', 'one'),
  ]
  for (const end of ends)
    expect(end).toMatchObject({
      move: 'finish',
      status: 'failed',
      error: { code: 'OUTCOME_UNKNOWN', message: /An earlier attempt may have written its rows/ },
    })
  expect(endOfReport(again, failed(true))).toMatchObject({ move: 'try_again', error: { code: 'OUTCOME_UNKNOWN' } })
  expect(endOfReport(again, { status: 'success', reject_count: 0 })).toMatchObject({ status: 'success', error: null })
})

describe('an attempt that was allowed to commit', () => {
  const once = { ...withRetries, commit_permit: 'once' as const }
  const repeatable = { ...withRetries, commit_permit: 'repeatable' as const }
  const silences = ['executor_lost', 'executor_gone', 'timeout', 'cancel_unanswered'] as const

  test('and of which nothing more is heard fails with an unknown outcome, also when it was to be cancelled', () => {
    for (const reason of silences)
      for (const run of [once, { ...once, cancel_requested: 1 as const }])
        expect(endOfSilence(run, reason, 'one')).toMatchObject({
          move: 'finish',
          status: 'failed',
          error: { code: 'OUTCOME_UNKNOWN' },
        })
  })

  test('is tried again where writing twice does no harm, unless it was to be cancelled', () => {
    for (const reason of ['executor_lost', 'executor_gone', 'timeout'] as const)
      expect(endOfSilence(repeatable, reason, 'one')).toMatchObject({ move: 'try_again' })
    const end = endOfSilence({ ...repeatable, cancel_requested: 1 }, 'executor_lost', 'one')
    expect(end).toMatchObject({ move: 'finish', status: 'failed', error: { code: 'OUTCOME_UNKNOWN' } })
  })

  test('ends as its executor says: what failed is tried again, what is unknown is not called cancelled', () => {
    expect(endOfReport(once, failed(true))).toMatchObject({ move: 'try_again' })
    const unknown = { ...failed(false), error: { ...failed(false).error, code: 'OUTCOME_UNKNOWN' } }
    expect(endOfReport({ ...once, cancel_requested: 1 }, unknown)).toMatchObject({
      move: 'finish',
      status: 'failed',
      error: { code: 'OUTCOME_UNKNOWN' },
    })
  })
})

describe('the table of moves', () => {
  test('never leads out of an ended status', () => {
    const from = new Set(Object.values(moves).map((move) => move.from))
    expect([...from].toSorted()).toEqual(['pending', 'running'])
  })
  test('reaches every status', () => {
    const reached = new Set<string>(Object.values(moves).flatMap((move) => [...move.to]))
    expect([...reached].toSorted()).toEqual(['cancelled', 'completed', 'failed', 'pending', 'running', 'success'])
  })
})

describe('the end that an executor reports', () => {
  test.each([
    ['success stays success', running, { status: 'success' }, { move: 'finish', status: 'success', error: null }],
    [
      'rejects make it completed',
      running,
      { status: 'completed' },
      { move: 'finish', status: 'completed', error: null },
    ],
    [
      'rejects of which some never arrived are a failure that is not tried again',
      { ...withRetries, reject_count: 2 },
      { status: 'completed', reject_count: 3 },
      { move: 'finish', status: 'failed', error: { code: 'REJECTS_LOST' } },
    ],
    [
      'more rejects than are kept need not arrive',
      { ...running, reject_count: 10_000 },
      { status: 'completed', reject_count: 50_000 },
      { move: 'finish', status: 'completed', error: null },
    ],
    ['success beats the wish to cancel', asked, { status: 'success' }, { move: 'finish', status: 'success' }],
    [
      'a failure after the wish to cancel is its fulfilment',
      asked,
      failed(true),
      { move: 'finish', status: 'cancelled' },
    ],
    ['cancelled as asked', asked, { status: 'cancelled' }, { move: 'finish', status: 'cancelled', error: null }],
    [
      'cancelled though nobody asked: the executor stopped',
      running,
      { status: 'cancelled' },
      { status: 'failed', error: { code: 'EXECUTOR_STOPPED' } },
    ],
    [
      'cancelled though nobody asked, with attempts left',
      withRetries,
      { status: 'cancelled' },
      { move: 'try_again', delay_ms: 1_000 },
    ],
    ['a failure that another try may mend', withRetries, failed(true), { move: 'try_again', delay_ms: 1_000 }],
    ['the last attempt', { ...withRetries, attempt: 3 }, failed(true), { move: 'finish', status: 'failed' }],
    [
      'a mistake of the task',
      withRetries,
      failed(false),
      { move: 'finish', status: 'failed', error: { message: 'It broke. Mend it.' } },
    ],
    [
      'a message without a full stop before its hint',
      running,
      {
        status: 'failed',
        error: { code: 'X', message: 'Table a has no key (id)', hint: 'Make one.', retryable: false },
      },
      { error: { message: 'Table a has no key (id). Make one.' } },
    ],
    [
      'a failure without reason',
      withRetries,
      { status: 'failed' },
      { move: 'finish', status: 'failed', error: { code: 'UNKNOWN' } },
    ],
  ] as const)('%s', (_what, run, report, verdict) => {
    expect(endOfReport(run, { reject_count: 0, ...report })).toMatchObject(verdict)
  })
})

describe('the end of an attempt that nobody reports', () => {
  test.each([
    ['a lost executor fails the run', running, 'executor_lost', { status: 'failed', error: { code: 'EXECUTOR_LOST' } }],
    ['or is tried again', withRetries, 'executor_lost', { move: 'try_again' }],
    ['an executor that ended', running, 'executor_gone', { status: 'failed', error: { code: 'EXECUTOR_LOST' } }],
    [
      'a time limit that the executor did not keep',
      running,
      'timeout',
      { status: 'failed', error: { code: 'TIMEOUT' } },
    ],
    ['a wish to cancel without answer', withRetries, 'cancel_unanswered', { move: 'finish', status: 'cancelled' }],
    ['a lost executor after the wish to cancel', asked, 'executor_lost', { move: 'finish', status: 'cancelled' }],
  ] as const)('%s', (_what, run, reason, verdict) => {
    expect(endOfSilence(run, reason, 'local')).toMatchObject(verdict)
  })
  test('names the executor', () => {
    expect(endOfSilence(running, 'executor_lost', 'berlin-1')).toMatchObject({
      error: { message: expect.stringContaining('berlin-1') as string },
    })
  })
})

test('delays grow by the factor and end at a day', () => {
  expect([1, 2, 3].map((attempt) => retryDelay(running, attempt))).toEqual([1_000, 2_000, 4_000])
  expect(retryDelay({ retry_delay_ms: 60_000, retry_backoff: 10 }, 50)).toBe(86_400_000)
  expect(retryDelay({ retry_delay_ms: 0, retry_backoff: 2 }, 5)).toBe(0)
})

describe('the weight of a callback', () => {
  const counted = { ...running, attempt: 2, log_seq: 4, reject_seq: 1 }
  const past = { lease_token: 'old', log_seq: 9, reject_seq: 3 }
  test.each([
    ['of the attempt under way', counted, undefined, { attempt: 2, lease_token: 'lease' }, { kind: 'current' }],
    ['with another lease', counted, undefined, { attempt: 2, lease_token: 'other' }, { kind: 'stale' }],
    ['of an attempt to come', counted, undefined, { attempt: 3, lease_token: 'lease' }, { kind: 'stale' }],
    [
      'of an attempt that its executor ended',
      counted,
      past,
      { attempt: 1, lease_token: 'old' },
      { kind: 'ended', log_seq: 9, reject_seq: 3 },
    ],
    [
      'of an attempt that was given up',
      counted,
      { ...past, lease_token: null },
      { attempt: 1, lease_token: 'old' },
      { kind: 'stale' },
    ],
    [
      'of a run that its executor ended',
      { ...counted, status: 'success' },
      undefined,
      { attempt: 2, lease_token: 'lease' },
      { kind: 'ended', log_seq: 4, reject_seq: 1 },
    ],
    [
      'of a run that was given up',
      { ...counted, status: 'failed', lease_token: null },
      undefined,
      { attempt: 2, lease_token: 'lease' },
      { kind: 'stale' },
    ],
    [
      'of a run that waits',
      { ...counted, status: 'pending', lease_token: null },
      undefined,
      { attempt: 2, lease_token: 'lease' },
      { kind: 'stale' },
    ],
  ] as const)('%s', (_what, run, before, given, verdict) => {
    expect(standing(run, before, given)).toEqual(verdict)
  })
})

test('batches are taken in turn, once, and not after the end', () => {
  const current = { kind: 'current' } as const
  const ended = { kind: 'ended', log_seq: 2, reject_seq: 0 } as const
  expect(batchVerdict(current, 2, 3)).toEqual({ kind: 'append' })
  expect(batchVerdict(current, 2, 2)).toEqual({ kind: 'repeat' })
  expect(batchVerdict(current, 2, 4)).toEqual({ kind: 'gap', expected: 3 })
  expect(batchVerdict(ended, 2, 1)).toEqual({ kind: 'repeat' })
  expect(batchVerdict(ended, 2, 3)).toEqual({ kind: 'gap', expected: 3 })
})

test('times of an executor are kept within what the server saw', () => {
  const early = '2026-03-01T10:00:00.000Z'
  const late = '2026-03-01T11:00:00.000Z'
  expect(within(early, '2026-03-01T10:30:00+00:00', late)).toBe('2026-03-01T10:30:00.000Z')
  expect(within(early, '2026-03-01T09:00:00.000Z', late)).toBe(early)
  expect(within(early, '2026-03-01T12:00:00.000Z', late)).toBe(late)
  expect(within(early, '2026-03-01T10:59:60Z', late)).toBe(early)
})
