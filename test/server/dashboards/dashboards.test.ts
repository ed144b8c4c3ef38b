import { expect, test } from 'vitest'
import type { DashboardDetail, WidgetOptionsResponse } from '../../../src/contract/dashboards.ts'
import type { WidgetData } from '../../../src/contract/dashboard-views.ts'
import type { JobSnapshot, JobUpgrade } from '../../../src/contract/jobs.ts'
import type { JobRun } from '../../../src/contract/job-runs.ts'
import { definitions } from '../../../src/server/features/metrics/metrics.rules.ts'
import { dashboardMetrics } from '../../../src/language/dashboard/metric-names.ts'
import { madeOf, rowsOfOutput } from '../../../src/server/features/dashboards/made-rows.rules.ts'
import { createTestClock } from '../../support/platform.ts'
import { dashboardWorld, dashboardYaml } from './dashboard-world.ts'

test('a dashboard knows exactly the metrics that there are', () => {
  const { item_count: _, ...names } = dashboardMetrics
  expect(Object.keys(names)).toEqual([...definitions.keys()])
})

test('a job gets the dashboards of its template when it is made, and others when it is upgraded', async () => {
  const { editor, jobId, dashboard, path } = await dashboardWorld()
  expect(dashboard).toMatchObject({ name: 'overview', template_version: 1, job_name: 'nightly eu', widget_count: 9 })
  expect(dashboard.view.widgets.map(({ id }) => id)).toContain('trend')
  const snapshot = (await editor.get(`/api/jobs/${jobId}/snapshot`)).body as JobSnapshot
  expect(snapshot.dashboard_templates).toMatchObject([{ name: 'overview', version: 1, yaml_content: dashboardYaml() }])

  await editor.put(path, { state: { forms: { setup: { day: '2026-02-01' } } } })
  const id = dashboard.dashboard_template_id
  const changed = dashboardYaml('  - {id: note, type: text, text: Hello, at: [0, 8, 3, 1]}\n')
  await editor.put(`/api/dashboard-templates/${id}`, { yaml_content: changed })
  const dry = (await editor.post(`/api/jobs/${jobId}/upgrade`, { dry_run: true })).body as JobUpgrade
  expect(dry).toMatchObject({
    changed: true,
    dashboards: [{ name: 'overview', change: 'changed', from_version: 1, to_version: 2, after: changed }],
  })
  expect(((await editor.get(path)).body as DashboardDetail).template_version).toBe(1)
  await editor.post(`/api/jobs/${jobId}/upgrade`)
  const after = (await editor.get(path)).body as DashboardDetail
  expect(after).toMatchObject({ id: dashboard.id, template_version: 2, widget_count: 10 })
  expect(JSON.parse(after.state)).toEqual({ forms: { setup: { day: '2026-02-01' } } })

  await editor.patch(`/api/dashboard-templates/${id}/archive`)
  const gone = (await editor.post(`/api/jobs/${jobId}/upgrade`)).body as JobUpgrade
  expect(gone.dashboards).toMatchObject([{ change: 'removed' }])
  expect((await editor.get(path)).status).toBe(404)
})

test('dashboards are sorted by name, either way', async () => {
  const { editor, dashboard } = await dashboardWorld()
  for (const order of ['asc', 'desc'])
    expect((await editor.get(`/api/dashboards?sort=name&order=${order}`)).body).toMatchObject({
      result: [{ id: dashboard.id }],
    })
})

test('rows are made once for all who ask, with every value bound, and told as cut when there are more', async () => {
  const { editor, path, query, give } = await dashboardWorld({ clock: createTestClock() })
  const ask = (body = {}) => editor.post(`${path}/widgets/trend/data`, body)
  const asked = [ask(), ask(), editor.post(`${path}/widgets/rows/data`, {})]
  const plan = await query()
  expect(plan.query).toBe('SELECT day, total FROM daily WHERE day >= :from AND region IN (:region__1) AND at >= :since')
  expect(plan.parameters).toMatchObject({ from: '2026-01-01', region__1: 'eu' })
  await give(
    plan,
    ['day', 'total'],
    [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
      ['d', '4'],
    ],
  )
  const [first, second, table] = (await Promise.all(asked)).map(({ body }) => body as WidgetData)
  expect(first).toMatchObject({
    rows: [
      ['a', '1'],
      ['b', '2'],
      ['c', '3'],
    ],
    truncated: { by: 'rows', limit: 3 },
  })
  expect(second).toEqual(first)
  expect(table?.as_of).toBe(first?.as_of)

  const other = ask({ filters: { region: ['eu', 'us'] } })
  const next = await query()
  expect(next.parameters).toMatchObject({ region__1: 'eu', region__2: 'us' })
  await give(next, ['day', 'total'], [])
  expect((await other).body).toMatchObject({ rows: [], truncated: null })

  const none = ask({ filters: { region: [] } })
  const empty = await query()
  expect(empty.query).toContain('IN (NULL)')
  await give(empty, ['day', 'total'], [])
  await none
})

test('the rows behind a mark are looked for in all rows, not in the first ones', async () => {
  const more =
    '  - {id: by_day, type: chart, chart: bar, data: revenue, x: day, y: [total], drill: revenue, at: [0, 8, 6, 4]}\n'
  const { editor, path, query, give } = await dashboardWorld({ clock: createTestClock() }, dashboardYaml(more))
  const rows = [...Array.from({ length: 50 }, (_, n) => ['a', String(n)]), ['b', '1'], [null, '2'], ['b', '3']]
  const ask = async (body: object, isNew = true) => {
    const asked = editor.post(`${path}/widgets/by_day/data`, body)
    if (isNew) await give(await query(), ['day', 'total'], rows)
    return ((await asked).body as WidgetData).rows
  }
  const drill_by = { day: 'b', nothing: 'x' }
  const behind = [
    ['b', '1'],
    ['b', '3'],
  ]
  expect(await ask({ drill: true, drill_by })).toEqual(behind)
  expect(await ask({ drill: true, drill_by }, false)).toEqual(behind)
  expect(await ask({ drill: true, drill_by: { day: null } })).toEqual([[null, '2']])
  expect(await ask({ drill: true })).toHaveLength(3)
  expect(await editor.post(`${path}/widgets/by_day/data`, { drill: true, drill_by: { day: 1 } })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.drill_by.day' }] },
  })
})

test('a value of another mark that is too long ends nothing, and one of the mark says that rows are cut', async () => {
  const more =
    '  - {id: by_day, type: chart, chart: bar, data: revenue, x: day, y: [total], drill: revenue, at: [0, 8, 6, 4]}\n'
  const { editor, path, query, executor } = await dashboardWorld({ clock: createTestClock() }, dashboardYaml(more))
  const rows = [
    ['a', 'long…'],
    ['b', '1'],
    ['b', '2'],
  ]
  const behind = async (day: string) => {
    const asked = editor.post(`${path}/widgets/by_day/data`, { drill: true, drill_by: { day } })
    const plan = await query()
    const fields = ['day', 'total'].map((name) => ({ name, type: 'text' as const, native: 'text' }))
    const cut = [{ row: 0, field: 1, length: 1_000_000 }]
    await executor.chunk(plan.result_id, { seq: 1, rows: 3, start: { fields, statement: '' }, cut, total: 3 }, rows)
    return (await asked).body as WidgetData
  }
  expect(await behind('b')).toMatchObject({ rows: rows.slice(1), truncated: null })
  expect(await behind('a')).toMatchObject({ rows: rows.slice(0, 1), truncated: { by: 'bytes' } })
})

test('rows of outputs are narrowed before they are limited', () => {
  const all = rowsOfOutput([...Array.from({ length: 20 }, () => ({ kind: 'a' })), { kind: 'b' }, { kind: 'b' }])
  expect(madeOf(all, 10, { kind: 'b' })).toMatchObject({ rows: [[{ text: 'b' }], [{ text: 'b' }]], truncated: null })
  expect(madeOf(all, 10, undefined)).toMatchObject({ truncated: { by: 'rows', limit: 10 } })
})

test('all rows of a table are a file: beyond its limits, in its columns, with long values whole', async () => {
  const more = '  - {id: totals, type: table, data: revenue, columns: [total, day, gone], at: [0, 8, 6, 4]}\n'
  const { editor, path, query, executor } = await dashboardWorld({}, dashboardYaml(more))
  const asked = editor.post(`${path}/widgets/totals/export`, { filters: { region: ['us'] } })
  const plan = await query()
  expect(plan.parameters).toMatchObject({ region__1: 'us' })
  const fields = ['day', 'total'].map((name) => ({ name, type: 'text' as const, native: 'text' }))
  const long = 'long "text" '.repeat(1_000)
  const { result_id } = plan
  await executor.chunk(result_id, { seq: 1, rows: 2, start: { fields, statement: '' } }, [
    ['a', '1'],
    ['', null],
  ])
  const cell = JSON.stringify(long)
  await executor.attend(result_id, 0)
  await executor.chunk(result_id, { seq: 2, rows: 0, cell: { row: 2, field: 0 } }, cell.slice(0, 500))
  await executor.attend(result_id, 1)
  await executor.chunk(result_id, { seq: 3, rows: 0, cell: { row: 2, field: 0 } }, cell.slice(500))
  await executor.attend(result_id, 2)
  const cut = [{ row: 2, field: 0, length: long.length }]
  await executor.chunk(result_id, { seq: 4, rows: 3, cut, total: 5 }, [
    ['long', '2'],
    ['b,c', ' 3'],
    ['d', '4'],
  ])
  const answer = await asked
  expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(answer.body).toBe(
    ['total,day', '1,a', ',""', `2,"${long.replaceAll('"', '""')}"`, '" 3","b,c"', '4,d', ''].join('\r\n'),
  )
  const runs = (await editor.post(`${path}/widgets/past/export`)).body
  expect(runs).toBe('id,status,started_at,completed_at,duration_ms,item_count\r\n')
})

test('all rows of an output are a file, where the widget shows only the first', async () => {
  const yaml = dashboardYaml('  - {id: numbers, type: table, data: numbers, at: [0, 8, 6, 4]}\n').replace(
    'data:\n',
    'data:\n  numbers: {output: {task: copy, name: numbers}}\n',
  )
  const { editor, path, jobId, executor } = await dashboardWorld({}, yaml)
  await editor.post(`/api/jobs/${jobId}/run`)
  const { runs } = await executor.claim({ slots: 1, wait_ms: 5_000 })
  const numbers = Array.from({ length: 12_000 }, (_, n) => n % 10)
  expect(await executor.complete(runs[0]!, { outputs: { numbers } })).toMatchObject({ status: 200 })
  const shown = (await editor.post(`${path}/widgets/numbers/data`, {})).body as WidgetData
  expect([shown.rows.length, shown.truncated?.by]).toEqual([10_000, 'rows'])
  const file = String((await editor.post(`${path}/widgets/numbers/export`)).body)
  expect(file).toBe(`value\r\n${numbers.map((number) => `${number}\r\n`).join('')}`)
})

test('filters that do not exist, have wrong values, or a window that is too long are refused at their place', async () => {
  const { editor, path } = await dashboardWorld()
  const answer = await editor.post(`${path}/widgets/trend/data`, {
    filters: { fom: 'x', from: 'yesterday', region: ['mars'] },
    time_window: { last_ms: 90 * 86_400_000 },
  })
  expect(answer).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR', message: 'Invalid input' } })
  expect((answer.body as { details: { path: string }[] }).details.map((one) => one.path)).toEqual([
    'body.filters.fom',
    'body.filters.from',
    'body.filters.region',
    'body.time_window',
  ])
  expect((await editor.post(`${path}/widgets/none/data`, {})).status).toBe(404)
})

test('a widget that fails says why and is made again when someone asks', async () => {
  const { editor, path, query, give, executor } = await dashboardWorld()
  const asked = editor.post(`${path}/widgets/trend/data`, {})
  const plan = await query()
  await executor.chunk(plan.result_id, {
    seq: 1,
    rows: 0,
    error: { code: 'CONNECTOR_ERROR', message: 'relation "daily" does not exist' },
  })
  expect(await asked).toMatchObject({ status: 502, body: { error: 'CONNECTOR_ERROR' } })
  const again = editor.post(`${path}/widgets/trend/data`, {})
  await give(await query(), ['day', 'total'], [['a', '1']])
  expect(await again).toMatchObject({ status: 200, body: { rows: [['a', '1']] } })
})

test('rows are made again when they are old, when someone asks for it, and when the job has run', async () => {
  const clock = createTestClock()
  const { editor, path, query, give, jobId } = await dashboardWorld({ clock })
  const ask = async (total: string, body = {}) => {
    const asked = editor.post(`${path}/widgets/trend/data`, body)
    await give(await query(), ['day', 'total'], [['a', total]])
    return ((await asked).body as WidgetData).rows
  }
  const cached = async () => ((await editor.post(`${path}/widgets/trend/data`, {})).body as WidgetData).rows
  expect(await ask('1')).toEqual([['a', '1']])
  expect(await cached()).toEqual([['a', '1']])
  clock.advance(301_000)
  expect(await ask('2')).toEqual([['a', '2']])
  clock.advance(2_000)
  expect(await ask('3', { refresh: true })).toEqual([['a', '3']])
  const run = (await editor.post(`/api/jobs/${jobId}/run`)).body as JobRun
  await editor.post(`/api/job-runs/${run.id}/cancel`)
  await expect.poll(async () => ((await editor.get(`/api/job-runs/${run.id}`)).body as JobRun).status).toBe('cancelled')
  expect(await ask('4')).toEqual([['a', '4']])
})

test('at most two queries of a connector run at a time', async () => {
  const { editor, path, query, give, executor } = await dashboardWorld()
  const asked = ['2026-01-02', '2026-01-03', '2026-01-04'].map((from) =>
    editor.post(`${path}/widgets/trend/data`, { filters: { from } }),
  )
  const plans = [await query(), await query()]
  expect((await executor.claim({ result_slots: 4, wait_ms: 200 })).results).toEqual([])
  for (const plan of plans) await give(plan, ['day', 'total'], [])
  await give(await query(), ['day', 'total'], [])
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('runs and metrics need no executor', async () => {
  const { editor, path, jobId } = await dashboardWorld()
  const run = (await editor.post(`/api/jobs/${jobId}/run`)).body as JobRun
  const data = async (widget: string) => (await editor.post(`${path}/widgets/${widget}/data`, {})).body as WidgetData
  expect((await data('past')).rows[0]?.slice(0, 2)).toEqual([run.id, expect.stringMatching(/pending|running/)])
  expect((await data('status')).run).toMatchObject({ kind: 'job_run', id: run.id })
  expect((await data('loads')).rows).toHaveLength(7)
})

test('before the job, a metric that counts knows as little as one that divides', async () => {
  const { editor, path, jobId } = await dashboardWorld()
  await editor.post(`/api/jobs/${jobId}/run`)
  const { rows } = (await editor.post(`${path}/widgets/loads/data`, {})).body as WidgetData
  expect(rows.map(([, value]) => value === null)).toEqual([true, true, true, true, true, true, false])
})

test('options are searched and paged by the database, and chosen values keep their label', async () => {
  const { editor, path, query, give } = await dashboardWorld()
  const options = (body: object) => editor.post(`${path}/widgets/setup/options`, body)
  const asked = options({ side: 'region', q: 'eu', value: { day: '2026-02-01', region: ['zz'] } })
  const plan = await query()
  expect(plan.parameters).toEqual({ cursor: null, search: 'eu', limit: 3, day: '2026-02-01' })
  await give(
    plan,
    ['value', 'label'],
    [
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ],
  )
  const chosen = await query()
  expect(chosen.query).toMatch(
    /^SELECT \* FROM \(\nSELECT code.*\n\) AS headgate_options WHERE CAST\(.*IN \(:headgate_chosen__1\)$/s,
  )
  expect(chosen.parameters).toMatchObject({ headgate_chosen__1: 'zz', search: '', cursor: null })
  await give(chosen, ['value', 'label'], [['zz', 'Zanzibar']])
  const page = (await asked).body as WidgetOptionsResponse
  expect(page).toMatchObject({
    options: [
      { value: 'a', label: 'A' },
      { value: 'b', label: 'B' },
    ],
    selected: [{ value: 'zz', label: 'Zanzibar' }],
  })
  const next = options({ side: 'region', q: 'eu', value: { day: '2026-02-01' }, cursor: page.next_cursor })
  const after = await query()
  expect(after.parameters).toMatchObject({ cursor: 'b' })
  await give(after, ['value', 'label'], [['c', 'C']])
  expect((await next).body).toMatchObject({ options: [{ value: 'c' }], next_cursor: null })
  for (const body of [{ side: 'region', cursor: 'AAAA' }, { side: 'nothing' }, {}, { side: 'day' }]) {
    expect(await options(body)).toMatchObject({ status: 400, body: { message: 'Invalid input' } })
  }
  expect((await editor.post(`${path}/widgets/none/options`, {})).status).toBe(404)
})

test('options of a query that does not page are searched and paged here', async () => {
  const { editor, path, query, give } = await dashboardWorld()
  const ask = (body: object) => editor.post(`${path}/widgets/map/options`, body)
  const asked = ask({ side: 'source', value: { id: 'name' } })
  await give(
    await query(),
    ['value', 'label'],
    [
      ['id', 'Id'],
      ['email', 'E-mail'],
      ['name', 'Name'],
    ],
  )
  const first = (await asked).body as WidgetOptionsResponse
  expect(first.options.map(({ value }) => value)).toEqual(['id', 'email'])
  expect(first.selected).toEqual([{ value: 'name', label: 'Name' }])
  const second = (await ask({ side: 'source', cursor: first.next_cursor })).body as WidgetOptionsResponse
  expect(second).toMatchObject({ options: [{ value: 'name' }], next_cursor: null })
  expect((await ask({ side: 'target', q: 'MAIL' })).body).toMatchObject({ options: [{ value: 'email' }] })
})

test('a run that a rerun took over is one run', async () => {
  const more = '  - {id: copies, type: run_list, task: copy, last: 5, at: [0, 8, 6, 2]}\n'
  const { editor, path, jobId, platform } = await dashboardWorld({}, dashboardYaml(more))
  const first = (await editor.post(`/api/jobs/${jobId}/run`, {})).body as JobRun
  const second = (await editor.post(`/api/jobs/${jobId}/run`, {})).body as JobRun
  platform.store.sqlite
    .prepare(
      'UPDATE job_run_items SET run_id = (SELECT run_id FROM job_run_items WHERE job_run_id = ?) WHERE job_run_id = ?',
    )
    .run(first.id, second.id)
  const { rows } = (await editor.post(`${path}/widgets/copies/data`, {})).body as WidgetData
  expect(rows).toHaveLength(1)
})

test('options are not cut at the rows of a widget, and say what is not among them', async () => {
  const yaml = dashboardYaml().replace('fields: {connector: dw,', 'fields: {connector: dw, max_rows: 2,')
  const { editor, path, query, give } = await dashboardWorld({}, yaml)
  const ask = (q: string) => editor.post(`${path}/widgets/map/options`, { side: 'target', q })
  const asked = ask('2499')
  const names = Array.from({ length: 2_500 }, (_, at) => [`n${at}`, `Name ${at}`])
  await give(await query(), ['value', 'label'], names)
  expect((await asked).body).toMatchObject({ options: [{ value: 'n2499' }], truncated: null })
})

test('options beyond the limit of rows are told, and a page that the limit of bytes has cut goes on', async () => {
  const { editor, path, query, give } = await dashboardWorld()
  const whole = editor.post(`${path}/widgets/map/options`, { side: 'target' })
  await give(
    await query(),
    ['value', 'label'],
    Array.from({ length: 10_001 }, (_, at) => [`n${at}`, 'x']),
  )
  expect((await whole).body).toMatchObject({ truncated: { by: 'rows', limit: 10_000 } })
  const page = editor.post(`${path}/widgets/setup/options`, { side: 'region' })
  const long = 'x'.repeat(1_500_000)
  await give(
    await query(),
    ['value', 'label'],
    [
      ['a', long],
      ['b', long],
    ],
  )
  const { options, next_cursor } = (await page).body as WidgetOptionsResponse
  expect(options.map(({ value }) => value)).toEqual(['a'])
  const next = editor.post(`${path}/widgets/setup/options`, { side: 'region', cursor: next_cursor })
  const plan = await query()
  expect(plan.parameters).toMatchObject({ cursor: 'a' })
  await give(plan, ['value', 'label'], [['b', 'B']])
  expect((await next).body).toMatchObject({ options: [{ value: 'b' }], next_cursor: null, truncated: null })
})

test('a button starts the job with what was entered, and names what is missing or wrong at its place', async () => {
  const { editor, path, as } = await dashboardWorld()
  const submit = (body: object) => editor.post(`${path}/widgets/go/submit`, body)
  const missing = await submit({ values: { oops: 1 } })
  expect(missing).toMatchObject({ status: 400 })
  expect((missing.body as { details: { path: string; code: string }[] }).details).toMatchObject([
    { path: 'body.values.oops', code: 'form_field_unknown' },
    { path: 'body.values.day', code: 'form_field_required' },
    { path: 'body.mappings.map', code: 'mapping_target_missing' },
  ])
  const wrong = await submit({ values: { day: 'soon' }, mappings: { map: { id: 'id' } } })
  expect((wrong.body as { details: { path: string }[] }).details).toMatchObject([{ path: 'body.values.day' }])
  await editor.put(path, { state: { forms: { setup: { region: ['eu'] } }, mappings: { map: { id: 'key' } } } })
  const run = (await submit({ values: { day: '2026-03-01' } })).body as JobRun
  expect(JSON.parse(run.arguments!)).toEqual({ day: '2026-03-01', regions: ['eu'], mapping: { id: 'key' } })
  expect((await as('viewer').post(`${path}/widgets/go/submit`, {})).status).toBe(403)
})

test('text that is not saved is tried with the data of a job, and made once while its data stays the same', async () => {
  const { editor, jobId, query, give } = await dashboardWorld()
  const ask = (yaml_content: string, more: object = {}) =>
    editor.post('/api/dashboard-templates/preview', { yaml_content, job_id: jobId, widget_id: 'trend', ...more })
  const first = ask(dashboardYaml(), { filters: { region: ['us'] } })
  const plan = await query()
  expect(plan.query).toContain('FROM daily WHERE day >= :from AND region IN (:region__1)')
  expect(plan.parameters).toMatchObject({ from: '2026-01-01', region__1: 'us' })
  await give(plan, ['day', 'total'], [['a', '1']])
  expect(await first).toMatchObject({ status: 200, body: { widget_id: 'trend', rows: [['a', '1']] } })
  // Where it stands and what it is called says nothing about its data.
  const moved = dashboardYaml().replace('at: [0, 0, 6, 4]', 'title: Revenue, at: [0, 0, 5, 4]')
  expect(await ask(moved, { filters: { region: ['us'] } })).toMatchObject({ body: { rows: [['a', '1']] } })
  const changed = ask(dashboardYaml().replace('SELECT day, total', 'SELECT day, 2 * total AS total'))
  const second = await query()
  expect(second.query).toContain('2 * total')
  await give(second, ['day', 'total'], [['a', '2']])
  expect(await changed).toMatchObject({ body: { rows: [['a', '2']] } })
})

test('a preview names what is wrong with the text at its line, and needs a job and a widget that are there', async () => {
  const { editor, as, jobId } = await dashboardWorld()
  const ask = (body: object, client = editor) =>
    client.post('/api/dashboard-templates/preview', {
      yaml_content: dashboardYaml(),
      job_id: jobId,
      widget_id: 'past',
      ...body,
    })
  const broken = await ask({ yaml_content: dashboardYaml().replace('data: history', 'data: histroy') })
  expect(broken).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  expect((broken.body as { details: object[] }).details).toContainEqual(
    expect.objectContaining({ path: 'body.yaml_content.widgets[3].data', code: 'unknown_data', line: 24 }),
  )
  expect((await ask({ job_id: jobId + 1000 })).status).toBe(404)
  expect((await ask({ widget_id: 'gone' })).status).toBe(404)
  expect(await ask({ widget_id: 'setup' })).toMatchObject({ status: 400, body: { error: 'INVALID_STATE' } })
  expect(await ask({})).toMatchObject({ status: 200, body: { fields: expect.any(Array), rows: [] } })
  // Its query is written by the caller: a viewer would read what no dashboard shows.
  expect((await ask({}, as('viewer'))).status).toBe(403)
})

test('a state beyond 256 KiB is refused with both sizes, and the saved one stays', async () => {
  const { editor, path } = await dashboardWorld()
  const stateOf = (bytes: number) => {
    const empty = Buffer.byteLength(JSON.stringify({ forms: { setup: { day: '' } } }))
    const left = bytes - empty
    return { forms: { setup: { day: 'ü'.repeat(Math.floor(left / 2)) + 'a'.repeat(left % 2) } } }
  }
  const most = stateOf(256 * 1024)
  expect((await editor.put(path, { state: most })).status).toBe(200)
  const more = await editor.put(path, { state: stateOf(256 * 1024 + 1) })
  expect(more).toMatchObject({
    status: 400,
    body: { error: 'VALIDATION_ERROR', details: [{ path: 'body.state', code: 'dashboard_state_large' }] },
  })
  expect(JSON.stringify(more.body)).toContain('at most 256 KiB as JSON; it has 257 KiB')
  const kept = (await editor.get(path)).body as { state: string }
  expect(JSON.parse(kept.state)).toEqual(most)
})

test('values for forms, fields, and mappings that there are not are refused at their place, and nothing is saved', async () => {
  const { editor, path } = await dashboardWorld()
  const saved = { forms: { setup: { day: '2026-02-01' } }, mappings: { map: { id: 'order_id' } } }
  expect((await editor.put(path, { state: saved })).status).toBe(200)
  const refused = await editor.put(path, {
    state: {
      forms: { setup: { day: '2026-02-02', other: 1 }, nothing: { day: 1 }, trend: {} },
      mappings: { setup: { id: 'x' } },
      labels: { 'setup/day': { a: 'A' }, 'setup/other': {}, 'map/middle': {} },
    },
  })
  expect(refused).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
  const { details } = refused.body as { details: { path: string; code: string }[] }
  expect(details.map(({ path: at, code }) => [at, code])).toEqual([
    ['body.state.forms.setup.other', 'form_field_unknown'],
    ['body.state.forms.nothing', 'form_unknown'],
    ['body.state.forms.trend', 'form_unknown'],
    ['body.state.mappings.setup', 'field_mapping_unknown'],
    ['body.state.labels.setup/other', 'label_side_unknown'],
    ['body.state.labels.map/middle', 'label_side_unknown'],
  ])
  const { state } = (await editor.get(path)).body as DashboardDetail
  expect(JSON.parse(state)).toEqual(saved)
  const labels = { 'setup/region': { eu: 'Europe' }, 'map/target': { id: 'Order' } }
  expect((await editor.put(path, { state: { ...saved, labels } })).status).toBe(200)
})

test('what was entered in a form that an upgrade took away hinders nobody, and is there when the form comes back', async () => {
  const { editor, jobId, dashboard, path } = await dashboardWorld()
  const saved = { forms: { setup: { day: '2026-02-01', region: ['eu'] } }, mappings: { map: { id: 'order_id' } } }
  await editor.put(path, { state: saved })
  const upgrade = async (yaml: string) => {
    await editor.put(`/api/dashboard-templates/${dashboard.dashboard_template_id}`, { yaml_content: yaml })
    await editor.post(`/api/jobs/${jobId}/upgrade`)
    return (await editor.get(path)).body as DashboardDetail
  }
  const fewer = dashboardYaml()
    .replace('{key: region, param: regions', '{key: area, param: regions')
    .replace(/ {2}- \{id: map, .*\n/, '')
  const after = await upgrade(fewer)
  expect(JSON.parse(after.state)).toEqual({ forms: { setup: { day: '2026-02-01' } }, mappings: {} })
  const started = await editor.post(`${path}/widgets/go/submit`, {})
  expect(started).toMatchObject({ status: 201 })
  const back = await upgrade(dashboardYaml())
  expect(JSON.parse(back.state)).toEqual(saved)
  await upgrade(fewer)
  // Who saves now says what stays.
  const { state } = after
  expect((await editor.put(path, { state: JSON.parse(state) as object })).status).toBe(200)
})
