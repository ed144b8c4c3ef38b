import { expect, test } from 'vitest'
import { currentCount, signInNets, waitSeconds } from '../../../src/server/features/auth/throttle.rules.ts'

const net = signInNets.pair
const full = (window_started_at: string) => ({ failures: net.limit, window_started_at })
const now = new Date('2026-03-01T08:00:00.000Z')
const wait = (window_started_at: string) => waitSeconds(currentCount(full(window_started_at), net, now), net, now)

test('failures close an account until their window is over', () => {
  expect(wait('2026-03-01T07:50:00.000Z')).toBe(300)
  expect(wait('2026-03-01T07:45:00.000Z')).toBe(0)
})

test('what a clock that was far ahead has counted closes nothing once it is right; a little ahead it still does', () => {
  expect(wait('2027-03-01T08:00:00.000Z')).toBe(0)
  expect(wait('2026-03-01T08:00:05.000Z')).toBe(905)
})
