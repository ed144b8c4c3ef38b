import { expect, test } from 'vitest'
import type { WidgetData } from '../../../src/contract/dashboard-views.ts'
import type { DashboardShare, NewDashboardShare } from '../../../src/contract/dashboards.ts'
import type { PublicDashboard } from '../../../src/contract/public-dashboards.ts'
import { createTestClock } from '../../support/platform.ts'
import type { Answer } from '../../support/server.ts'
import { dashboardWorld, dashboardYaml } from './dashboard-world.ts'

const without = ({ status, headers, body }: Answer) => {
  const { request_id: _, ...rest } = body as Record<string, unknown>
  const told = [...headers].filter(([name]) => !['x-request-id', 'date', 'content-length', 'keep-alive'].includes(name))
  return { status, rest, told }
}

async function shared(body: object = {}, options: Parameters<typeof dashboardWorld>[0] = {}, yaml = dashboardYaml()) {
  const world = await dashboardWorld(options, yaml)
  const share = (await world.editor.post(`${world.path}/shares`, body)).body as NewDashboardShare
  const page = `/api/public/dashboards/${share.token}`
  return {
    ...world,
    share,
    page,
    data: (id: string, given?: object) => world.client.post(`${page}/widgets/${id}/data`, given),
  }
}

test('a token is shown once, kept as a hash, and written to no log', async () => {
  const lines: string[] = []
  const { share, editor, client, path, page, platform, close } = await shared({}, { onLog: (line) => lines.push(line) })
  expect(Buffer.from(share.token, 'base64url')).toHaveLength(32)
  const list = (await editor.get(`${path}/shares`)).body as { result: DashboardShare[] }
  expect(JSON.stringify(list)).not.toContain(share.token)
  const kept = platform.store.sqlite.prepare('SELECT * FROM dashboard_shares').all()
  expect(JSON.stringify(kept)).not.toContain(share.token)
  await client.get(page)
  await client.get(`${page}/nothing`)
  await client.post(`${page}/widgets/trend/data`, 'no json')
  await client.post(`${page.replace('public', '%70ublic')}/widgets/trend/data`, {})
  const audit = await editor.get('/api/audit')
  await close()
  expect(lines.join('\n') + JSON.stringify(audit.body)).not.toContain(share.token)
})

test('wrong, expired, revoked, and archived answer the same 404', async () => {
  const clock = createTestClock()
  const { editor, client, page, path, share, jobId } = await shared({ expires_in_days: 1 }, { clock })
  const url = `/api/public/dashboards/`
  const answers: Record<string, Answer> = {
    wrong: await client.get(`${url}${'A'.repeat(43)}`),
    long: await client.get(`${url}${'A'.repeat(10_000)}`),
    odd: await client.get(`${url}%00${share.token}%2f`),
  }
  await editor.patch(`/api/jobs/${jobId}/archive`)
  answers.archived = await client.get(page)
  await editor.patch(`/api/jobs/${jobId}/restore`)
  expect((await client.get(page)).status).toBe(200)
  clock.advance(86_400_001)
  answers.expired = await client.get(page)
  const second = (await editor.post(`${path}/shares`, {})).body as NewDashboardShare
  await editor.delete(`${path}/shares/${second.id}`)
  answers.revoked = await client.get(`${url}${second.token}`)
  expect(new Set(Object.values(answers).map((answer) => JSON.stringify(without(answer))))).toHaveLength(1)
  expect(answers.wrong).toMatchObject({ status: 404, body: { error: 'NOT_FOUND', message: 'Resource not found' } })
  expect(share.active).toBe(true)
})

test('a stranger gets rows of stored queries, and nothing else', async () => {
  const { client, page, data, query, give, executor } = await shared()
  const asked = data('trend')
  await give(await query(), ['day', 'total'], [['a', '1']])
  const rows = await asked
  expect(rows).toMatchObject({ status: 200, body: { rows: [['a', '1']], run: null } })
  expect(rows.headers.get('cache-control')).toBe('no-store')
  expect(rows.headers.get('x-robots-tag')).toContain('noindex')
  const seen = (await client.get(page)).body as PublicDashboard
  expect(seen.view.widgets.map(({ type }) => type).filter((type) => /form|mapping|button|log/.test(type))).toEqual([])
  for (const id of ['setup', 'map', 'go', 'log', 'none', '$filters']) expect((await data(id)).status).toBe(404)
  for (const more of ['options', 'submit']) {
    expect((await client.post(`${page}/widgets/setup/${more}`)).status).toBe(404)
  }
  expect(await data('trend', { filters: { from: '2026-01-02' } })).toMatchObject({ status: 400 })
  expect(await data('trend', { refresh: true })).toMatchObject({ status: 400 })
  const failed = data('rows', {})
  expect(await failed).toMatchObject({ status: 200 })
  for (const told of [seen, rows.body]) {
    expect(JSON.stringify(told)).not.toMatch(/secret\.example|SELECT|"dw"|reader|revenue/)
  }
  expect((await executor.claim({ result_slots: 4 })).results).toEqual([])
})

test('a KPI of runs is that of the newest one, as it is for people who are signed in', async () => {
  const more = '  - {id: count, type: kpi, data: history, value: status, at: [0, 8, 6, 2]}\n'
  const { data, editor, jobId, platform } = await shared({}, {}, dashboardYaml(more))
  const runs = [] as { id: number }[]
  for (let n = 0; n < 2; n++) runs.push((await editor.post(`/api/jobs/${jobId}/run`, {})).body as { id: number })
  platform.store.sqlite.prepare("UPDATE job_runs SET status = 'failed' WHERE id = ?").run(runs[0]!.id)
  const { rows } = (await data('count')).body as WidgetData
  expect(rows[0]).toEqual(['failed'])
  expect(rows.at(-1)).not.toEqual(['failed'])
})

test('runs have no numbers outside, in whatever widget they stand', async () => {
  const more = `  - {id: list, type: run_list, at: [0, 8, 6, 2]}
  - {id: count, type: kpi, data: history, at: [6, 8, 6, 2]}
`
  const { data, editor, jobId, dashboard } = await shared({}, {}, dashboardYaml(more))
  const run = (await editor.post(`/api/jobs/${jobId}/run`, {})).body as { id: number }
  const own = await editor.post(`/api/dashboards/${dashboard.id}/widgets/list/data`, {})
  expect(own.body).toMatchObject({ run: { id: run.id } })
  expect((await data('count')).body).toMatchObject({ run: null, fields: [{ name: 'duration_ms' }], rows: [[null]] })
  for (const id of ['list', 'status', 'past']) {
    const { body } = await data(id)
    const { fields, rows } = body as WidgetData
    expect(body).toMatchObject({ run: null })
    expect(fields.map(({ name }) => name)).toEqual([
      'status',
      'started_at',
      'completed_at',
      'duration_ms',
      'item_count',
    ])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toHaveLength(5)
    expect(rows[0]).not.toContain(run.id)
  }
})

test('of a query a stranger gets the columns that its widgets show, and nothing of the others', async () => {
  const yaml = dashboardYaml(`  - {id: some, type: table, data: revenue, columns: [total], at: [0, 8, 4, 2]}
  - {id: one, type: kpi, data: revenue, value: total, at: [4, 8, 4, 2]}
  - {id: first, type: kpi, data: revenue, at: [8, 8, 4, 2]}
`)
  const { data, editor, path, query, give } = await shared({}, {}, yaml)
  const asked = data('trend')
  await give(await query(), ['email', 'day', 'total'], [['a@secret.example', '2026-01-01', '1']])
  expect((await asked).body).toMatchObject({
    fields: [{ name: 'day' }, { name: 'total' }],
    rows: [['2026-01-01', '1']],
  })
  expect((await data('some')).body).toMatchObject({ fields: [{ name: 'total' }], rows: [['1']] })
  expect((await data('one')).body).toMatchObject({ fields: [{ name: 'total' }], rows: [['1']] })
  // No column has the type of numbers.
  expect((await data('first')).body).toMatchObject({ fields: [], rows: [[]] })
  // A table without `columns` shows all.
  expect((await data('rows')).body).toMatchObject({ rows: [['a@secret.example', '2026-01-01', '1']] })
  expect((await editor.post(`${path}/widgets/some/data`, {})).body).toMatchObject({
    rows: [['a@secret.example', '2026-01-01', '1']],
  })
})

test('a link that is revoked while its rows are made gives none of them, and no other reason', async () => {
  for (const fails of [false, true]) {
    const { data, editor, path, share, query, give, executor, close } = await shared()
    const asked = data('trend')
    const plan = await query()
    await editor.delete(`${path}/shares/${share.id}`)
    const error = { code: 'CONNECTOR_ERROR' as const, message: 'no' }
    await (fails
      ? executor.chunk(plan.result_id, { seq: 1, rows: 0, error })
      : give(plan, ['day', 'total'], [['a', '1']]))
    expect(await asked).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } })
    await close()
  }
})

test('large rows are given to one link only so often, whatever filters are tried', async () => {
  const clock = createTestClock()
  const yaml = dashboardYaml().replace('max_rows: 3', 'max_rows: 10000')
  const { data, query, give } = await shared({ filters: 'free' }, { clock }, yaml)
  const asked = data('trend')
  await give(
    await query(),
    ['day', 'total'],
    Array.from({ length: 20 }, () => ['x'.repeat(100_000), '1']),
  )
  expect((await asked).status).toBe(200)
  const regions = (at: number) => ({ filters: { region: Array.from({ length: at + 1 }, () => 'eu') } })
  const statuses: number[] = []
  for (let at = 0; at < 40; at++) {
    statuses.push((await data('trend', regions(at))).status)
  }
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(20)
  clock.advance(1_000)
  expect((await data('trend')).status).toBe(200)
})

test.each(['CONNECTOR_ERROR', 'VALIDATION_ERROR', 'NOT_FOUND'] as const)(
  'why a widget fails is nobody’s business outside: %s',
  async (code) => {
    const { data, query, executor } = await shared()
    const asked = data('trend')
    const { result_id } = await query()
    await executor.chunk(result_id, {
      seq: 1,
      rows: 0,
      error: { code, message: 'password of reader@db.secret.example is wrong' },
    })
    const answer = await asked
    expect(answer).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE', code: 'widget_unavailable' } })
    expect(JSON.stringify(answer.body)).not.toMatch(/password|secret|reader/)
  },
)

test('people get their rows while links are flooded', async () => {
  const { data, editor, path, query, give } = await shared({ filters: 'free' })
  const dayOf = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString().slice(0, 10)
  const flood = Array.from({ length: 25 }, (_, at) => data('trend', { filters: { from: dayOf(at + 10) } }))
  const first = await query()
  const asked = editor.post(`${path}/widgets/trend/data`, {})
  // The next one is of the person, although two dozen were there before.
  const own = await query()
  expect(own.parameters).toMatchObject({ from: '2026-01-01' })
  await give(own, ['day', 'total'], [['a', '1']])
  expect(await asked).toMatchObject({ status: 200, body: { rows: [['a', '1']] } })
  await give(first, ['day', 'total'], [])
  for (let left = flood.length - 1; left > 0; left--) {
    // Links have one place.
    await give(await query(), ['day', 'total'], [])
  }
  expect(new Set((await Promise.all(flood)).map(({ status }) => status))).toEqual(new Set([200]))
})

test('a free link takes the filters that viewers see, and makes rows only so often', async () => {
  const { data, executor, query, give } = await shared({ filters: 'free', filter_values: { region: ['us'] } })
  const asked = data('trend', { filters: { from: '2026-01-05' } })
  const plan = await query()
  expect(plan.parameters).toMatchObject({ from: '2026-01-05', region__1: 'us' })
  await give(plan, ['day', 'total'], [])
  expect((await asked).status).toBe(200)
  expect((await data('trend', { filters: { other: 'x' } })).status).toBe(400)
  const many = Array.from({ length: 60 }, (_, day) =>
    data('trend', { filters: { from: new Date(Date.UTC(2026, 0, day + 10)).toISOString().slice(0, 10) } }),
  )
  const limited = Promise.any(
    many.map(async (one) => ((await one).status === 429 ? true : Promise.reject(new Error()))),
  )
  expect(await limited).toBe(true)
  void executor
})

test('filters that viewers of a free link do not see stay at the values of the link', async () => {
  const yaml = dashboardYaml().replace(
    'options: [eu, us], default: [eu]',
    'options_source: {data: fields}, default: [eu]',
  )
  const { data, client, page, query, give } = await shared(
    { filters: 'free', filter_values: { region: ['us'] } },
    {},
    yaml,
  )
  const asked = data('trend', { filters: { from: '2026-01-05' } })
  const plan = await query()
  expect(plan.parameters).toMatchObject({ from: '2026-01-05', region__1: 'us' })
  await give(plan, ['day', 'total'], [])
  expect((await asked).status).toBe(200)
  expect((await data('trend', { filters: { region: ['eu'] } })).status).toBe(400)
  expect(JSON.stringify((await client.get(page)).body)).not.toContain('"us"')
})

test('admins see all links, editors those of a dashboard, and viewers make none', async () => {
  const { as, path, share } = await shared({ name: 'Board' })
  const all = (await as('admin').get('/api/dashboard-shares', { query: { q: 'board', active: true } })).body
  expect(all).toMatchObject({ result: [{ id: share.id, dashboard_name: 'overview', active: true }] })
  expect((await as('editor').get('/api/dashboard-shares')).status).toBe(403)
  expect((await as('viewer').post(`${path}/shares`)).status).toBe(403)
  expect((await as('viewer').get(`${path}/shares`)).status).toBe(200)
})

test('views are counted without writing each time', async () => {
  const { client, page, editor, path, services } = await shared()
  for (let view = 0; view < 3; view++) await client.get(page)
  // Nobody sees what it asks for.
  await client.request('HEAD', page)
  const counted = async () => ((await editor.get(`${path}/shares`)).body as { result: DashboardShare[] }).result[0]
  expect(await counted()).toMatchObject({ view_count: 3 })
  services.dashboards.shares.flush()
  expect(await counted()).toMatchObject({ view_count: 3, last_viewed_at: expect.any(String) as string })
})

test('sites that may embed it are real ones, and not those of everyone', async () => {
  const { editor, path } = await shared()
  const codeOf = async (origin: string) => {
    const { status, body } = await editor.post(`${path}/shares`, { allowed_origins: ['https://fine.example', origin] })
    if (status === 201) return null
    expect(body).toMatchObject({ error: 'VALIDATION_ERROR', message: 'Invalid input' })
    const [detail] = (body as { details: { path: string; code: string; message: string }[] }).details
    expect(detail?.path).toBe('body.allowed_origins[1]')
    return detail?.code
  }
  const told = async (origins: readonly string[]) =>
    Object.fromEntries(await Promise.all(origins.map(async (origin) => [origin, await codeOf(origin)] as const)))
  const wrong = {
    'http://*.com': 'origin_wildcard',
    'https://*.co.uk': 'origin_wildcard',
    'http://*.localhost': 'origin_wildcard',
    'http://*.0.0.1': 'origin_host',
    'http://*.10.0.0.1': 'origin_wildcard',
    'http://host:99999': 'origin_port',
    'http://host:0': 'origin_port',
    'http://10.0.0.256': 'origin_host',
    'http://a..example': 'origin_host',
    'http://a-.example': 'origin_host',
    [`http://${'a'.repeat(64)}.example`]: 'origin_host',
    'http://*': 'field_wanted',
    'https://a.example/path': 'field_wanted',
    'https://a.example; script-src *': 'field_wanted',
    'javascript:alert(1)': 'field_wanted',
  }
  expect(await told(Object.keys(wrong))).toEqual(wrong)
  const right = [
    'http://localhost:8080',
    'https://*.intranet.example',
    'https://*.a.co.uk:65535',
    'http://10.0.0.1:1',
    'https://Intranet.Example',
    'https://xn--bcher-kva.example',
  ]
  expect(await told(right)).toEqual(Object.fromEntries(right.map((origin) => [origin, null])))
})

test('answers are shared for a second, and a revoked link doesn’t get one of them', async () => {
  const clock = createTestClock()
  const { data, client, page, editor, path, share, query, give } = await shared({}, { clock })
  const asked = data('trend')
  await give(await query(), ['day', 'total'], [['a', '1']])
  const first = await asked
  const again = await data('trend')
  expect(again).toMatchObject({ status: 200, body: first.body as object })
  expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
  expect((await client.get(page)).body).toEqual((await client.get(page)).body)
  // Other bodies are other questions.
  expect(await data('trend', { filters: { from: '2026-01-02' } })).toMatchObject({ status: 400 })
  clock.advance(1_001)
  expect(await data('trend')).toMatchObject({ status: 200, body: { rows: [['a', '1']] } })
  await editor.delete(`${path}/shares/${share.id}`)
  expect((await data('trend')).status).toBe(404)
  expect((await client.get(page)).status).toBe(404)
})
