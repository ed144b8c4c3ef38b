import { expect, test } from 'vitest'
import { createLeases } from '../../../src/server/features/executors/leases.ts'
import { createTestClock } from '../../support/platform.ts'

const times = { executorMs: 30_000, heartbeatMs: 5_000 }
const attempt = { run_id: 1, attempt: 1, executor_id: 7, timeout_ms: null, cancel_requested: false }
function world() {
  const clock = createTestClock()
  const leases = createLeases(clock, times)
  leases.renew(7)
  leases.hold(attempt, { fresh: true })
  leases.confirm(attempt)
  /** Seconds in which this process is awake. */
  const pass = (seconds: number) => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      const verdicts = leases.sweep()
      if (verdicts.length > 0) return verdicts
    }
    return []
  }
  return { clock, leases, pass }
}

test('after a sleep everybody has a whole lease, on clocks that stood still meanwhile', () => {
  const { leases, pass } = world()
  expect(pass(29)).toEqual([])
  leases.afterSleep()
  expect(pass(29)).toEqual([])
  expect(pass(1)).toEqual([{ kind: 'lost', executor_id: 7 }])
})

test('and on clocks that went on: the night is forgiven once, and not once more by the sweep after it', () => {
  const { clock, leases, pass } = world()
  expect(pass(29)).toEqual([])
  clock.advance(8 * 3_600_000)
  leases.afterSleep()
  expect(pass(29)).toEqual([])
  expect(pass(2)).toEqual([{ kind: 'lost', executor_id: 7 }])
})

test('a run that an executor no longer lists is not given up for what it could not say while it slept', () => {
  const { leases, pass } = world()
  leases.reconcile(7, [])
  leases.reconcile(7, [])
  expect(pass(20)).toEqual([])
  leases.afterSleep()
  leases.renew(7)
  leases.reconcile(7, [attempt])
  expect(pass(25)).toEqual([])
})

test('an executor that has missed two heartbeats is silent until it is heard of, long before its lease ends', () => {
  const { leases, pass } = world()
  pass(11)
  expect(leases.silent()).toEqual([])
  pass(1)
  expect(leases.silent()).toEqual([7])
  leases.renew(7)
  expect(leases.silent()).toEqual([])
})
