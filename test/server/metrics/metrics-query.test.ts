// Queries against runs that are looked through one by one, in zones of every kind.
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type MetricResult,
  metricBuckets,
  mostBuckets,
  mostSeries,
  queryMetrics,
} from '../../../src/contract/metrics.ts'
import type { BodyOf } from '../../../src/contract/operation.ts'
import { edgesOf } from '../../../src/server/features/metrics/buckets.rules.ts'
import { createRollupsStore } from '../../../src/server/features/metrics/rollups.store.ts'
import { zoneOf } from '../../../src/server/platform/zones.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { insertRuns } from '../../bench/support/million-runs.ts'
import { type LedgerRun, endedRuns } from './naive-rollups.ts'

let server: TestServer
let viewer: TestClient
let ledger: LedgerRun[]
const until = Date.parse('2026-04-20T11:11:11.000Z')
beforeAll(async () => {
  server = await startTestServer()
  viewer = server.as('viewer')
  const { sqlite } = server.platform.store
  // From 21 December 2025: with the ends of summer and winter time on both sides of the globe.
  insertRuns(sqlite, 6_000, until)
  // It has shortened the log behind the store's back.
  server.platform.store.shortenLog()
  // Its waiting runs have an end already.
  sqlite.exec("DELETE FROM runs WHERE status = 'pending'")
  server.platform.store.transaction(() => createRollupsStore(sqlite).rebuild(-Infinity))
  ledger = endedRuns(sqlite)
})
afterAll(() => server.close())

type Query = BodyOf<typeof queryMetrics>
const query = (body: Query): Promise<MetricResult> => viewer.call(queryMetrics, { body })
const refused = async (body: object) => {
  const { status, body: answer } = await viewer.post('/api/metrics/query', body)
  return [
    status,
    (answer as { details?: { path: string; code: string }[] }).details?.map(({ path, code }) => `${path} ${code}`),
  ]
}
const within =
  (from: string, to: string) =>
  ({ completed_at }: LedgerRun) =>
    completed_at >= from && completed_at < to

const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland']
const period = { from: '2026-01-01T03:20:00.000Z', to: '2026-04-19T17:40:00.000Z' }

const formats = new Map(
  zones.map((timeZone) => [
    timeZone,
    new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
  ]),
)
const localDate = (at: string, timeZone: string): string => formats.get(timeZone)!.format(new Date(at))
const keyOf = { hour: 13, day: 10, month: 7 }

test.each(zones)('every run is in the bucket of its time in %s, and in no other', async (timezone) => {
  for (const bucket of ['day', 'month', 'hour'] as const) {
    const shorter = bucket === 'hour' ? { from: '2026-03-20T00:10:00.000Z', to: '2026-04-10T00:10:00.000Z' } : period
    const { buckets, series } = await query({ metric: 'runs', ...shorter, bucket, timezone })
    const [{ values, total }] = series as [MetricResult['series'][number]]
    expect(values).toEqual(buckets.map(({ from, to }) => ledger.filter(within(from, to)).length))
    expect(total).toBe(values.reduce<number>((sum, value) => sum + value!, 0))
    for (const [at, { from, to }] of buckets.entries()) {
      expect(from).toBe(at === 0 ? from : buckets[at - 1]!.to)
      const key = localDate(from, timezone).slice(0, keyOf[bucket])
      for (const run of ledger.filter(within(from, to))) {
        expect(localDate(run.completed_at, timezone).slice(0, keyOf[bucket])).toBe(key)
      }
    }
    // No two have the same day or month.
    const keys = buckets.map(({ from }) => localDate(from, timezone).slice(0, keyOf[bucket]))
    expect(new Set(keys).size).toBe(bucket === 'hour' ? new Set(keys).size : keys.length)
  }
})

test('days on which the clocks change have 23 or 25 hours, and their hours are all there', async () => {
  const of = async (bucket: Query['bucket'], from: string, to: string, timezone: string) => {
    const { buckets } = await query({ metric: 'runs', from, to, bucket, timezone })
    return buckets.map((one) => (Date.parse(one.to) - Date.parse(one.from)) / 3_600_000)
  }
  const spring = ['2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 'Europe/Berlin'] as const
  expect(await of('day', ...spring)).toEqual([23])
  expect(await of('hour', ...spring)).toHaveLength(23)
  const autumn = ['2025-10-25T22:00:00Z', '2025-10-26T23:00:00Z', 'Europe/Berlin'] as const
  expect(await of('day', ...autumn)).toEqual([25])
  expect(await of('hour', ...autumn)).toHaveLength(25)
  // Half an hour less.
  expect(await of('day', '2026-04-04T13:00:00Z', '2026-04-05T13:00:00Z', 'Australia/Lord_Howe')).toEqual([24.5])
  // Midnight itself is left out, or comes twice.
  expect(await of('day', '2026-04-24T00:00:00Z', '2026-04-24T20:00:00Z', 'Africa/Cairo')).toEqual([23])
  expect(await of('day', '2025-11-02T05:00:00Z', '2025-11-02T20:00:00Z', 'America/Havana')).toEqual([25])
  // A day that a place has left out.
  expect(await of('day', '2011-12-29T12:00:00Z', '2011-12-31T12:00:00Z', 'Pacific/Apia')).toEqual([24, 24, 24])
  expect(await of('week', '2026-03-25T12:00:00Z', '2026-04-01T12:00:00Z', 'Europe/Berlin')).toEqual([167, 168])
  expect(await of('month', '0050-02-27T12:00:00Z', '0050-03-01T12:00:00Z', 'UTC')).toEqual([28 * 24, 31 * 24])
  expect(await of('month', '2026-03-25T12:00:00Z', '2026-03-26T12:00:00Z', 'Europe/Berlin')).toEqual([743])
})

test('groups and filters give what the runs give', async () => {
  const inside = ledger.filter(within('2026-02-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z'))
  const february = { from: '2026-02-01T00:00:00Z', to: '2026-03-01T00:00:00Z', bucket: 'total' } as const
  const byStatus = await query({ metric: 'rows', ...february, group_by: ['status'] })
  for (const { group, total, values } of byStatus.series) {
    const exact = inside.filter(({ status }) => status === group.status).reduce((sum, run) => sum + run.item_count!, 0)
    expect([total, values]).toEqual([exact, [exact]])
  }
  expect(
    byStatus.series.map(({ group }) => group.status).toSorted((a, b) => String(a).localeCompare(String(b))),
  ).toEqual(['cancelled', 'completed', 'failed', 'success'])

  const slowest = await query({ metric: 'duration_p95', ...february, bucket: 'day', group_by: ['task'], limit: 3 })
  expect(slowest.series).toHaveLength(3)
  for (const { group, names, total } of slowest.series) {
    const sorted = inside
      .flatMap((run) => (run.task_id === group.task ? [run.duration_ms!] : []))
      .toSorted((a, b) => a - b)
    const exact = sorted[Math.ceil(sorted.length * 0.95) - 1]!
    expect(Math.abs(total! - exact)).toBeLessThanOrEqual(exact * 0.022 + 1)
    expect(names.task).toMatch(/^bench\.\d+$/)
  }
  const task = slowest.series[0]!.group.task as number
  const filters = { task_id: task, status: 'success', trigger_type: 'manual' }
  const one = await query({ metric: 'runs', ...february, filters })
  expect(one.series[0]!.total).toBe(
    inside.filter((run) => run.task_id === task && run.status === 'success' && run.trigger_type === 'manual').length,
  )
  const several = { task_ids: [task, 2, 3], trigger_type: 'manual' }
  const few = await query({ metric: 'runs', ...february, group_by: ['task'], filters: several })
  expect(new Map(few.series.map(({ group, total }) => [group.task, total]))).toEqual(
    new Map(
      several.task_ids.map((id) => [
        id,
        inside.filter((run) => run.task_id === id && run.trigger_type === 'manual').length,
      ]),
    ),
  )
  expect(
    (await query({ metric: 'runs', ...february, filters: { task_id: 4, task_ids: [2, 3] } })).series[0]!.total,
  ).toBe(0)
  const rate = await query({ metric: 'success_rate', ...february, filters: { task_id: 1 } })
  const [good, bad] = [['success', 'completed'], ['failed']].map(
    (statuses) => inside.filter((run) => run.task_id === 1 && statuses.includes(run.status)).length,
  )
  expect(rate.series[0]!.total).toBe(good! / (good! + bad!))
})

test('no percentile is above the longest of its runs', async () => {
  const february = { from: '2026-02-01T00:00:00.000Z', to: '2026-03-01T00:00:00.000Z' }
  const longest = (from: string, to: string, task: unknown) =>
    Math.max(...ledger.filter(within(from, to)).map((run) => (run.task_id === task ? run.duration_ms! : 0)))
  for (const metric of ['duration_p50', 'duration_p95', 'duration_p99']) {
    const { buckets, series } = await query({ metric, ...february, bucket: 'day', group_by: ['task'], limit: 20 })
    for (const { group, values, total } of series) {
      expect(total).toBeLessThanOrEqual(longest(february.from, february.to, group.task))
      for (const [at, { from, to }] of buckets.entries())
        expect(values[at] ?? 0).toBeLessThanOrEqual(Math.max(0, longest(from, to, group.task)))
    }
  }
})

test('where nothing ran counts are 0, and percentiles and ratios null', async () => {
  const empty = { from: '2020-01-01T00:00:00Z', to: '2020-01-03T00:00:00Z', bucket: 'day' } as const
  const only = async (metric: string) => (await query({ metric, ...empty })).series
  expect(await only('runs')).toEqual([{ group: {}, names: {}, values: [0, 0], total: 0 }])
  expect(await only('duration_p95')).toEqual([{ group: {}, names: {}, values: [null, null], total: null }])
  expect(await only('success_rate')).toMatchObject([{ values: [null, null], total: null }])
  expect((await query({ metric: 'runs', ...empty, group_by: ['task'] })).series).toEqual([])
})

test('thousands of years are refused before anyone has to wait for their clock changes', () => {
  const ends = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T00:00:00Z')] as const
  for (const name of ['Europe/Berlin', 'America/Santiago']) {
    const zone = zoneOf(name)!
    let asked = 0
    const counting: typeof zone = {
      ...zone,
      offsetAt: (at) => zone.offsetAt(at),
      nextTransition(from, until) {
        asked++
        return zone.nextTransition(from, until)
      },
    }
    for (const bucket of ['hour', 'day', 'week', 'month'] as const) {
      for (const from of [ends[0], Date.parse('2020-01-01T00:00:00Z')]) {
        expect(edgesOf(counting, from, ends[1], bucket, mostBuckets).length - 1).toBeGreaterThan(mostBuckets)
      }
    }
    expect(asked).toBeLessThan(500)
  }
})

test('the last bucket of all has an end of four digits', async () => {
  const all = { metric: 'runs', from: '2026-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z', bucket: 'total' } as const
  expect((await query(all)).buckets.map(({ to }) => to)).toEqual(['9999-12-31T23:45:00.000Z'])
})

test('what is too much, or makes no sense, is refused with its place', async () => {
  const year = { metric: 'runs', from: '2025-01-01T00:00:00Z', to: '2026-06-01T00:00:00Z' }
  for (const bucket of ['quarter_hour', 'hour']) {
    expect(await refused({ ...year, bucket })).toEqual([400, ['body.bucket metric_too_many_buckets']])
  }
  const most = { metric: 'runs', from: '2026-01-01T00:00:00Z', bucket: 'hour' } as const
  const to = new Date(Date.parse(most.from) + mostBuckets * 3_600_000).toISOString()
  expect((await query({ ...most, to })).buckets).toHaveLength(mostBuckets)
  expect(await refused({ ...year, bucket: 'total', group_by: ['task'] })).toEqual([
    400,
    ['body.group_by metric_too_many_groups'],
  ])
  const few = await query({ ...year, bucket: 'total', group_by: ['task'], limit: mostSeries })
  expect(few.series).toHaveLength(mostSeries)
  expect(await refused({ ...year, bucket: 'day', metric: 'luck' })).toEqual([400, ['body.metric metric_unknown']])
  expect(await refused({ ...year, bucket: 'day', timezone: 'Mars/Olympus' })).toEqual([
    400,
    ['body.timezone not_a_zone'],
  ])
  expect(await refused({ ...year, bucket: 'day', to: year.from })).toEqual([400, ['body.to metric_range']])
  for (const bucket of metricBuckets)
    expect((await query({ ...most, to: most.from.replace('00:00:00', '00:00:01'), bucket })).buckets).toHaveLength(1)
})
