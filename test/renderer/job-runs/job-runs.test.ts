import { describe, expect, it } from 'vitest'
import type { JobRunItem, JobRunNode } from '../../../src/contract/job-runs.ts'
import { effectOf } from '../../../src/renderer/api/event-rules.ts'
import { failingNode } from '../../../src/renderer/features/job-runs/banner.rules.ts'
import { compareTasks, onlyReused } from '../../../src/renderer/features/job-runs/compare-job-runs.ts'
import { axisOf, itemBar, nodeBar, waitedMs, tickText, ticksOf } from '../../../src/renderer/features/job-runs/gantt.ts'
import { landingOf } from '../../../src/renderer/features/job-runs/landing.ts'
import { jobRunLook, knownDuration, ownDuration } from '../../../src/renderer/features/job-runs/node-status.ts'
import {
  dependents,
  failedKeys,
  mayCancel,
  mayPause,
  mayRerun,
  mayResume,
} from '../../../src/renderer/features/job-runs/rerun-choice.ts'
import { treeMove } from '../../../src/renderer/features/job-runs/tree-moves.ts'
import { itemText, treeRows } from '../../../src/renderer/features/job-runs/tree-rows.ts'

const start = Date.parse('2026-03-01T08:00:00.000Z')
const iso = (ms: number) => new Date(start + ms).toISOString()

const node = (key: string, fields: Partial<JobRunNode> = {}): JobRunNode => ({
  key,
  kind: 'task',
  status: 'pending',
  reason: null,
  error_params: null,
  pool: null,
  depends_on: [],
  task_id: 1,
  task_name: `t.${key}`,
  task_version: 1,
  overridden: false,
  for_each: false,
  message: null,
  decided_by: null,
  note: null,
  run_id: null,
  item_total: null,
  item_counts: {},
  item_count: null,
  reject_count: null,
  attempt: null,
  run_count: null,
  started_at: null,
  completed_at: null,
  duration_ms: null,
  error_message: null,
  outputs: null,
  items: [],
  ...fields,
})
const ran = (key: string, from: number, to: number, fields: Partial<JobRunNode> = {}) =>
  node(key, {
    status: 'success',
    started_at: iso(from),
    completed_at: iso(to),
    duration_ms: to - from,
    run_id: 1,
    ...fields,
  })
const item = (index: number, fields: Partial<JobRunItem> = {}): JobRunItem => ({
  index,
  item: `i${index}`,
  status: 'success',
  run_id: index + 10,
  started_at: null,
  completed_at: null,
  duration_ms: null,
  error_message: null,
  error_params: null,
  item_count: null,
  ...fields,
})
const times = (from: number | null, to: number | null) =>
  ({
    created_at: iso(-500),
    started_at: from === null ? null : iso(from),
    completed_at: to === null ? null : iso(to),
  }) as const
const bars = (nodes: JobRunNode[], axis: ReturnType<typeof axisOf>, now: number) => {
  const byKey = new Map(nodes.map((one) => [one.key, one]))
  return nodes.map((one) => nodeBar(one, byKey, axis, now))
}

describe('where a job run opens', () => {
  it('at the task that failed first, whatever its place in the template', () => {
    const nodes = [
      ran('late', 0, 900, { status: 'failed' }),
      ran('fine', 0, 10),
      ran('early', 0, 400, { status: 'failed' }),
      node('gate', { kind: 'gate', status: 'paused' }),
    ]
    expect(landingOf(nodes)).toBe('early')
  })
  it('at a gate that waits before tasks that run, at the one that has run longest, at the first that ran', () => {
    const running = [
      ran('done', 0, 5),
      ran('young', 90, 0, { status: 'running', completed_at: null }),
      ran('old', 10, 0, { status: 'running', completed_at: null }),
    ]
    expect(landingOf([...running, node('gate', { kind: 'gate', status: 'paused' })])).toBe('gate')
    expect(landingOf(running)).toBe('old')
    const reused = ran('reused', -9000, -8000, { reason: 'reused' })
    expect(landingOf([reused, node('skipped', { status: 'skipped' }), ran('first', 0, 5)])).toBe('first')
  })
  it('at the first task of a plan, and nowhere without tasks', () => {
    expect(landingOf([node('a'), node('b')])).toBe('a')
    expect(landingOf([])).toBeNull()
  })
})

describe('bars of a job run', () => {
  it('lie on one axis, the time spent waiting before the time spent running', () => {
    const nodes = [ran('a', 0, 256), ran('b', 512, 1024, { depends_on: ['a'] })]
    const axis = axisOf({ status: 'completed', ...times(0, 1024) }, nodes, 0)
    expect(bars(nodes, axis, 0)).toEqual([
      { queued: null, ran: { start: 0, width: 0.25 } },
      { queued: { start: 0.25, width: 0.25 }, ran: { start: 0.5, width: 0.5 } },
    ])
  })
  it('reach to now while a task runs, and a queued one shows how long it has waited', () => {
    const nodes = [
      ran('a', 0, 500),
      node('b', { status: 'running', started_at: iso(500), depends_on: ['a'] }),
      node('c', { status: 'queued', depends_on: ['a'] }),
      node('d', { depends_on: ['b'] }),
      node('e', { status: 'skipped' }),
    ]
    const now = start + 1000
    const axis = axisOf({ status: 'running', ...times(0, null) }, nodes, now)
    const [, b, c, d, e] = bars(nodes, axis, now)
    expect(b).toEqual({ queued: null, ran: { start: 0.5, width: 0.5 } })
    expect(c).toEqual({ queued: { start: 0.5, width: 0.5 }, ran: null })
    expect(d).toEqual({ queued: null, ran: null })
    expect(e).toEqual(d)
  })
  it('leave out what was taken over from an earlier job run: its times lie on another axis', () => {
    const nodes = [ran('old', -100_000, -90_000, { reason: 'reused' }), ran('new', 0, 100, { depends_on: ['old'] })]
    const axis = axisOf({ status: 'completed', ...times(0, 100) }, nodes, 0)
    expect(axis).toEqual({ from: start, to: start + 100 })
    expect(bars(nodes, axis, 0)[0]).toEqual({ queued: null, ran: null })
  })
  it('reach beyond the duration by the time that the job run waited, however short', () => {
    const ended = { status: 'failed', started_at: iso(0), running_since: null, completed_at: iso(900) } as const
    expect(waitedMs({ ...ended, ran_ms: 755 }, start)).toBe(145)
    expect(waitedMs({ ...ended, ran_ms: 900 }, start)).toBe(0)
    const resumed = { ...ended, status: 'running', running_since: iso(700), completed_at: null } as const
    expect(waitedMs({ ...resumed, ran_ms: 500 }, start)).toBe(200)
    expect(waitedMs({ ...resumed, running_since: iso(0), ran_ms: 0 }, start)).toBe(0)
  })
  it('reach beyond the duration by the wait at a gate, which grows until it is approved', () => {
    const paused = { status: 'paused', started_at: iso(0), running_since: null, completed_at: null } as const
    expect(waitedMs({ ...paused, ran_ms: 700 }, start + 1000)).toBe(300)
    expect(waitedMs({ ...paused, ran_ms: 700 }, start + 2000)).toBe(1300)
  })
  it('count no pause: neither while the job run runs, nor while it is paused, nor at its end', () => {
    const run = { started_at: iso(0), running_since: iso(700), ran_ms: 500, duration_ms: null }
    expect(knownDuration(run)).toBeNull()
    expect(knownDuration({ ...run, running_since: null })).toBe(500)
    expect(knownDuration({ ...run, running_since: null, duration_ms: 900, ran_ms: 900 })).toBe(900)
    expect(knownDuration({ started_at: null, running_since: null, ran_ms: 0, duration_ms: null })).toBeNull()
  })
  it('are of the times of the job run itself: a reused task took none there', () => {
    expect(ownDuration(ran('old', 0, 442))).toBe(442)
    expect(ownDuration(ran('old', 0, 442, { reason: 'reused' }))).toBeNull()
  })
  it('are visible however short, and never leave the axis', () => {
    const nodes = [ran('instant', 100_000, 100_000), ran('long', 0, 100_000)]
    const axis = axisOf({ status: 'completed', ...times(0, 100_000) }, nodes, 0)
    const [instant] = bars(nodes, axis, 0)
    expect(instant?.ran?.width).toBeGreaterThan(0)
    expect((instant?.ran?.start ?? 2) + (instant?.ran?.width ?? 0)).toBeLessThanOrEqual(1)
    expect(itemBar(item(0, { started_at: iso(50_000), completed_at: iso(75_000) }), axis, 0).ran).toEqual({
      start: 0.5,
      width: 0.25,
    })
  })
  it('keep their room beside a gate that was open for long: the axis draws its wait as long as all that ran', () => {
    const hour = 3_600_000
    const nodes = [ran('a', 0, 100), ran('gate', 100, hour, { kind: 'gate' }), ran('b', hour, hour + 100)]
    const axis = axisOf({ status: 'completed', ...times(0, hour + 100) }, nodes, 0)
    expect(bars(nodes, axis, 0).map(({ ran }) => ran)).toEqual([
      { start: 0, width: 0.25 },
      { start: 0.25, width: 0.5 },
      { start: 0.75, width: 0.25 },
    ])
    const busy = [ran('long', 0, hour), ...nodes.slice(1)]
    expect(axisOf({ status: 'completed', ...times(0, hour + 100) }, busy, 0).wait).toBeUndefined()
  })
  it('stand on an axis even before anything began', () => {
    const nodes = [node('a')]
    const axis = axisOf({ status: 'pending', ...times(null, null) }, nodes, start)
    expect(axis.to).toBeGreaterThan(axis.from)
    expect(bars(nodes, axis, start)).toEqual([{ queued: null, ran: null }])
  })
  it.each([
    [900, 4, ['0', '500 ms']],
    [9000, 4, ['0', '5 s']],
    [75_000, 4, ['0', '30 s', '1 min']],
    // A line at the end would be one without a word.
    [130_000, 4, ['0', '1 min']],
    [5 * 3_600_000, 4, ['0', '2 h', '4 h']],
    [40 * 86_400_000, 4, ['0', '10 d', '20 d', '30 d']],
  ])('%d ms have %d ticks at most', (length, most, texts) => {
    expect(ticksOf({ from: 0, to: length }, most).map((tick) => tick.text)).toEqual(texts)
  })
  it('names times shortly', () => {
    expect([0, 20, 5000, 120_000, 7_200_000, 172_800_000].map(tickText)).toEqual([
      '0',
      '20 ms',
      '5 s',
      '2 min',
      '2 h',
      '2 d',
    ])
  })
})

describe('the tree', () => {
  const items = [item(0), item(1), item(2)]
  const each = node('each', { for_each: true, item_total: 5, items: items.slice(0, 2) })
  const nodes = [node('a'), each, node('z')]
  const ids = (unfolded: string[], loaded = new Map<string, never>()) =>
    treeRows(nodes, new Set(unfolded), loaded).map((row) => row.id)

  it('shows items below an unfolded task, those that came with it until the list is here', () => {
    expect(ids([])).toEqual(['a', 'each', 'z'])
    expect(ids(['each'])).toEqual(['a', 'each', 'each[0]', 'each[1]', 'each[more]', 'z'])
    const loaded = new Map([['each', { items, hasMore: true, failed: false }]])
    const rows = treeRows(nodes, new Set(['each']), loaded)
    expect(rows.map((row) => row.id)).toEqual(['a', 'each', 'each[0]', 'each[1]', 'each[2]', 'each[more]', 'z'])
    expect(rows[5]).toMatchObject({ kind: 'more', left: 2 })
  })
  it('goes by keys: down and up, into an unfolded task, back to it, and folds', () => {
    const rows = treeRows(nodes, new Set(['each']), new Map())
    const move = (key: string, at: number, open = ['each']) => treeMove(key, rows, at, new Set(open), 10)
    expect(move('ArrowDown', 0)).toEqual({ kind: 'go', index: 1 })
    expect(move('ArrowUp', 0)).toEqual({ kind: 'go', index: 0 })
    expect(move('End', 0)).toEqual({ kind: 'go', index: 5 })
    expect(move('ArrowRight', 1)).toEqual({ kind: 'go', index: 2 })
    expect(move('ArrowRight', 1, [])).toEqual({ kind: 'fold', key: 'each', open: true })
    expect(move('ArrowLeft', 3)).toEqual({ kind: 'go', index: 1 })
    expect(move('ArrowLeft', 1)).toEqual({ kind: 'fold', key: 'each', open: false })
    expect(move('ArrowLeft', 0)).toBeNull()
    expect(move('x', 0)).toBeNull()
  })
  it('shows the value of an item in one line', () => {
    expect([itemText('eu'), itemText({ a: 1 }), itemText(null), itemText(undefined)]).toEqual([
      'eu',
      '{"a":1}',
      'null',
      '',
    ])
  })
})

describe('what may be done', () => {
  it('follows the state of the job run', () => {
    const table = (['pending', 'running', 'paused', 'completed', 'failed', 'cancelled'] as const).map((status) => [
      status,
      mayPause(status),
      mayResume(status),
      mayCancel(status),
      mayRerun(status),
    ])
    expect(table).toEqual([
      ['pending', false, false, true, false],
      ['running', true, false, true, false],
      ['paused', false, true, true, true],
      ['completed', false, false, false, true],
      ['failed', false, true, false, true],
      ['cancelled', false, false, false, true],
    ])
  })
  it('begins a rerun of what failed at failed and cancelled tasks', () => {
    const nodes = [
      ran('a', 0, 1),
      node('b', { status: 'failed' }),
      node('c', { status: 'cancelled', depends_on: ['b'] }),
    ]
    expect(failedKeys(nodes)).toEqual(['b', 'c'])
    expect(dependents('b', nodes)).toEqual(['c'])
  })
})

describe('a completed job run', () => {
  it('looks like a success only without any blemish', () => {
    expect(jobRunLook({ pause_reason: null, status: 'completed', task_counts: { success: 3, skipped: 1 } })).toBe(
      'success',
    )
    expect(jobRunLook({ pause_reason: null, status: 'completed', task_counts: { success: 3, failed: 1 } })).toBe(
      'completed',
    )
    expect(jobRunLook({ pause_reason: null, status: 'completed', task_counts: { completed: 1 } })).toBe('completed')
    expect(jobRunLook({ pause_reason: null, status: 'failed', task_counts: { failed: 1 } })).toBe('failed')
  })
})

describe('comparing two job runs', () => {
  it('puts tasks that differ first and says in what', () => {
    const a = [ran('same', 0, 100), ran('slow', 0, 100, { item_count: 5 }), ran('gone', 0, 1)]
    const b = [
      ran('same', 0, 300),
      ran('new', 0, 1),
      ran('slow', 0, 400, { item_count: 7, task_version: 2, status: 'failed', overridden: true }),
    ]
    const compared = compareTasks(a, b)
    expect(compared.map((task) => [task.key, task.differs])).toEqual([
      ['new', ['presence']],
      ['slow', ['status', 'version', 'override', 'rows']],
      ['gone', ['presence']],
      ['same', []],
    ])
    expect(compared[1]).toMatchObject({ duration: 300, rows: 2, rejected: null })
  })

  it('counts a task that only one of them ran as a difference, but compares no durations then', () => {
    const [mended, kept, both] = compareTasks(
      [ran('both', 0, 5, { reason: 'reused' }), ran('kept', 0, 100), ran('mended', 0, 5, { status: 'failed' })],
      [ran('both', 0, 5, { reason: 'reused' }), ran('kept', 0, 100, { reason: 'reused' }), ran('mended', 0, 5)],
    )
    expect(mended).toMatchObject({ key: 'mended', differs: ['status'] })
    expect(kept).toMatchObject({ differs: ['reused'], duration: null })
    expect(both).toMatchObject({ differs: [], duration: null })
    expect([mended, kept, both].map((task) => task && onlyReused(task))).toEqual([false, true, false])
  })

  it('does not compare how long gates waited', () => {
    const [gate] = compareTasks([ran('ask', 0, 100, { kind: 'gate' })], [ran('ask', 0, 900, { kind: 'gate' })])
    expect(gate).toMatchObject({ differs: [], duration: null })
  })
})

describe('events of job runs', () => {
  const event = (type: 'job_run.created' | 'job_run.changed' | 'job_run.progress', data = {}) =>
    effectOf({ id: 1, type, at: iso(0), entity_id: 7, data })
  it('refresh the plan of the job run they speak of, and put its new state into lists at once', () => {
    expect(event('job_run.created').refreshLists).toContain('listAllJobRuns')
    const changed = event('job_run.changed', { status: 'failed' })
    expect(changed.patch).toEqual({ record: 'getJobRun', list: 'listAllJobRuns', id: 7, fields: { status: 'failed' } })
    expect(changed.refreshRecords).toContainEqual({ op: 'getJobRunGraph', id: 7 })
    expect(event('job_run.progress', { task_keys: ['a'] }).refreshLists).toContain('listAllJobRuns')
    expect(event('job_run.progress').refreshRecords).toContainEqual({ op: 'listJobRunItems', id: 7 })
  })
})

it('a failed job run names the task whose failure it retells, and says itself what no task says', () => {
  const nodes = [
    ran('late', 0, 20, { status: 'failed', error_message: 'No rows.' }),
    ran('early', 0, 10, { status: 'failed', error_message: 'No rows.' }),
    ran('fine', 0, 30),
  ]
  const failing = (error_message: string | null) => failingNode({ error_message }, nodes)
  expect(failing('Task late failed: No rows. 1 more failed or was cancelled.')).toEqual({
    key: 'late',
    kind: 'task',
    reason: 'No rows.',
    others: 1,
  })
  expect(failing('Task early failed, which stops the job run: No rows.')?.key).toBe('early')
  expect(failing(null)?.key).toBe('early')
  expect(failing('The job run took longer than 10 minutes.')).toBeNull()
  expect(failingNode({ error_message: 'The job is gone.' }, [])).toBeNull()
})
