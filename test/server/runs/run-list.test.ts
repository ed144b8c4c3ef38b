import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { QueryOf } from '../../../src/contract/operation.ts'
import { type Run, type listRuns, runStatuses, statusOrder, triggerTypes } from '../../../src/contract/runs.ts'
import { pieces } from '../../../src/server/features/runs/run-list.store.ts'
import { controlPlane } from './control-plane.ts'
import { registration } from './fake-executor.ts'

const day = 86_400_000
const start = Date.parse('2026-01-01T00:00:00.000Z')
const iso = (ms: number) => new Date(ms).toISOString()

/** 3,000 runs over four days, some of them in the same millisecond, out of the order of their ids here and there. */
async function planeWithRuns() {
  const plane = await controlPlane()
  const { sqlite } = plane.platform.store
  const insert = sqlite.prepare(`
    INSERT INTO runs (task_id, task_name, task_version, job_run_id, trigger_type, status, logical_date, ready_at, created_at,
      updated_at, executor_id)
    VALUES (@task, 't', 1, @job, @trigger, @status, @at, @at, @at, @at, NULL)`)
  sqlite
    .prepare(
      "INSERT INTO tasks (name, current_version, search_text, created_at, updated_at) VALUES ('b', 1, 'b', '', '')",
    )
    .run()
  let seed = 7
  const random = (n: number) => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % n
  for (const name of ['one', 'two']) plane.services.executors.register(registration(name), '127.0.0.1')
  plane.platform.store.transaction(() => {
    for (let i = 0; i < 3000; i++) {
      const ms =
        start +
        Math.floor((i * 4 * day) / 3000 / 60_000) * 60_000 +
        random(5) * 11_000 -
        (i % 100 === 0 ? 3_600_000 : 0)
      insert.run({
        task: 1 + random(2),
        job: i % 9 === 0 ? 1 + random(3) : null,
        trigger: triggerTypes[random(3)],
        status: runStatuses[random(6)],
        at: iso(ms),
      })
    }
    sqlite.exec(ends)
  })
  return plane
}

/** Runs end in no order, some in the same millisecond, each on one of two executors. */
const ends = `
  UPDATE runs SET completed_at = strftime('%Y-%m-%dT%H:%M:%fZ', created_at, '+' || ((id * 7919) % 90000 / 10 * 10) || ' seconds'),
    job_id = CASE WHEN id % 4 = 0 THEN 1 + id % 3 END, executor_id = 1 + id % 2,
    duration_ms = CASE WHEN status <> 'cancelled' OR id % 3 > 0 THEN (id * 7919) % 700 END
  WHERE status NOT IN ('pending', 'running')`

type Filters = Omit<QueryOf<typeof listRuns>, 'sort' | 'order'>
interface Order {
  sort: 'created_at' | 'duration_ms' | 'status'
  order: 'asc' | 'desc'
}
const orders: fc.Arbitrary<Order> = fc.record({
  sort: fc.constantFrom('created_at', 'duration_ms', 'status'),
  order: fc.constantFrom('asc', 'desc'),
})
const statusPlace = `CASE status ${statusOrder.map((status, place) => `WHEN '${status}' THEN ${place}`).join(' ')} END`
const some = <T>(...values: T[]) => fc.array(fc.constantFrom(...values), { minLength: 1, maxLength: 4 })

const filters: fc.Arbitrary<Filters> = fc.record(
  {
    task_id: some(1, 2, 3),
    job_run_id: fc.constantFrom(1, 2, 9),
    status: some(...runStatuses),
    trigger_type: some(...triggerTypes),
    from: fc.integer({ min: -day, max: 5 * day }).map((ms) => iso(start + ms)),
    to: fc.integer({ min: -day, max: 5 * day }).map((ms) => iso(start + ms)),
  },
  { requiredKeys: [] },
)

const ended = fc.integer({ min: -day, max: 6 * day }).map((ms) => iso(start + ms))
const filtersByEnd: fc.Arbitrary<Filters> = fc.record(
  {
    completed_from: ended,
    completed_to: ended,
    task_id: some(1, 2, 3),
    status: some(...runStatuses),
    trigger_type: some(...triggerTypes),
    job_id: fc.constantFrom(1, 2, 9),
    executor_id: fc.constantFrom(1, 2),
    from: fc.integer({ min: -day, max: 5 * day }).map((ms) => iso(start + ms)),
  },
  { requiredKeys: ['completed_from'] },
)

describe('lists of runs', () => {
  test('with any filters are what a plain query gives: same runs, same order, same total, both ways', async () => {
    const plane = await planeWithRuns()
    const { runs } = plane.services
    const { sqlite } = plane.platform.store
    const bounds: Record<string, string> = {
      from: 'created_at >= @from',
      to: 'created_at < @to',
      completed_from: 'completed_at >= @completed_from',
      completed_to: 'completed_at < @completed_to',
    }
    const expected = (query: Filters, { sort, order }: Order) => {
      const where = Object.keys(query).map(
        (key) => bounds[key] ?? `${key} IN (SELECT value FROM json_each('[' || trim(@${key}, '[]') || ']'))`,
      )
      const given = Object.entries(query).map(([key, value]) => [key, bounds[key] ? value : JSON.stringify(value)])
      const by = (query.completed_from ?? query.completed_to) ? 'completed_at' : 'created_at'
      const newest = `${by} DESC, id DESC`
      const sorted = {
        created_at: `${by} ${order}, id ${order}`,
        duration_ms: `duration_ms IS NULL, duration_ms ${order}, CASE WHEN duration_ms NOT NULL THEN id END ${order}, ${newest}`,
        status: `${statusPlace} ${order}, ${newest}`,
      }
      const sql = `SELECT id FROM runs NOT INDEXED WHERE ${['1', ...where].join(' AND ')} ORDER BY ${sorted[sort]}`
      return sqlite
        .prepare<[object], { id: number }>(sql)
        .all(Object.fromEntries(given))
        .map(({ id }) => id)
    }
    fc.assert(
      fc.property(
        fc.oneof(filters, filtersByEnd),
        orders,
        fc.integer({ min: 50, max: 200 }),
        (filter, order, limit) => {
          const ids = expected(filter, order)
          const query = { ...filter, ...order }
          const forward: number[] = []
          const starts: string[] = []
          let cursor: string | undefined
          for (;;) {
            const page = runs.list({ ...query, limit, cursor })
            expect(page.total).toBe(ids.length)
            forward.push(...page.result.map((run) => run.id))
            if (page.prevCursor) starts.push(page.prevCursor)
            if (!page.nextCursor) break
            cursor = page.nextCursor
          }
          expect(forward).toEqual(ids)
          // From the last page one page back; where there is only one page, that page again.
          const back = runs.list({ ...query, limit, cursor: starts.at(-1) })
          const pageStart = Math.max(0, (Math.ceil(ids.length / limit) - 2) * limit)
          expect(back.result.map((run) => run.id)).toEqual(ids.slice(pageStart, pageStart + limit))
          expect(back.nextCursor !== null).toBe(ids.length > limit)
          expect(back.prevCursor === null).toBe(pageStart === 0)
        },
      ),
      { numRuns: 250 },
    )
  })

  test('answer 400 to a damaged cursor, one of another list, and limits out of range', async () => {
    const plane = await planeWithRuns()
    const page = (await plane.editor.get('/api/runs', { query: { limit: 2 } })).body as {
      nextCursor: string
      result: Run[]
    }
    const { nextCursor } = page
    const damaged = nextCursor.slice(0, 8) + (nextCursor[8] === 'A' ? 'B' : 'A') + nextCursor.slice(9)
    for (const query of [
      { cursor: damaged },
      { cursor: 'x' },
      { limit: 0 },
      { limit: 201 },
      { from: 'yesterday' },
      { status: 'done' },
      { job_id: 1 },
      { executor_id: 1 },
      { sort: 'duration' },
      { sort: 'status', order: 'up' },
      { sort: 'status', cursor: nextCursor },
      { order: 'asc', cursor: nextCursor },
      { job_run_id: 1, completed_from: iso(start) },
      { completed_to: iso(start), cursor: nextCursor },
    ]) {
      expect(await plane.editor.get('/api/runs', { query })).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR' },
      })
    }
    expect((await plane.editor.get('/api/tasks', { query: { cursor: nextCursor } })).status).toBe(400)
    expect((await plane.editor.get('/api/runs/abc')).status).toBe(400)
    expect((await plane.editor.get('/api/runs/99999999')).status).toBe(404)
  })

  test('by status put what runs first and count what ended in between where it ended', async () => {
    const plane = await controlPlane()
    for (let i = 0; i < 4; i++) await plane.trigger()
    const { sqlite } = plane.platform.store
    const page = (query: Record<string, unknown>) =>
      plane.editor.get('/api/runs', { query: { sort: 'status', limit: 2, ...query } }) as Promise<{
        body: { nextCursor: string; prevCursor: string | null; result: Run[] }
      }>
    sqlite.exec(`UPDATE runs SET status = 'running' WHERE id = 1`)
    const first = (await page({})).body
    expect(first.result.map(({ id, status }) => [id, status])).toEqual([
      [1, 'running'],
      [4, 'pending'],
    ])
    // The run where the page ended, and one that was not read yet, move on.
    sqlite.exec(`UPDATE runs SET status = 'failed', duration_ms = 5, completed_at = created_at WHERE id IN (4, 3)`)
    const next = (await page({ cursor: first.nextCursor })).body
    expect(next.result.map(({ id }) => id)).toEqual([2, 4])
    const rest = (await page({ cursor: next.nextCursor })).body
    expect(rest.result.map(({ id }) => id)).toEqual([3])
    expect((await page({ cursor: rest.prevCursor })).body.result.map(({ id }) => id)).toEqual([2, 4])
  })

  test('stay stable while runs are added', async () => {
    const plane = await controlPlane()
    for (let i = 0; i < 4; i++) await plane.trigger()
    const first = (await plane.editor.get('/api/runs', { query: { limit: 2 } })).body as { nextCursor: string }
    await plane.trigger()
    const next = (await plane.editor.get('/api/runs', { query: { limit: 2, cursor: first.nextCursor } })).body
    expect((next as { result: Run[] }).result.map((run) => run.id)).toEqual([2, 1])
  })
})

describe('a period', () => {
  test('is cut into pieces that cover it once and whole', () => {
    const moment = fc.option(fc.integer({ min: 0, max: 3 * day }), { nil: undefined })
    fc.assert(
      fc.property(moment, moment, fc.integer({ min: 0, max: 3 * day - 1 }), (from, to, ms) => {
        const inside = (from === undefined || ms >= from) && (to === undefined || ms < to)
        const cut = pieces(from === undefined ? undefined : iso(from), to === undefined ? undefined : iso(to))
        const covering = cut.filter((piece) => {
          if (piece.kind === 'rows') return iso(ms) >= piece.from && iso(ms) < piece.to
          const bucket = Math.floor(ms / (piece.kind === 'days' ? day : 60_000))
          return (piece.first === undefined || bucket >= piece.first) && (piece.end === undefined || bucket < piece.end)
        })
        expect(covering).toHaveLength(inside ? 1 : 0)
      }),
      { numRuns: 2000 },
    )
  })
})
