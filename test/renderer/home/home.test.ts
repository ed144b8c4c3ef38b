import { expect, test } from 'vitest'
import type { Executor } from '../../../src/contract/executors.ts'
import { connectedSince, keyStateOf, newKey } from '../../../src/renderer/features/executors/add-executor.rules.ts'
import { isGone, labelsText, listed, sortExecutors } from '../../../src/renderer/features/executors/executors.rules.ts'
import { hoursAgo } from '../../../src/renderer/features/home/hours-ago.ts'
import {
  barHeights,
  lookOf,
  successOf,
  unfinishedSince,
} from '../../../src/renderer/features/recent-runs/recent-runs.rules.ts'
import { expiryOf, isPast } from '../../../src/renderer/features/api-keys/key-expiry.ts'
import { paths } from '../../../src/renderer/paths.ts'

test('bars grow by the logarithm and never vanish', () => {
  const [none = 0, short = 0, long = 0] = barHeights([
    { status: 'cancelled', duration_ms: null },
    { status: 'success', duration_ms: 10 },
    { status: 'failed', duration_ms: 100_000 },
  ])
  expect(none).toBe(0.08)
  expect(long).toBe(1)
  expect(short).toBeGreaterThan(0.15)
  expect(barHeights([{ status: 'cancelled', duration_ms: null }])).toEqual([0.08])
})

test('a run that has not ended says since when it is as it is', () => {
  const times = { created_at: 'created', started_at: 'started', updated_at: 'updated' }
  expect(unfinishedSince({ ...times, status: 'pending', started_at: null })).toBe('created')
  expect(unfinishedSince({ ...times, status: 'running' })).toBe('started')
  expect(unfinishedSince({ ...times, status: 'paused' })).toBe('updated')
  expect(lookOf({ status: 'paused', pause_reason: 'gate' })).toBe('approval')
  expect(lookOf({ status: 'paused', pause_reason: 'asked' })).toBe('paused')
})

test('a run that has not ended is as high as the bars are', () => {
  expect(
    barHeights([
      { status: 'running', duration_ms: null },
      { status: 'success', duration_ms: 10 },
      { status: 'paused', duration_ms: null },
      { status: 'success', duration_ms: 0 },
    ]),
  ).toEqual([1, 1, 1, 0.08])
})

test('the window of a count stays the same for an hour, so that it is asked for once', () => {
  const early = hoursAgo(24, new Date('2026-03-02T08:01:00.000Z'))
  expect(early).toBe('2026-03-01T08:00:00.000Z')
  expect(hoursAgo(24, new Date('2026-03-02T08:59:59.999Z'))).toBe(early)
})

test('executors that work come first, those that are gone last', () => {
  const base = {
    version: '1',
    labels: {},
    slots: 1,
    busy: 0,
    run_ids: [],
    load: [],
    answering: true,
    last_heartbeat_at: null,
    address: null,
    created_at: '',
    updated_at: null,
  }
  const executor = (id: number, name: string, status: 'online' | 'draining' | 'lost' | 'offline') => ({
    ...base,
    id,
    name,
    status,
  })
  const sorted = sortExecutors([
    executor(1, 'b', 'offline'),
    executor(2, 'b', 'online'),
    executor(3, 'a', 'online'),
    executor(4, 'c', 'lost'),
  ])
  expect(sorted.map(({ id }) => id)).toEqual([3, 2, 4, 1])
  const now = Date.parse('2026-03-02T08:00:00.000Z')
  expect(sorted.filter((one) => isGone(one, now)).map(({ id }) => id)).toEqual([1])
  const lost = (last_heartbeat_at: string) => isGone({ ...executor(5, 'd', 'lost'), last_heartbeat_at }, now)
  expect([lost('2026-03-02T07:00:00.000Z'), lost('2026-03-01T07:00:00.000Z')]).toEqual([false, true])
})

test('labels read as written', () => {
  expect(labelsText({ region: 'eu', gpu: true, cores: 8 })).toBe('region=eu gpu cores=8')
})

test('a key’s end is counted from now, and never is no end', () => {
  const now = new Date('2026-03-01T08:30:00.000Z')
  expect(expiryOf('week', now)).toBe('2026-03-08T08:30:00.000Z')
  expect(expiryOf('never', now)).toBeUndefined()
  expect(isPast('2026-03-01T08:30:00.000Z', now)).toBe(true)
  expect(isPast(null, now)).toBe(false)
})

test('addresses leave out what is not set', () => {
  expect(paths.runs({ status: 'failed', from: undefined })).toBe('/runs?status=failed')
  expect(paths.run(4, { line: 12 })).toBe('/runs/4?line=12')
  expect(paths.connectorResources(3, { resource: 'a b.csv' })).toBe('/connectors/3/resources?resource=a+b.csv')
})

test('canceled runs and those under way say nothing of how many succeed', () => {
  const runs = ['success', 'completed', 'failed', 'cancelled', 'running'] as const
  expect(successOf(runs.map((status) => ({ status })))).toEqual({ succeeded: 2, ended: 3 })
})

test('executors are found by name, label, address and version; those that are gone only where asked for', () => {
  const one = (id: number, name: string, more: Partial<Executor> = {}): Executor => ({
    id,
    name,
    version: '1.2.0',
    status: 'online',
    answering: true,
    labels: {},
    slots: 2,
    busy: 0,
    run_ids: [],
    load: [],
    last_heartbeat_at: null,
    address: null,
    created_at: '',
    updated_at: null,
    ...more,
  })
  const all = [
    one(1, 'west', { labels: { region: 'eu' } }),
    one(2, 'east', { busy: 2, address: '10.0.0.7' }),
    one(3, 'old', { status: 'offline' }),
  ]
  const names = (wanted: Partial<Parameters<typeof listed>[1]>) =>
    listed(all, { q: '', status: undefined, gone: false, sort: undefined, now: 0, ...wanted }).map(({ name }) => name)
  expect(names({})).toEqual(['east', 'west'])
  expect(names({ gone: true })).toEqual(['east', 'west', 'old'])
  expect(names({ status: ['offline'] })).toEqual(['old'])
  expect(names({ q: 'REGION=EU' })).toEqual(['west'])
  expect(names({ q: '10.0' })).toEqual(['east'])
  expect(names({ sort: { id: 'busy', order: 'asc' } })).toEqual(['west', 'east'])
  expect(names({ gone: true, sort: { id: 'status', order: 'asc' } })).toEqual(['east', 'west', 'old'])
  expect(names({ gone: true, sort: { id: 'status', order: 'desc' } })).toEqual(['old', 'east', 'west'])
})

const executor = (name: string, status: 'online' | 'offline') =>
  ({ id: 1, name, status }) as Parameters<typeof connectedSince>[0][number]

test('an executor counts as connected once it is online and wasn’t before', () => {
  const before = [executor('local', 'online'), executor('second', 'offline')]
  expect(connectedSince(before, before)).toEqual([])
  const now = [executor('local', 'online'), executor('second', 'online'), executor('third', 'online')]
  expect(connectedSince(before, now).map(({ name }) => name)).toEqual(['second', 'third'])
})

test('an executor key is one that was set, is used after a restart, or random', () => {
  const state = (of: object) =>
    keyStateOf({ settings: [{ key: 'executors.key', source: 'default', restart_pending: false, ...of }] } as Parameters<
      typeof keyStateOf
    >[0])
  expect(state({})).toBe('random')
  expect(state({ source: 'environment' })).toBe('set')
  expect(state({ source: 'store', restart_pending: true })).toBe('pending')
  expect(keyStateOf(undefined)).toBeNull()
})

test('a generated executor key is long, new each time, and plain in every terminal', () => {
  const keys = new Set(Array.from({ length: 50 }, newKey))
  expect(keys.size).toBe(50)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{48}$/)
})
