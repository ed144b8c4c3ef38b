/** What strangers, viewers, and broken clients send to the operations of dashboards. */
import { expect, test } from 'vitest'
import type { NewDashboardShare } from '../../../src/contract/dashboards.ts'
import { dashboardWorld, dashboardYaml } from './dashboard-world.ts'

const hostileNames = ['__proto__', 'constructor', 'toString', '..%2f..', '%00', "x';--", '$filters', 'a'.repeat(500)]

test('no name, value, or body of a wrong type is more than a refusal', async () => {
  const { editor, path, jobId } = await dashboardWorld()
  const odd = [null, 0, true, 'x', [], [[]], {}, { __proto__: null }, 'a'.repeat(100_000)]
  const bodies = odd.flatMap((value) => [
    value,
    { filters: value },
    { filters: { region: value } },
    { filters: { from: value } },
    { filters: { ['__proto__']: value } },
    { time_window: value },
    { time_window: { last_ms: value } },
    { drill_by: value, drill: true },
    { drill_by: { ['__proto__']: value }, drill: true },
    { side: value },
    { side: 'region', cursor: value },
    { side: 'region', q: value },
    { side: 'region', value },
    { formula_guard: value },
  ])
  const faults: object[] = []
  const tell = async (answer: Promise<{ status: number; body: unknown }>, what: string) => {
    const { status, body } = await answer
    if (status >= 500) faults.push({ what, status, body })
  }
  // A query would wait for an executor: those of this dashboard are asked for by other tests.
  for (const id of ['past', 'go', ...hostileNames]) {
    for (const operation of ['data', 'export', 'options', 'submit']) {
      const url = `${path}/widgets/${id}/${operation}`
      const sent = hostileNames.includes(id) ? bodies.slice(0, 14) : bodies
      // One after the other: thousands at once are refused by the machine.
      await Promise.all(sent.map((body) => tell(editor.post(url, body), `${id} ${operation}`)))
    }
  }
  const text = { yaml_content: dashboardYaml(), job_id: jobId }
  await Promise.all(
    odd.flatMap((value) => [
      tell(editor.post('/api/dashboard-templates/preview-options', { ...text, widget_id: value }), 'widget_id'),
      tell(editor.post('/api/dashboard-templates/preview-options', { ...text, yaml_content: value }), 'yaml'),
      tell(editor.post('/api/dashboard-templates/preview-options', { ...text, job_id: value }), 'job_id'),
      tell(editor.post(`${path}/shares`, { filter_values: value }), 'filter_values'),
      tell(editor.post(`${path}/shares`, { filter_values: { region: value } }), 'filter value'),
      tell(editor.post(`${path}/shares`, { allowed_origins: value }), 'allowed_origins'),
      tell(editor.post(`${path}/shares`, { name: value, expires_in_days: value }), 'name'),
    ]),
  )
  expect(faults).toEqual([])
})

test('a public token opens nothing but its page, and a viewer neither writes queries nor makes links', async () => {
  const { editor, as, client, path, jobId } = await dashboardWorld()
  const { token } = (await editor.post(`${path}/shares`, {})).body as NewDashboardShare
  const text = { yaml_content: dashboardYaml(), job_id: jobId, widget_id: 'past' }
  const asks = [
    ['GET', path],
    ['PUT', path, { state: {} }],
    ['GET', `${path}/shares`],
    ['POST', `${path}/shares`, {}],
    ['POST', `${path}/widgets/past/data`, {}],
    ['POST', `${path}/widgets/past/export`, {}],
    ['POST', `${path}/widgets/setup/options`, { side: 'region' }],
    ['POST', `${path}/widgets/go/submit`, {}],
    ['POST', '/api/dashboard-templates/preview', text],
    ['POST', '/api/dashboard-templates/preview-options', text],
    ['GET', '/api/dashboard-shares'],
  ] as const
  const tokens: Record<string, string>[] = [
    { authorization: `Bearer ${token}` },
    { 'x-api-key': token },
    { cookie: `session=${token}` },
    {},
  ]
  for (const headers of tokens) {
    const answers = await Promise.all(
      asks.map(([method, url, body]) =>
        client.request(method, url, {
          headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
          ...(body && { body: JSON.stringify(body) }),
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(asks.map(() => 401))
  }
  const viewer = as('viewer')
  const refused = asks.filter(
    ([method, url]) => method !== 'GET' && (/preview|submit|shares$/.test(url) || url === path),
  )
  const answers = await Promise.all(refused.map(([method, url, body]) => viewer.request(method, url, { body })))
  expect(answers.map(({ status }) => status)).toEqual(refused.map(() => 403))
  expect(refused).toHaveLength(5)
  // What a dashboard shows, who may see it may have as a file.
  expect((await viewer.post(`${path}/widgets/past/export`, {})).status).toBe(200)
})

test('text that a spreadsheet would run is marked in a file that asks for it, and kept as it is otherwise', async () => {
  const { editor, path, query, give } = await dashboardWorld()
  const rows = [
    ['=HYPERLINK("http://a")', '-5'],
    ['+1+1', '@SUM(A1)'],
    ['\tx', '-cmd|x'],
    ['fine', '1.5'],
  ]
  const file = async (body: object) => {
    const asked = editor.post(`${path}/widgets/rows/export`, body)
    await give(await query(), ['day', '=total'], rows)
    return (await asked).body
  }
  expect(await file({ formula_guard: true })).toBe(
    ["day,'=total", '"\'=HYPERLINK(""http://a"")",-5', "'+1+1,'@SUM(A1)", "'\tx,'-cmd|x", 'fine,1.5', ''].join('\r\n'),
  )
  expect(await file({})).toContain('\r\n+1+1,@SUM(A1)\r\n')
})

test('fifty exports at once, half of them broken off, leave room for the next one', async () => {
  const { editor, path, query, give, url: server } = await dashboardWorld()
  const url = `${path}/widgets/rows/export`
  const { headers } = editor
  const controllers = Array.from({ length: 25 }, () => new AbortController())
  const broken = controllers.map(({ signal }) =>
    fetch(`${server}${url}`, { method: 'POST', headers, signal }).catch(() => null),
  )
  const kept = Array.from({ length: 25 }, () => editor.post(url, {}))
  for (const controller of controllers) setTimeout(() => controller.abort(), 50)
  const settled = Promise.all(kept)
  // Answers whatever comes, until all who wait have theirs.
  const last = settled.then(() => null)
  let asked = query()
  for (let plan = await Promise.race([asked, last]); plan; plan = await Promise.race([asked, last])) {
    await give(plan, ['day', 'total'], [['a', '1']])
    asked = query()
  }
  await Promise.all(broken)
  const statuses = (await settled).map(({ status }) => status)
  expect(new Set(statuses)).toEqual(new Set([200, 429]))
  const next = editor.post(url, {})
  await give(await asked, ['day', 'total'], [['b', '2']])
  expect((await next).body).toBe('day,total\r\nb,2\r\n')
})

test('an export that its reader breaks off ends its query, and its file is not taken for a complete one', async () => {
  const { editor, path, query, executor, url } = await dashboardWorld()
  const controller = new AbortController()
  const { headers } = editor
  const asked = fetch(`${url}${path}/widgets/rows/export`, { method: 'POST', headers, signal: controller.signal })
  const { result_id } = await query()
  const fields = ['day', 'total'].map((name) => ({ name, type: 'text' as const, native: 'text' }))
  await executor.chunk(result_id, { seq: 1, rows: 1, start: { fields, statement: '' } }, [['a', '1']])
  const answer = await asked
  expect(answer.status).toBe(200)
  expect((await executor.attend(result_id, 0)).status).toBe(200)
  controller.abort()
  await expect(answer.text()).rejects.toThrow(/abort|terminated/i)
  await expect.poll(async () => (await executor.attend(result_id, 1)).status).not.toBe(200)
})
