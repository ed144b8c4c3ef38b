// Time that attempts took counts for the executor that worked on them, and no attempt is left out.
import { expect, test } from 'vitest'
import { type MetricDimension, queryMetrics } from '../../../src/contract/metrics.ts'
import { migrations } from '../../../src/server/platform/migrations/index.ts'
import { controlPlane, movableClock, taskYaml } from '../runs/control-plane.ts'
import { failure, fakeExecutor } from '../runs/fake-executor.ts'
import { createRollupsStore } from '../../../src/server/features/metrics/rollups.store.ts'

const second = 1_000

/** A run whose first attempt fails after 40 s, whose second is given up after 25 s, and whose third takes 5 s. */
async function retried() {
  const clock = movableClock()
  const plane = await controlPlane({ yaml: taskYaml('demo.retried', 'retries: {max: 2, delay: 0s}\n'), clock })
  const first = await fakeExecutor(plane, 'first')
  const other = await fakeExecutor(plane, 'other')
  await plane.trigger()
  const [failed] = (await first.claim()).runs
  await first.complete(failed!, { ...failure(true), duration_ms: 40 * second })
  const [lost] = (await other.claim()).runs
  clock.offset += 25 * second
  plane.services.runs.attempts.giveUp(lost!, 'executor_lost')
  const [last] = (await first.claim()).runs
  const now = clock.iso()
  await first.complete(last!, { started_at: now, completed_at: now, duration_ms: 5 * second })
  const query = async (metric: string, group_by: MetricDimension[] = []) => {
    const [from, to] = [-86_400_000, 86_400_000].map((by) => new Date(clock.now().getTime() + by).toISOString())
    const body = { metric, from: from!, to: to!, bucket: 'total' as const, group_by }
    return (await plane.editor.call(queryMetrics, { body })).series
  }
  return { plane, query }
}
const byExecutor = (series: { names: { executor?: string }; total: number | null }[]) =>
  Object.fromEntries(series.map(({ names, total }) => [names.executor, total]))
/** The moment at which an attempt is claimed is the server's own. */
const about = (ms: number) => expect.toSatisfy((value: number) => value >= ms && value < ms + 2 * second)

test('busy time has all attempts of a run, each with its executor; durations have the last one', async () => {
  const { plane, query } = await retried()
  expect(byExecutor(await query('busy_time', ['executor']))).toEqual({
    first: 45 * second,
    other: about(25 * second),
  })
  expect((await query('busy_time'))[0]!.total).toEqual(about(70 * second))
  expect((await query('busy_time', ['task']))[0]!.total).toEqual(about(70 * second))
  expect((await query('duration_avg'))[0]!.total).toBe(5 * second)
  expect(byExecutor(await query('runs', ['executor']))).toEqual({ first: 1, other: 0 })
  const { body } = await plane.editor.get('/api/metrics/prometheus')
  expect(String(body)).toContain('headgate_executor_busy_seconds_total{executor="first"} 45\n')
  expect(String(body)).toMatch(/headgate_executor_busy_seconds_total\{executor="other"\} 2[56]/)
})

test('an upgrade counts attempts from before, as far as they are kept', async () => {
  const { plane, query } = await retried()
  const { store } = plane.platform
  // As the version before left them.
  store.sqlite.exec(`
    ALTER TABLE metric_rollups DROP COLUMN earlier_ms;
    DELETE FROM metric_rollups WHERE runs = 0;
    ALTER TABLE run_attempts DROP COLUMN duration_ms;
    UPDATE run_attempts SET started_at = '2026-03-01T10:00:00.123Z', ended_at = '2026-03-01T10:00:40.456Z' WHERE attempt = 1;
    UPDATE run_attempts SET started_at = '2026-03-01T10:00:40.500Z', ended_at = '2026-03-01T10:00:39.000Z' WHERE attempt = 2;
  `)
  migrations.find(({ name }) => name === 'earlier attempts')!.up(store.sqlite)
  const rollups = createRollupsStore(store.sqlite)
  expect(rollups.counted()).toBe(0)
  while (store.transaction(() => rollups.countSome(-Infinity, 1)) !== null);
  // A clock that was put back in an attempt makes no time.
  expect(byExecutor(await query('busy_time', ['executor']))).toEqual({ first: 45_333, other: 0 })
})
