import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runJob } from '../../../src/contract/job-run-control.ts'
import { type JobRun, getJobHistory, jobRunStatusOrder, listAllJobRuns } from '../../../src/contract/job-runs.ts'
import { jobRunStatuses } from '../../../src/contract/jobs.ts'
import { triggerTypes } from '../../../src/contract/runs.ts'
import type { QueryOf } from '../../../src/contract/operation.ts'
import { type JobWorld, createJobWorld, node, templateYaml } from '../jobs/job-world.ts'

const start = Date.parse('2026-01-01T00:00:00.000Z')
const day = 86_400_000
const iso = (ms: number) => new Date(ms).toISOString()

let world: JobWorld
const jobs: number[] = []
/** 2,000 job runs of three jobs over four days, some in the same millisecond and out of the order of their ids. */
beforeAll(async () => {
  world = await createJobWorld()
  const task = await world.task()
  const template = await world.template(templateYaml('nightly', { load: node(task.name) }))
  for (let n = 0; n < 3; n++) jobs.push((await world.job(template)).id)
  const { sqlite } = world.server.platform.store
  const insert = sqlite.prepare(`
    INSERT INTO job_runs (job_id, job_name, snapshot_id, template_version, status, success, trigger_type, trigger_id, backfill_id,
      logical_date, parameters, connector_mapping, on_overlap, max_tasks, created_at, updated_at, duration_ms)
    SELECT id, name, snapshot_id, 1, @status, @success, @trigger, @trigger_id, @backfill, @at, '{}', '{}', 'queue', 4, @at, @at, @duration
    FROM jobs WHERE id = @job`)
  let seed = 7
  const random = (n: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % n
  world.server.platform.store.transaction(() => {
    for (let i = 0; i < 2_000; i++) {
      const status = jobRunStatuses[random(6)]!
      insert.run({
        job: jobs[random(3)],
        status,
        duration: ['completed', 'failed'].includes(status) ? random(300) : null,
        success: status === 'completed' ? random(2) : 0,
        trigger: triggerTypes[random(3)],
        trigger_id: random(4) === 0 ? 1 + random(2) : null,
        backfill: random(9) === 0 ? `b${random(2)}` : null,
        at: iso(start + Math.floor((i * 4 * day) / 2_000 / 600_000) * 600_000 - (i % 50 === 0 ? 3_600_000 : 0)),
      })
    }
  })
})
afterAll(() => world.close())

type JobRunFilters = QueryOf<typeof listAllJobRuns>
const orders: fc.Arbitrary<Required<Pick<JobRunFilters, 'sort' | 'order'>>> = fc.record({
  sort: fc.constantFrom('created_at', 'duration_ms', 'status'),
  order: fc.constantFrom('asc', 'desc'),
})
const statusPlace = `CASE status ${jobRunStatusOrder.map((status, place) => `WHEN '${status}' THEN ${place}`).join(' ')} END`
const some = <T>(...values: T[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 })

const filters: fc.Arbitrary<JobRunFilters> = fc.record(
  {
    job_id: some(1, 2, 3, 9),
    status: some(...jobRunStatuses, 'success' as const),
    trigger_type: some(...triggerTypes),
    trigger_id: fc.constantFrom(1, 2, 3),
    backfill_id: fc.constantFrom('b0', 'b1', 'b2'),
    from: fc.integer({ min: -day, max: 5 * day }).map((ms) => iso(start + ms)),
    to: fc.integer({ min: -day, max: 5 * day }).map((ms) => iso(start + ms)),
  },
  { requiredKeys: [] },
)

function expected({ sort = 'created_at', order = 'desc', ...query }: JobRunFilters): number[] {
  const where = Object.keys(query).map((key) =>
    key === 'from'
      ? 'created_at >= @from'
      : key === 'to'
        ? 'created_at < @to'
        : key === 'status'
          ? `(${(query.status ?? []).map((status) => (status === 'success' ? "(status = 'completed' AND success = 1)" : `status = '${status}'`)).join(' OR ')})`
          : `${key} IN (SELECT value FROM json_each('[' || trim(@${key}, '[]') || ']'))`,
  )
  const given = Object.entries(query).map(([key, value]) => [
    key,
    key === 'from' || key === 'to' ? value : JSON.stringify(value),
  ])
  const newest = 'created_at DESC, id DESC'
  const sorted = {
    created_at: `created_at ${order}, id ${order}`,
    duration_ms: `duration_ms IS NULL, duration_ms ${order}, CASE WHEN duration_ms NOT NULL THEN id END ${order}, ${newest}`,
    status: `${statusPlace} ${order}, ${newest}`,
  }
  const sql = `SELECT id FROM job_runs NOT INDEXED WHERE ${['1', ...where].join(' AND ')} ORDER BY ${sorted[sort]}`
  return world.server.platform.store.sqlite
    .prepare<[object], { id: number }>(sql)
    .all(Object.fromEntries(given))
    .map(({ id }) => id)
}

describe('lists of job runs', () => {
  test('with any filters are what a plain query gives: same job runs, same order, same total, both ways', () => {
    const { jobRunReads } = world.server.services
    fc.assert(
      fc.property(filters, orders, fc.integer({ min: 30, max: 200 }), (filter, order, limit) => {
        const query = { ...filter, ...order }
        const ids = expected(query)
        const found: number[] = []
        const starts: JobRun[] = []
        let cursor: string | undefined
        let back: string | null = null
        do {
          const page = jobRunReads.list({ ...query, limit, cursor })
          expect(page.total).toBe(ids.length)
          found.push(...page.result.map(({ id }) => id))
          starts.push(page.result[0]!)
          cursor = page.nextCursor ?? undefined
          back = page.prevCursor
        } while (cursor)
        expect(found).toEqual(ids)
        const before = back ? jobRunReads.list({ ...query, limit, cursor: back }).result[0]?.id : undefined
        expect(before).toBe(back ? starts.at(-2)?.id : undefined)
      }),
      { numRuns: 100 },
    )
  })

  test.each<[JobRunFilters, string]>([
    [{}, 'job_runs_by_created'],
    [{ job_id: [1] }, 'job_runs_by_job'],
    [{ job_id: [1], status: ['failed'] }, 'job_runs_by_job_status'],
    [{ job_id: [1], status: ['success'] }, 'job_runs_by_job_success'],
    [{ status: ['failed'], trigger_type: ['cron'] }, 'job_runs_by_status'],
    [{ status: ['success'] }, 'job_runs_by_success'],
    [{ trigger_type: ['cron'] }, 'job_runs_by_trigger_type'],
    [{ status: ['failed', 'cancelled'], trigger_type: ['cron', 'api'] }, 'job_runs_by_status'],
    [{ status: ['success', 'failed'], trigger_type: ['cron'] }, 'job_runs_by_(success|status)'],
    [{ status: ['failed', 'paused'], job_id: [1, 2] }, 'job_runs_by_status'],
    [{ status: ['failed', 'paused'], job_id: [1] }, 'job_runs_by_job_status'],
    [{ status: ['failed', 'success'], job_id: [1] }, 'job_runs_by_job_(success|status)'],
    [{ trigger_type: ['cron', 'api'] }, 'job_runs_by_created'],
    [{ trigger_id: 1, job_id: [1], status: ['failed'] }, 'job_runs_by_trigger'],
    [{ backfill_id: 'b0', job_id: [1] }, 'job_runs_by_backfill'],
    [{ sort: 'duration_ms' }, 'job_runs_(by|without)_duration'],
    [{ sort: 'duration_ms', status: ['failed'], from: iso(start) }, 'job_runs_(by|without)_duration'],
    [{ sort: 'duration_ms', job_id: [1], trigger_type: ['cron'] }, 'job_runs_(by_job|without)_duration'],
    [{ sort: 'status' }, 'job_runs_by_status'],
    [{ sort: 'status', job_id: [1] }, 'job_runs_by_job_status'],
  ])('%j are read from the index %s, in its order', (query, index) => {
    const { sqlite } = world.server.platform.store
    const prepared = vi.spyOn(sqlite, 'prepare')
    onTestFinished(() => prepared.mockRestore())
    world.server.services.jobRunReads.list(query)
    const texts = prepared.mock.calls.map(([one]) => one).filter((one) => one.includes('order by'))
    expect(texts).not.toEqual([])
    for (const text of texts) {
      const values = [...text.matchAll(/\?/g)].map(() => 1)
      const plan = sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values)
      const details = plan.map(({ detail }) => detail)
      expect(details[0]).toMatch(new RegExp(`INDEX ${index}\\b`))
      // A backfill is small: its job runs are sorted once they are found.
      expect(details.join().includes('TEMP B-TREE')).toBe(index === 'job_runs_by_backfill')
    }
  })

  test('a viewer reads who started a job run, by name', async () => {
    const template = await world.template(templateYaml('named', { load: node((await world.task()).name) }))
    const job = await world.job(template)
    await world.editor.call(runJob, { params: { id: job.id }, body: {} })
    const viewer = world.server.as('viewer')
    const { result } = await viewer.call(listAllJobRuns, { query: { job_id: [job.id] } })
    expect(result).toMatchObject([{ job_id: job.id, created_by_name: expect.stringMatching(/^editor/) as unknown }])
  })

  test('times come with any offset; what is no time is refused at its place', async () => {
    const query = { from: '2026-01-02T01:00:00+01:00', to: '2026-01-03T00:00:00.000Z', limit: 1 }
    const page = await world.editor.call(listAllJobRuns, { query })
    expect(page.total).toBe(expected({ from: '2026-01-02T00:00:00.000Z', to: '2026-01-03T00:00:00.000Z' }).length)
    const refused = await world.editor.get('/api/job-runs', { query: { from: '2026-12-31T23:59:60Z' } })
    expect(refused.status).toBe(400)
    expect(refused.body).toMatchObject({ details: [{ path: 'query.from' }] })
  })

  test('the history of a job pages through its own job runs', async () => {
    const ids = expected({ job_id: [2] })
    const first = await world.editor.call(getJobHistory, { params: { id: 2 }, query: { limit: 100 } })
    expect(first.job_runs.map(({ job_run }) => job_run.id)).toEqual(ids.slice(0, 100))
    const next = await world.editor.call(getJobHistory, {
      params: { id: 2 },
      query: { limit: 100, cursor: first.nextCursor! },
    })
    expect(next.job_runs[0]!.job_run.id).toBe(ids[100])
    expect((await world.editor.get('/api/jobs/999/history')).status).toBe(404)
  })
})
