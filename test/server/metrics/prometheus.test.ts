// What Prometheus scrapes, read by the rules of its text format, against the runs themselves.
import { readFileSync, writeFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { updateMetricsConfig } from '../../../src/contract/metrics.ts'
import { createPrometheus } from '../../../src/server/features/metrics/prometheus.ts'
import { createRollupsStore } from '../../../src/server/features/metrics/rollups.store.ts'
import { startTestServer } from '../../support/server.ts'
import { insertRuns } from '../../bench/support/million-runs.ts'
import { registration } from '../runs/fake-executor.ts'
import { endedRuns } from './naive-rollups.ts'

interface Series {
  name: string
  labels: Record<string, string>
  value: number
}

/** Every line by the grammar; anything else fails. */
function parse(text: string): { series: Series[]; types: Map<string, string> } {
  expect(text.endsWith('\n')).toBe(true)
  const types = new Map<string, string>()
  const series: Series[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    const head = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line)
    if (head) {
      if (head[1] === 'TYPE') types.set(head[2]!, head[3]!)
      continue
    }
    const [, name, labels = '', value] = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? ([0-9.e+-]+)$/.exec(line) ?? []
    expect(name).toBeDefined()
    const found: Record<string, string> = {}
    let rest = labels
    while (rest !== '') {
      const [all, label, text_] = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)",?/.exec(rest) ?? []
      expect(all).toBeDefined()
      found[label!] = text_!.replaceAll(/\\(.)/g, (_, of: string) => (of === 'n' ? '\n' : of))
      rest = rest.slice(all!.length)
    }
    series.push({ name: name!, labels: found, value: Number(value) })
  }
  return { series, types }
}

const hostile = 'it\'s "quoted" \\ and\nbroken {a="b"} 1'

test('counters and histograms are those of the runs, tasks beyond the limit are one, and names are escaped', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { store } = server.platform
  insertRuns(store.sqlite, 5_000)
  store.shortenLog()
  const stray = store.sqlite.prepare("UPDATE runs SET completed_at = NULL WHERE status = 'pending'").run().changes
  store.sqlite.prepare('UPDATE tasks SET name = ? WHERE id = 1').run(hostile)
  store.transaction(() => createRollupsStore(store.sqlite).rebuild(-Infinity))
  await server.as('admin').call(updateMetricsConfig, { body: { prometheus_tasks: 10 } })
  const { body, headers } = await server.as('viewer', ['read']).get('/api/metrics/prometheus')
  expect(headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  if (process.env.HEADGATE_SCRAPE_FILE) writeFileSync(process.env.HEADGATE_SCRAPE_FILE, String(body))
  const { series, types } = parse(String(body))
  const runs = endedRuns(store.sqlite)
  const of = (name: string, labels: Record<string, string> = {}) =>
    series.filter(
      (one) => one.name === name && Object.entries(labels).every(([key, value]) => one.labels[key] === value),
    )
  const sum = (found: Series[]) => found.reduce((total, { value }) => total + value, 0)

  expect(of('headgate_runs_queued')).toEqual([{ name: 'headgate_runs_queued', labels: {}, value: stray }])
  expect(sum(of('headgate_runs_total'))).toBe(runs.length)
  for (const status of ['success', 'failed', 'completed', 'cancelled']) {
    expect(sum(of('headgate_runs_total', { status }))).toBe(runs.filter((run) => run.status === status).length)
  }
  // Of each task every status, also before it first ends so: what appears with a 1 has never increased.
  const statuses = Map.groupBy(of('headgate_runs_total'), ({ labels }) => labels.task_id)
  expect([...statuses.values()].map((found) => found.length)).toEqual([...statuses.values()].map(() => 4))
  // Ten of them, the busiest among them, and the rest.
  const tasks = new Set(of('headgate_runs_total').map(({ labels }) => labels.task_id))
  expect([tasks.size, tasks.has('1'), tasks.has('')]).toEqual([11, true, true])
  expect(new Set(of('headgate_runs_total', { task_id: '1' }).map(({ labels }) => labels.task))).toEqual(
    new Set([hostile]),
  )
  expect(sum(of('headgate_rows_total', { task_id: '1' }))).toBe(
    runs.filter((run) => run.task_id === 1).reduce((total, run) => total + run.item_count!, 0),
  )
  expect(sum(of('headgate_rows_total'))).toBe(runs.reduce((total, run) => total + run.item_count!, 0))

  for (const task_id of ['1', '']) {
    const mine = runs.filter((run) => (task_id === '1' ? run.task_id === 1 : !tasks.has(String(run.task_id))))
    const buckets = of('headgate_run_duration_seconds_bucket', { task_id })
    expect(buckets.at(-1)).toMatchObject({ labels: { le: '+Inf' }, value: mine.length })
    for (const { labels, value } of buckets) {
      const limit = labels.le === '+Inf' ? Infinity : Number(labels.le) * 1000
      expect(value).toBe(mine.filter((run) => run.duration_ms! <= limit).length)
    }
    expect(sum(of('headgate_run_duration_seconds_sum', { task_id }))).toBeCloseTo(
      mine.reduce((total, run) => total + run.duration_ms!, 0) / 1000,
      3,
    )
  }
  for (const [name, type] of types) expect(name.endsWith('_total')).toBe(type === 'counter')
  expect(new Set(series.map((one) => JSON.stringify([one.name, one.labels]))).size).toBe(series.length)
})

test('the dashboard and the alerts name series that there are', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { store } = server.platform
  insertRuns(store.sqlite, 1_000)
  store.shortenLog()
  // One with a code, and one of an executor.
  const { id } = server.services.executors.register(registration('prometheus'), '127.0.0.1')
  store.sqlite.prepare("UPDATE runs SET error_code = 'X', executor_id = ? WHERE status = 'failed'").run(id)
  store.transaction(() => createRollupsStore(store.sqlite).rebuild(-Infinity))
  const source = { kind: 'freshness', freshness_of: { task_id: 1 }, deadline_minutes: 5 } as const
  await server.as('admin').call(updateMetricsConfig, { body: { custom: [{ name: 'age', source }] } })
  // Last written an hour ago.
  const written = new Date(Date.now() - 3_600_000).toISOString()
  store.sqlite.prepare('UPDATE custom_metrics SET value_at = ?, run_id = 1').run(written)
  const { series } = parse(String((await server.as('viewer').get('/api/metrics/prometheus')).body))
  const age = series.find(({ name }) => name === 'headgate_custom_metric')
  expect(age?.labels).toEqual({ metric: 'age', unit: 's' })
  expect(age!.value).toBeGreaterThanOrEqual(3_600)
  expect(age!.value).toBeLessThan(4_000)
  const known = new Set(series.map(({ name }) => name))
  for (const file of ['grafana-dashboard.json', 'prometheus-alerts.yaml']) {
    const text = readFileSync(new URL(`../../../resources/monitoring/${file}`, import.meta.url), 'utf8')
    const named = new Set(text.match(/\bheadgate_[a-z_]+/g))
    expect(named.size).toBeGreaterThan(4)
    expect([...named].filter((name) => !known.has(name))).toEqual([])
  }
})

test('settings are kept, checked, and guarded by their ETag', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const admin = server.as('admin')
  const { headers, body } = await admin.get('/api/metrics/config')
  expect(body).toEqual({ retention_days: 400, prometheus_tasks: 200, custom: [] })
  const etag = headers.get('etag')!
  const changed = await admin.put('/api/metrics/config', { retention_days: 30 }, { headers: { 'if-match': etag } })
  expect(changed).toMatchObject({ status: 200, body: { retention_days: 30, prometheus_tasks: 200 } })
  expect(
    (await admin.put('/api/metrics/config', { retention_days: 1 }, { headers: { 'if-match': etag } })).status,
  ).toBe(409)
  expect((await admin.put('/api/metrics/config', { retention_days: -1 })).status).toBe(400)
  expect((await server.as('editor').put('/api/metrics/config', { retention_days: 1 })).status).toBe(403)
  expect((await server.as('viewer').get('/api/metrics/config')).body).toEqual(changed.body)
})

test('metrics older than the retention are let go, and counters never go down', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { store } = server.platform
  insertRuns(store.sqlite, 2_000)
  store.shortenLog()
  store.sqlite.exec("DELETE FROM runs WHERE status = 'pending'")
  const rollups = createRollupsStore(store.sqlite)
  const rebuild = () => store.transaction(() => rollups.rebuild(Date.now() - 40 * 86_400_000))
  store.transaction(() => rollups.rebuild(-Infinity))
  const admin = server.as('admin')
  const total = async () => {
    const { series } = parse(String((await admin.get('/api/metrics/prometheus')).body))
    return series.filter(({ name }) => name === 'headgate_runs_total').reduce((sum, { value }) => sum + value, 0)
  }
  const oldest = () =>
    store.sqlite.prepare<[], number>('SELECT min(bucket) FROM metric_rollups WHERE grain = 2').pluck().get()!
  const before = await total()
  // Of most, the roll-ups are all that is known then.
  server.platform.config.retention.runsMs = 60 * 86_400_000
  await admin.call(updateMetricsConfig, { body: { retention_days: 40 } })
  expect((await admin.post('/api/server/clean')).status).toBe(200)
  expect(endedRuns(store.sqlite).length).toBeLessThan(900)
  expect(oldest()).toBe(Math.floor((Date.now() - 40 * 86_400_000) / 86_400_000))
  expect(await total()).toBe(before)
  rebuild()
  expect(await total()).toBe(before)
})

test('what is kept of a task is renewed when its runs end, its name changes, or the limit does', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { store } = server.platform
  insertRuns(store.sqlite, 3_000)
  store.shortenLog()
  store.sqlite.exec("UPDATE runs SET completed_at = NULL WHERE status = 'pending'")
  const rollups = createRollupsStore(store.sqlite)
  store.transaction(() => rollups.rebuild(-Infinity))
  let most = 150
  const scrape = createPrometheus(
    store,
    '1',
    () => most,
    () => [],
  )
  /** As one that keeps nothing would tell it of the same tasks. */
  const compared = async () => {
    const { series } = parse(await scrape())
    const tasks = new Set(series.flatMap(({ labels }) => (labels.task_id ? [Number(labels.task_id)] : [])))
    const runs = endedRuns(store.sqlite)
    for (const id of tasks) {
      const mine = runs.filter((run) => run.task_id === id)
      const found = series.filter(({ labels }) => labels.task_id === String(id))
      const name = store.sqlite.prepare<[number], string>('SELECT name FROM tasks WHERE id = ?').pluck().get(id)
      expect(new Set(found.map(({ labels }) => labels.task))).toEqual(new Set([name]))
      const value = (of: string) => found.filter((one) => one.name === of).reduce((sum, one) => sum + one.value, 0)
      expect(value('headgate_runs_total')).toBe(mine.length)
      expect(value('headgate_run_duration_seconds_count')).toBe(mine.length)
    }
    const total = (of: string) => series.filter((one) => one.name === of).reduce((sum, one) => sum + one.value, 0)
    expect(total('headgate_runs_total')).toBe(runs.length)
    expect(total('headgate_run_duration_seconds_count')).toBe(runs.length)
    expect(series.every(({ value }) => value >= 0)).toBe(true)
    return tasks.size
  }
  const all = await compared()
  expect(all).toBeGreaterThan(100)
  store.sqlite.prepare('UPDATE tasks SET name = ? WHERE id = 1').run('renamed')
  store.sqlite.exec("UPDATE runs SET status = 'success', completed_at = ready_at WHERE status = 'pending'")
  store.transaction(() => rollups.rebuild(-Infinity))
  expect(await compared()).toBe(all)
  most = 5
  expect(await compared()).toBe(5)
  most = 150
  expect(await compared()).toBe(all)
  // Two at the same time.
  expect(await Promise.all([scrape(), scrape()]).then(([a, b]) => a === b)).toBe(true)
})
