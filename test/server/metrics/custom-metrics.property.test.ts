// Random histories: runs with and without numbers, clocks that jump, runs that are removed, values that are let go, settings that
// change, transactions that are undone. After each, values and states are those of someone who wrote everything down.
import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import fc from 'fast-check'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { CustomMetric, metricAggregates } from '../../../src/contract/custom-metrics.ts'
import { listMetrics, queryMetrics, updateMetricsConfig } from '../../../src/contract/metrics.ts'
import { systemClock } from '../../../src/server/platform/clock.ts'
import { channels } from '../notifications/notification-world.ts'
import { controlPlane } from '../runs/control-plane.ts'
import { success } from '../runs/fake-executor.ts'

const minute = 60_000
const day = 1_440 * minute
const lengths = [15 * minute, 60 * minute, day] as const
const retentionDays = 3
const deadline = 45 * minute

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('run' as const),
      total: fc.option(fc.integer({ min: -1_000, max: 1_000 })),
      failed: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('clock' as const),
      by: fc.oneof(fc.integer({ min: -20 * minute, max: 50 * minute }), fc.integer({ min: -2 * day, max: 3 * day })),
    }),
  },
  { weight: 5, arbitrary: fc.constant({ kind: 'watch' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'purge' as const }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'let_go' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('limits' as const),
      above: fc.option(fc.integer({ min: -500, max: 900 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('again' as const), at: fc.nat({ max: 5 }) }) },
)

interface Entry {
  value: number
  at: number
}
interface Naive {
  /** By the length of a bucket, then by its number; retention lets go of whole buckets. */
  entries: Map<number, Map<number, Entry[]>>
  last: number | null
}
const fresh = (): Naive => ({ entries: new Map(lengths.map((length) => [length, new Map()])), last: null })
function note({ entries }: Naive, entry: Entry): void {
  for (const [length, buckets] of entries) {
    const bucket = Math.floor(entry.at / length)
    buckets.set(bucket, [...(buckets.get(bucket) ?? []), entry])
  }
}
const aggregates = ['sum', 'avg', 'min', 'max', 'last'] as const satisfies (typeof metricAggregates)[number][]

function aggregateOf(aggregate: (typeof aggregates)[number], entries: readonly Entry[]): number | null {
  const values = entries.map(({ value }) => value)
  const sum = values.reduce((total, value) => total + value, 0)
  if (aggregate === 'sum') return sum
  if (values.length === 0) return null
  if (aggregate === 'avg') return sum / values.length
  if (aggregate === 'min') return Math.min(...values)
  if (aggregate === 'max') return Math.max(...values)
  // The newest, and of the same moment the one that came last.
  return entries.reduce((newest, entry) => (entry.at >= newest.at ? entry : newest)).value
}

test('whatever happens, custom metrics are those of every value there was, and each change of a state is told of once', async () => {
  const clock = {
    at: 0,
    now: () => new Date(clock.at),
    iso: () => clock.now().toISOString(),
    monotonic: systemClock.monotonic,
  }
  clock.at = Date.parse('2026-03-28T22:00:00Z')
  // The server itself looks for passed deadlines every few seconds: here only `watch` does.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const plane = await controlPlane({ clock })
  const { runs, metrics, executors } = plane.services
  const { sqlite, transaction } = plane.platform.store
  const registration = {
    name: 'e',
    version: '1',
    protocol: executorProtocolVersion,
    capabilities: [],
    slots: 4,
    instance: 'e',
  }
  const executor = { id: executors.register(registration, '127.0.0.1').id, name: 'e' }
  const channel = await channels(plane.editor).create({
    type: 'desktop',
    on: ['metric_violated', 'metric_recovered'],
    job_ids: [],
  })
  const source = { kind: 'output', task_id: plane.taskId, field: 'total' } as const

  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), async (steps) => {
      await plane.editor.call(updateMetricsConfig, { body: { custom: [], retention_days: retentionDays } })
      sqlite.exec('DELETE FROM notification_deliveries; DELETE FROM runs; DELETE FROM lineage_runs')
      let above: number | null = null
      const naive = new Map<string, Naive>()
      const told: string[] = []
      const violated = new Set<string>()
      /** As it is now, and told when that is news. */
      const judge = (name: string, is: boolean) => {
        if (is === violated.has(name)) return
        told.push(`${name} ${is ? 'metric_violated' : 'metric_recovered'}`)
        if (is) violated.add(name)
        else violated.delete(name)
      }
      const definitions = (): CustomMetric[] => [
        ...aggregates.map((aggregate) => ({ name: `total_${aggregate}`, aggregate, source })),
        { name: 'limited', source, ...(above !== null && { threshold: { above } }) },
        {
          name: 'age',
          source: {
            kind: 'freshness',
            freshness_of: { task_id: plane.taskId },
            deadline_minutes: deadline / minute,
          },
        },
      ]
      const save = (list: readonly CustomMetric[]) =>
        plane.editor.call(updateMetricsConfig, { body: { custom: [...list] } })
      const valued = () => [...naive].filter(([name]) => name !== 'age').map(([, of]) => of)
      const judgeLimit = () => {
        const { last } = naive.get('limited')!
        judge('limited', last !== null && above !== null && last > above)
      }
      /** When the data was last written, as far as the clock can tell. */
      let writtenAt = clock.at
      /** As lineage has it, which outlives rules about it. */
      let lastWrite = Infinity
      for (const { name } of definitions()) naive.set(name, fresh())
      await save(definitions())
      for (const one of steps) {
        if (one.kind === 'clock') clock.at += one.by
        else if (one.kind === 'watch') {
          metrics.watch()
          writtenAt = Math.min(writtenAt, clock.at)
          // What was late stays late until it is written.
          if (clock.at > writtenAt + deadline) judge('age', true)
        } else if (one.kind === 'run') {
          const { id } = await runs.trigger(
            plane.taskId,
            { connector_mapping: plane.mapping },
            { trigger_type: 'manual', created_by: null },
          )
          const claim = () => runs.attempts.claim([{ run_id: id, attempt: 1 }], executor)
          const [plan] = transaction(claim)
          const failed = { status: 'failed' as const, error: { code: 'X', message: 'x', retryable: false } }
          await runs.callbacks.complete(id, {
            ...success(),
            attempt: 1,
            lease_token: plan!.lease_token,
            status: 'success',
            started_at: clock.iso(),
            completed_at: clock.iso(),
            outputs: one.total === null ? { other: 1 } : { total: one.total },
            ...(one.failed && failed),
          })
          if (one.failed) continue
          if (one.total !== null) {
            for (const of of valued()) {
              note(of, { value: one.total, at: clock.at })
              of.last = one.total
            }
            judgeLimit()
          }
          lastWrite = writtenAt = clock.at
          judge('age', false)
        } else if (one.kind === 'purge') {
          for (const id of sqlite.prepare<[], number>('SELECT id FROM runs').pluck().all()) {
            transaction(() => {
              metrics.runLeaving(id)
              sqlite.prepare('DELETE FROM runs WHERE id = ?').run(id)
            })
          }
        } else if (one.kind === 'let_go') {
          // Saving the same settings lets go at the next look, not in some hours.
          await plane.editor.call(updateMetricsConfig, { body: { retention_days: retentionDays } })
          for (const piece of metrics.lettingGo()) while (transaction(piece));
          const before = clock.at - retentionDays * day
          for (const of of valued()) {
            for (const [length, buckets] of of.entries) {
              for (const bucket of buckets.keys()) if (bucket < Math.floor(before / length)) buckets.delete(bucket)
            }
          }
        } else if (one.kind === 'limits') {
          above = one.above
          await save(definitions())
          judgeLimit()
        } else {
          // Removed with its values, and made again.
          const { name } = definitions()[one.at]!
          await save(definitions().filter((metric) => metric.name !== name))
          judge(name, false)
          naive.set(name, fresh())
          await save(definitions())
          if (name !== 'age') continue
          writtenAt = Math.min(lastWrite, clock.at)
          judge('age', clock.at > writtenAt + deadline)
        }
      }

      for (const [name, { entries, last }] of naive) {
        if (name === 'age') continue
        const id = sqlite.prepare<[string], number>('SELECT id FROM custom_metrics WHERE name = ? AND removed = 0')
        const rows = sqlite.prepare<[number | undefined], Record<string, number>>(
          'SELECT grain, bucket, n, sum, min, max, last FROM custom_metric_rollups WHERE metric_id = ? ORDER BY grain, bucket',
        )
        const expected = [...entries.values()].flatMap((buckets, grain) =>
          [...buckets]
            .toSorted(([a], [b]) => a - b)
            .map(([bucket, list]) => ({
              grain,
              bucket,
              n: list.length,
              sum: aggregateOf('sum', list),
              min: aggregateOf('min', list),
              max: aggregateOf('max', list),
              last: aggregateOf('last', list),
            })),
        )
        expect(rows.all(id.pluck().get(name))).toEqual(expected)
        const state = (await plane.editor.call(listMetrics)).find((metric) => metric.name === name)!
        expect(state.custom!.value).toBe(last)
        const aggregate = aggregates.find((known) => name === `total_${known}`)
        if (!aggregate) continue
        const days = [...entries.get(day)!.keys()]
        if (days.length === 0) continue
        const from = new Date(Math.min(...days) * day).toISOString()
        const to = new Date((Math.max(...days) + 1) * day).toISOString()
        const { series } = await plane.editor.call(queryMetrics, { body: { metric: name, from, to, bucket: 'total' } })
        expect(series[0]!.total).toBe(aggregateOf(aggregate, [...entries.get(day)!.values()].flat()))
      }
      const deliveries = sqlite.prepare<[number], string>(
        "SELECT news ->> '$.metric.name' || ' ' || event FROM notification_deliveries WHERE notification_id = ? ORDER BY id",
      )
      expect(deliveries.pluck().all(channel.id)).toEqual(told)
      const states = await plane.editor.call(listMetrics)
      expect(states.flatMap(({ name, custom }) => (custom?.state === 'violated' ? [name] : [])).toSorted()).toEqual(
        [...violated].toSorted(),
      )
    }),
    { numRuns: 40 },
  )
}, 240_000)
