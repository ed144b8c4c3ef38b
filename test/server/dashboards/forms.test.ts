/** Forms: their defaults, and their options before the dashboard is saved. */
import { expect, test } from 'vitest'
import type { WidgetOptionsResponse } from '../../../src/contract/dashboards.ts'
import type { JobRun } from '../../../src/contract/job-runs.ts'
import { dashboardWorld, dashboardYaml } from './dashboard-world.ts'

const defaultsYaml = dashboardYaml()
  .replace('{key: day, param: day, widget: date, required: true}', (field) =>
    field.replace('}', ', default: "2026-01-31"}'),
  )
  .replace('page_size: 2}}]}', 'page_size: 2}, default: [eu, us]}]}')

test('a button takes the defaults of fields that nobody filled in, and nothing for those that were emptied', async () => {
  const { editor, path } = await dashboardWorld({}, defaultsYaml)
  const mappings = { map: { id: 'key' } }
  const started = async (values?: object) => {
    const { body } = await editor.post(`${path}/widgets/go/submit`, { ...(values && { values }), mappings })
    return JSON.parse((body as JobRun).arguments ?? 'null') as object
  }
  expect(await started()).toEqual({ day: '2026-01-31', regions: ['eu', 'us'], mapping: { id: 'key' } })
  expect(await started({ region: [] })).toEqual({ day: '2026-01-31', mapping: { id: 'key' } })
  await editor.put(path, { state: { forms: { setup: { day: '2026-02-01', region: null } } } })
  expect(await started()).toEqual({ day: '2026-02-01', mapping: { id: 'key' } })
  expect(await started({ region: ['us'] })).toEqual({ day: '2026-02-01', regions: ['us'], mapping: { id: 'key' } })
  const emptied = await editor.post(`${path}/widgets/go/submit`, { values: { day: null }, mappings })
  expect(emptied).toMatchObject({ status: 400, body: { details: [{ path: 'body.values.day' }] } })
})

test('options of forms and field mappings are found before the text is saved, with the labels of their defaults', async () => {
  const { editor, as, jobId, query, give } = await dashboardWorld()
  const ask = (widget_id: string, body: object, client = editor) =>
    client.post('/api/dashboard-templates/preview-options', {
      yaml_content: defaultsYaml,
      job_id: jobId,
      widget_id,
      ...body,
    })
  const asked = ask('setup', { side: 'region', value: { day: '2026-01-31', region: ['us'] } })
  const plan = await query()
  expect(plan.parameters).toEqual({ cursor: null, search: '', limit: 3, day: '2026-01-31' })
  await give(plan, ['value', 'label'], [['eu', 'Europe']])
  const chosen = await query()
  expect(chosen.parameters).toMatchObject({ headgate_chosen__1: 'us' })
  await give(chosen, ['value', 'label'], [['us', 'United States']])
  expect((await asked).body as WidgetOptionsResponse).toEqual({
    options: [{ value: 'eu', label: 'Europe' }],
    next_cursor: null,
    selected: [{ value: 'us', label: 'United States' }],
    truncated: null,
  })
  const targets = ask('map', { side: 'target' })
  await give(await query(), ['value', 'label'], [['id', 'Id']])
  expect((await targets).body).toMatchObject({ options: [{ value: 'id', label: 'Id' }] })
  expect(await ask('setup', { side: 'gone' })).toMatchObject({
    status: 400,
    body: { details: [{ path: 'body.side' }] },
  })
  expect((await ask('gone', { side: 'region' })).status).toBe(404)
  expect((await ask('setup', { side: 'region' }, as('viewer'))).status).toBe(403)
})
