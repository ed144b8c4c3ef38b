import { runMessage } from '../../../src/contract/run-messages.ts'
import { describe, expect, test } from 'vitest'
import { jobRunStatuses } from '../../../src/contract/jobs.ts'
import { nodeStatuses } from '../../../src/contract/job-runs.ts'
import type { ForEach, RunIf } from '../../../src/language/job/job.types.ts'
import {
  type EndedNode,
  type ItemCounts,
  type NodeStanding,
  inTheWayOf,
  isOpen,
  jobRunEnding,
  mayBegin,
  moves,
  nodeEnd,
  nodeMoves,
  priorityOf,
  reopened,
  selectionOf,
  verdictOn,
} from '../../../src/server/features/job-runs/job-runs.rules.ts'

const standings = (states: Record<string, string>) =>
  new Map(
    Object.entries(states).map(([key, text]): [string, NodeStanding] => {
      const [status, reason = null] = text.split(' ')
      return [key, { status: nodeStatuses.find((known) => known === status)!, reason }]
    }),
  )

describe('a job run', () => {
  test('has no way out of completed and cancelled, and out of failed only by being resumed', () => {
    const from = (status: string) =>
      Object.entries(moves).flatMap(([name, move]) => ((move.from as readonly string[]).includes(status) ? [name] : []))
    expect(Object.fromEntries(jobRunStatuses.map((status) => [status, from(status)]))).toEqual({
      pending: ['begin', 'cancel'],
      running: ['pause', 'finish', 'cancel'],
      paused: ['resume', 'cancel'],
      completed: [],
      failed: ['resume'],
      cancelled: [],
    })
    expect(jobRunStatuses.filter(isOpen)).toEqual(['pending', 'running', 'paused'])
  })
})

describe('a node', () => {
  test('that is done never moves again', () => {
    for (const [name, { from }] of Object.entries(nodeMoves)) {
      expect([
        name,
        from.filter((status) => status === ('success' as string) || status === ('completed' as string)),
      ]).toEqual([name, []])
    }
  })

  const cases: [RunIf, string[], 'wait' | 'go' | 'skip'][] = [
    ['all_success', [], 'go'],
    ['all_success', ['success', 'completed'], 'go'],
    ['all_success', ['success', 'skipped'], 'skip'],
    ['all_success', ['failed', 'running'], 'wait'],
    ['all_success', ['failed', 'paused'], 'wait'],
    ['none_failed', ['success', 'skipped'], 'go'],
    ['none_failed', ['success', 'cancelled'], 'skip'],
    ['none_failed', [], 'go'],
    ['all_done', ['failed', 'cancelled', 'skipped'], 'go'],
    ['all_done', ['failed', 'queued'], 'wait'],
    ['any_failed', ['success', 'failed'], 'go'],
    ['any_failed', ['cancelled'], 'go'],
    ['any_failed', ['success', 'skipped'], 'skip'],
    ['any_failed', [], 'skip'],
    // Those that were not selected do not count.
    ['all_success', ['skipped not_selected', 'success'], 'go'],
    ['any_failed', ['skipped not_selected'], 'skip'],
  ]
  test.each(cases)('%s over %j: %s', (run_if, states, verdict) => {
    const depends_on = states.map((_, index) => `d${index}`)
    const all = standings(Object.fromEntries(states.map((state, index) => [`d${index}`, state])))
    expect(verdictOn({ depends_on, run_if }, all)).toBe(verdict)
  })
})

describe('the end of a node', () => {
  const none = { n_queued: 0, n_active: 0, n_success: 0, n_completed: 0, n_failed: 0, n_cancelled: 0, n_skipped: 0 }
  const fan = (on_item_error: ForEach['on_item_error']): ForEach => ({
    in: [],
    as: 'x',
    max_parallel: 8,
    on_item_error,
  })
  const cases: [ForEach['on_item_error'], Partial<ItemCounts>, string | null][] = [
    ['fail', { n_success: 3, n_queued: 1 }, null],
    ['fail', { n_success: 3, n_active: 1 }, null],
    ['fail', { n_success: 3 }, 'success'],
    ['fail', { n_success: 2, n_completed: 1 }, 'completed'],
    ['fail', { n_success: 2, n_failed: 1 }, 'failed'],
    ['fail', { n_success: 1, n_failed: 1, n_skipped: 5 }, 'failed'],
    ['fail', { n_success: 1, n_cancelled: 1, n_skipped: 5 }, 'cancelled'],
    ['continue', { n_success: 1, n_failed: 2 }, 'completed'],
    ['continue', { n_success: 1, n_cancelled: 2 }, 'completed'],
    ['continue', { n_failed: 2, n_cancelled: 1 }, 'failed'],
    ['continue', { n_cancelled: 2 }, 'cancelled'],
    ['continue', { n_success: 1, n_failed: 1, n_skipped: 1 }, 'failed'],
    // Stopped on its way.
    ['continue', { n_success: 4, n_skipped: 1 }, 'cancelled stopped'],
    ['fail', { n_skipped: 2 }, 'skipped stopped'],
  ]
  test.each(cases)('on_item_error %s with %j: %s', (on_item_error, counts, expected) => {
    const end = nodeEnd({ ...none, ...counts }, fan(on_item_error))
    expect(end && [end.status, end.reason].filter(Boolean).join(' ')).toBe(expected)
  })
})

describe('the end of a job run', () => {
  const node = (task_key: string, status: EndedNode['status'], more: Partial<EndedNode> = {}): EndedNode => ({
    task_key,
    status,
    kind: 'task',
    reason: null,
    error_message: null,
    error_params: null,
    ...more,
  })
  const plain = { cancel_requested: 0, stop_reason: null, error_params: null } as const
  test('is a success only when every task run was', () => {
    const fail = () => 'fail' as const
    expect(jobRunEnding(plain, [node('a', 'success'), node('b', 'skipped')], fail)).toMatchObject({
      status: 'completed',
      success: true,
    })
    expect(jobRunEnding(plain, [node('a', 'completed')], fail)).toMatchObject({ status: 'completed', success: false })
    expect(jobRunEnding(plain, [node('a', 'failed')], () => 'continue')).toMatchObject({
      status: 'completed',
      success: false,
    })
  })
  test('names the first task that failed and how many more did', () => {
    const nodes = [node('a', 'failed', { error_message: 'No disk' }), node('b', 'cancelled'), node('c', 'failed')]
    expect(jobRunEnding(plain, nodes, () => 'fail')).toMatchObject({
      status: 'failed',
      error: {
        message: 'Task a failed: No disk. 2 more failed or were canceled.',
        params: JSON.stringify({
          reason: 'task_failed_with',
          task: 'a',
          cause: 'No disk',
          fix: [runMessage('more_failed', { count: 2 })],
        }),
      },
    })
    expect(jobRunEnding(plain, [node('g', 'failed', { kind: 'gate' })], () => 'continue')).toMatchObject({
      status: 'failed',
      error: { message: 'Gate g was rejected.' },
    })
  })
  test('is cancelled when that was asked for, whatever became of its tasks', () => {
    const run = { cancel_requested: 1, stop_reason: 'x', error_params: null } as const
    expect(jobRunEnding(run, [node('a', 'failed')], () => 'fail').status).toBe('cancelled')
  })
})

describe('resuming', () => {
  const order = [
    { key: 'a', depends_on: [] },
    { key: 'b', depends_on: ['a'] },
    { key: 'c', depends_on: ['b'] },
    { key: 'alert', depends_on: ['b'] },
    { key: 'd', depends_on: ['alert'] },
  ]
  const again = (states: Record<string, string>) =>
    Object.fromEntries([...reopened(order, standings(states))].map(([key, { fresh }]) => [key, fresh]))
  test('does again what failed and what was skipped behind it; what is done stays', () => {
    expect(again({ a: 'success', b: 'failed', c: 'skipped upstream', alert: 'success', d: 'failed' })).toEqual({
      b: false,
      c: true,
      // Behind something that is done, but its own doing came of it before.
      d: true,
    })
  })
  test('leaves alone what was skipped for a reason of its own, and what was not selected', () => {
    expect(
      again({ a: 'skipped when', b: 'skipped upstream', c: 'failed', alert: 'skipped not_selected', d: 'success' }),
    ).toEqual({
      c: false,
    })
  })
  test('begins what was stopped', () => {
    expect(
      again({
        a: 'failed',
        b: 'skipped stopped',
        c: 'skipped stopped',
        alert: 'skipped stopped',
        d: 'skipped stopped',
      }),
    ).toEqual({
      a: false,
      b: true,
      c: true,
      alert: true,
      d: true,
    })
  })
})

test('a selection takes everything upstream along unless it is to go without', () => {
  const nodes = new Map([
    ['a', { depends_on: [] }],
    ['b', { depends_on: ['a'] }],
    ['c', { depends_on: ['b', 'x'] }],
    ['x', { depends_on: [] }],
  ])
  expect(selectionOf(nodes, null, false)).toBeNull()
  expect([...selectionOf(nodes, ['b'], false)!].toSorted()).toEqual(['a', 'b'])
  expect([...selectionOf(nodes, ['c'], true)!]).toEqual(['c'])
})

describe('earlier job runs', () => {
  const run = (id: number, backfill_id: string | null = null, status: (typeof jobRunStatuses)[number] = 'running') => ({
    id,
    backfill_id,
    status,
  })
  const waiting = (id: number, backfill_id: string | null = null, backfill_parallel: number | null = null) => ({
    id,
    backfill_id,
    backfill_parallel,
  })
  test('are waited for, but for those of the same backfill, of which some go at once', () => {
    expect(mayBegin(waiting(5), [])).toBe(true)
    expect(mayBegin(waiting(5), [run(9)])).toBe(true)
    expect(mayBegin(waiting(5), [run(4)])).toBe(false)
    expect(mayBegin(waiting(5, 'b', 2), [run(4, 'b')])).toBe(true)
    expect(mayBegin(waiting(5, 'b', 2), [run(3, 'b'), run(4, 'b', 'paused')])).toBe(false)
    expect(mayBegin(waiting(5, 'b', 2), [run(4, 'b', 'pending')])).toBe(false)
    expect(mayBegin(waiting(5, 'b', 2), [run(4, 'c')])).toBe(false)
  })
  test('and later ones keep one that failed from going on', () => {
    expect(inTheWayOf(waiting(5), [run(9)])).toMatchObject({ id: 9 })
    expect(inTheWayOf(waiting(5), [])).toBeNull()
    expect(inTheWayOf(waiting(5, 'b', 2), [run(6, 'b'), run(7, 'b', 'pending')])).toBeNull()
    expect(inTheWayOf(waiting(5, 'b', 1), [run(6, 'b'), run(7, 'b', 'pending')])).toMatchObject({ id: 6 })
  })
})

test('a task’s own priority counts more than that of its job run', () => {
  expect([priorityOf(0, 3), priorityOf(-2, 3), priorityOf(0, 0)]).toEqual([3, -2, 0])
})
