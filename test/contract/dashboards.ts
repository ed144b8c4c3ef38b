import { expect } from 'vitest'
import { type ChunkHead, type ResultPlan } from '../../src/contract/executor-results.ts'
import type { Dashboard, NewDashboardShare } from '../../src/contract/dashboards.ts'
import { createDashboardTemplate, type DashboardTemplateDetail } from '../../src/contract/dashboard-templates.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import type { Answer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { type ScriptedWorld, type World, jobTemplateYaml, newName } from './support/worlds.ts'

export const dashboardYaml = (name: string, jobTemplate: string, description = 'Contract') => `etl: 1
kind: dashboard
name: ${name}
description: ${description}
job_template: ${jobTemplate}
filters: {kind: {type: select, options: [a, b], default: a}}
data:
  people: {connector: db, query: "SELECT id AS value, name AS label FROM people WHERE :kind <> ''", params: {kind: "\${{ filters.kind }}"}}
widgets:
  - {id: rows, type: table, data: people, at: [0, 0, 6, 2]}
  - {id: form, type: form, at: [6, 0, 6, 2], fields: [{key: least, param: least, widget: select, options_source: {data: people}}, {key: note, param: note}]}
  - {id: go, type: run_button, form: form, at: [0, 2, 3, 1]}
  - {id: runs, type: run_list, at: [3, 2, 3, 1]}
`
const withDatabase = (yaml: string) =>
  yaml
    .replace('connectors:\n', 'connectors:\n  db: {type: sqlite}\n')
    .replace('parameters:\n', 'parameters:\n  note: {type: string}\n')

export interface DashboardWorld {
  jobTemplate: string
  template: DashboardTemplateDetail
  dashboard: Dashboard
}

/** A job with a dashboard. */
export async function dashboardOf(world: World): Promise<DashboardWorld> {
  const jobTemplate = newName('template')
  const yaml_content = withDatabase(jobTemplateYaml(jobTemplate, (await world.task()).name))
  const { id } = await world.admin.call(createJobTemplate, { body: { yaml_content } })
  const template = await world.admin.call(createDashboardTemplate, {
    body: { yaml_content: dashboardYaml(newName('dashboard'), jobTemplate) },
  })
  const job = await world.admin.call(createJob, {
    params: { id },
    body: { name: newName('job'), connector_mapping: { lake: world.files, db: world.database } },
  })
  const list = await send(world.admin, 'listDashboards', { query: { job_id: job.id } })
  const [dashboard] = (list.body as { result: Dashboard[] }).result
  return { jobTemplate, template, dashboard: dashboard ?? expect.fail('The job has no dashboard') }
}

const one = async (world: World) => ({ params: { id: (await dashboardOf(world)).dashboard.id } })
const previewOf = async (world: World, widget_id = 'rows') => {
  const { dashboard, template } = await dashboardOf(world)
  return { yaml_content: template.yaml_content, job_id: dashboard.job_id, widget_id }
}
const ofTemplate = async (world: World) => ({ params: { id: (await dashboardOf(world)).template.id } })
const widget = async (world: World, widgetId: string) => {
  const { params } = await one(world)
  return { params: { ...params, widgetId } }
}
async function shared(world: World): Promise<NewDashboardShare> {
  // The answer is what the contract says.
  return (await send(world.editor, 'createDashboardShare', await one(world))).body as NewDashboardShare
}

export const dashboardSuccesses = {
  listDashboardTemplates: ({ live }: Stage) => send(live.admin, 'listDashboardTemplates', { query: { sort: 'name' } }),
  createDashboardTemplate: async ({ live }: Stage) => {
    const { jobTemplate } = await dashboardOf(live)
    const body = { yaml_content: dashboardYaml(newName('dashboard'), jobTemplate) }
    return send(live.editor, 'createDashboardTemplate', { body })
  },
  getDashboardTemplate: async ({ live }: Stage) => send(live.admin, 'getDashboardTemplate', await ofTemplate(live)),
  updateDashboardTemplate: async ({ live }: Stage) => {
    const { jobTemplate, template } = await dashboardOf(live)
    const body = { yaml_content: dashboardYaml(template.name, jobTemplate, 'Changed'), change_summary: 'Words' }
    return send(live.editor, 'updateDashboardTemplate', { params: { id: template.id }, body })
  },
  tagDashboardTemplate: async ({ live }: Stage) =>
    send(live.editor, 'tagDashboardTemplate', { ...(await ofTemplate(live)), body: { add: ['a'] } }),
  archiveDashboardTemplate: async ({ live }: Stage) =>
    send(live.editor, 'archiveDashboardTemplate', await ofTemplate(live)),
  restoreDashboardTemplate: async ({ live }: Stage) =>
    send(live.editor, 'restoreDashboardTemplate', await ofTemplate(live)),
  listDashboardTemplateVersions: async ({ live }: Stage) =>
    send(live.admin, 'listDashboardTemplateVersions', await ofTemplate(live)),
  getDashboardTemplateVersion: async ({ live }: Stage) =>
    send(live.admin, 'getDashboardTemplateVersion', { params: { ...(await ofTemplate(live)).params, vid: 1 } }),
  restoreDashboardTemplateVersion: async ({ live }: Stage) =>
    send(live.editor, 'restoreDashboardTemplateVersion', { params: { ...(await ofTemplate(live)).params, vid: 1 } }),
  validateDashboardTemplate: async ({ live }: Stage) => {
    const { template } = await dashboardOf(live)
    return send(live.admin, 'validateDashboardTemplate', { body: { yaml_content: template.yaml_content } })
  },
  previewDashboardWidget: async ({ live }: Stage) =>
    send(live.admin, 'previewDashboardWidget', { body: { ...(await previewOf(live)), filters: { kind: 'b' } } }),
  previewDashboardOptions: async ({ live }: Stage) =>
    send(live.admin, 'previewDashboardOptions', {
      body: { ...(await previewOf(live, 'form')), side: 'least', q: 'a' },
    }),
  getDashboardTemplateSchema: ({ live }: Stage) => send(live.admin, 'getDashboardTemplateSchema'),

  listDashboards: async ({ live }: Stage) => {
    const { dashboard } = await dashboardOf(live)
    return send(live.admin, 'listDashboards', { query: { job_id: dashboard.job_id } })
  },
  getDashboard: async ({ live }: Stage) => send(live.admin, 'getDashboard', await one(live)),
  updateDashboard: async ({ live }: Stage) =>
    send(live.editor, 'updateDashboard', {
      ...(await one(live)),
      body: { state: { forms: { form: { least: '1' } } } },
    }),
  getWidgetData: async ({ live }: Stage) =>
    send(live.admin, 'getWidgetData', { ...(await widget(live, 'rows')), body: { filters: { kind: 'b' } } }),
  exportWidgetRows: async ({ live }: Stage) => send(live.admin, 'exportWidgetRows', await widget(live, 'rows')),
  resolveDashboardWidgetOptions: async ({ live }: Stage) =>
    send(live.admin, 'resolveDashboardWidgetOptions', {
      ...(await widget(live, 'form')),
      body: { side: 'least', q: 'a', value: { least: '1' } },
    }),
  submitWidget: async ({ live }: Stage) =>
    send(live.editor, 'submitWidget', { ...(await widget(live, 'go')), body: { values: { note: 'now' } } }),
  listDashboardShares: async ({ live }: Stage) => {
    const { dashboard_id: id } = await shared(live)
    return send(live.admin, 'listDashboardShares', { params: { id } })
  },
  createDashboardShare: async ({ live }: Stage) =>
    send(live.editor, 'createDashboardShare', {
      ...(await one(live)),
      body: {
        name: 'Board',
        filters: 'free',
        filter_values: { kind: 'b' },
        allowed_origins: ['https://intranet.example'],
      },
    }),
  deleteDashboardShare: async ({ live }: Stage) => {
    const { id: shareId, dashboard_id: id } = await shared(live)
    return send(live.editor, 'deleteDashboardShare', { params: { id, shareId } })
  },
  listAllShares: async ({ live }: Stage) => {
    await shared(live)
    return send(live.admin, 'listAllShares', { query: { active: true } })
  },
  getPublicDashboard: async ({ live }: Stage) => {
    const { token } = await shared(live)
    return send(live.server.client, 'getPublicDashboard', { params: { token } })
  },
  getPublicWidgetData: async ({ live }: Stage) => {
    const { token } = await shared(live)
    return send(live.server.client, 'getPublicWidgetData', { params: { token, widgetId: 'rows' } })
  },
}

/** A query of the scripted executor that ends like this before its first row. */
async function failing(
  world: ScriptedWorld,
  code: 'CONNECTOR_ERROR' | 'TIMEOUT',
  ask: (world: World) => Promise<Answer>,
) {
  const slots = { slots: 0, call_slots: 0, result_slots: 4 }
  await world.executor.claim(slots)
  const asked = ask(world)
  const plan = await taken(world)
  const head: ChunkHead = { seq: 1, rows: 0, error: { code, message: code } }
  await world.executor.chunk(plan.result_id, head)
  return asked
}
async function taken({ executor }: ScriptedWorld): Promise<ResultPlan> {
  for (;;) {
    const { results } = await executor.claim({ slots: 0, call_slots: 0, result_slots: 4, wait_ms: 5_000 })
    if (results[0]) return results[0]
  }
}
const rowsIn = async (world: World) => send(world.editor, 'getWidgetData', await widget(world, 'rows'))
const exportedIn = async (world: World) => send(world.editor, 'exportWidgetRows', await widget(world, 'rows'))
const previewedIn = async (world: World) =>
  send(world.editor, 'previewDashboardWidget', { body: await previewOf(world) })
const previewedOptionsIn = async (world: World) =>
  send(world.editor, 'previewDashboardOptions', { body: { ...(await previewOf(world, 'form')), side: 'least' } })
const optionsIn = async (world: World) =>
  send(world.editor, 'resolveDashboardWidgetOptions', { ...(await widget(world, 'form')), body: { side: 'least' } })

/** The connector of the job is no longer to be used. */
async function withoutConnector(live: RefusalStage['live'], jobId: number): Promise<void> {
  const created = await live.admin.post('/api/connectors', {
    name: newName('gone'),
    type: 'sqlite',
    config: { path: `${live.folder}/app.db` },
  })
  const { id: db } = created.body as { id: number }
  await live.admin.put(`/api/jobs/${jobId}`, { connector_mapping: { lake: live.files, db } })
  await live.admin.patch(`/api/connectors/${db}/archive`)
}

/** Public links have limits of their own: as many requests as one address may send at once, and one more. */
async function untilLimited(
  { exhausted }: RefusalStage,
  ask: (client: World['admin']) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    // Each batch uses up some more.
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask(exhausted.client)))
    const limited = answers.find(({ status }) => status === 429)
    if (limited) return limited
  }
}

export const dashboardRefusals = {
  createDashboardTemplate: {
    async CONFLICT({ live }: RefusalStage) {
      const { template } = await dashboardOf(live)
      return send(live.editor, 'createDashboardTemplate', { body: { yaml_content: template.yaml_content } })
    },
  },
  updateDashboardTemplate: {
    async CONFLICT({ live }: RefusalStage) {
      const { template, jobTemplate } = await dashboardOf(live)
      const body = { yaml_content: dashboardYaml(template.name, jobTemplate, 'Changed') }
      const headers = { 'if-match': '"older"' }
      return send(live.editor, 'updateDashboardTemplate', { params: { id: template.id }, headers, body })
    },
  },
  restoreDashboardTemplateVersion: {
    async CONFLICT({ live }: RefusalStage) {
      const { template, jobTemplate } = await dashboardOf(live)
      const { id, yaml_content } = template
      const renamed = { yaml_content: dashboardYaml(newName('renamed'), jobTemplate) }
      await send(live.editor, 'updateDashboardTemplate', { params: { id }, body: renamed })
      await send(live.editor, 'createDashboardTemplate', { body: { yaml_content } })
      return send(live.editor, 'restoreDashboardTemplateVersion', { params: { id, vid: 1 } })
    },
  },
  updateDashboard: {
    CONFLICT: async ({ live }: RefusalStage) =>
      send(live.editor, 'updateDashboard', {
        ...(await one(live)),
        headers: { 'if-match': '"older"' },
        body: { state: {} },
      }),
  },
  getWidgetData: {
    INVALID_STATE: async ({ live }: RefusalStage) => send(live.admin, 'getWidgetData', await widget(live, 'form')),
    CONNECTOR_ERROR: ({ scripted }: RefusalStage) => failing(scripted, 'CONNECTOR_ERROR', rowsIn),
    TIMEOUT: ({ scripted }: RefusalStage) => failing(scripted, 'TIMEOUT', rowsIn),
  },
  exportWidgetRows: {
    INVALID_STATE: async ({ live }: RefusalStage) => send(live.admin, 'exportWidgetRows', await widget(live, 'form')),
    CONNECTOR_ERROR: ({ scripted }: RefusalStage) => failing(scripted, 'CONNECTOR_ERROR', exportedIn),
    TIMEOUT: ({ scripted }: RefusalStage) => failing(scripted, 'TIMEOUT', exportedIn),
  },
  previewDashboardWidget: {
    INVALID_STATE: async ({ live }: RefusalStage) =>
      send(live.admin, 'previewDashboardWidget', { body: await previewOf(live, 'form') }),
    NOT_FOUND: async ({ live }: RefusalStage) =>
      send(live.admin, 'previewDashboardWidget', { body: await previewOf(live, 'missing') }),
    CONNECTOR_ERROR: ({ scripted }: RefusalStage) => failing(scripted, 'CONNECTOR_ERROR', previewedIn),
    TIMEOUT: ({ scripted }: RefusalStage) => failing(scripted, 'TIMEOUT', previewedIn),
  },
  previewDashboardOptions: {
    async INVALID_STATE({ live }: RefusalStage) {
      const body = await previewOf(live, 'form')
      await withoutConnector(live, body.job_id)
      return send(live.admin, 'previewDashboardOptions', { body: { ...body, side: 'least' } })
    },
    NOT_FOUND: async ({ live }: RefusalStage) =>
      send(live.admin, 'previewDashboardOptions', { body: await previewOf(live, 'missing') }),
    CONNECTOR_ERROR: ({ scripted }: RefusalStage) => failing(scripted, 'CONNECTOR_ERROR', previewedOptionsIn),
    TIMEOUT: ({ scripted }: RefusalStage) => failing(scripted, 'TIMEOUT', previewedOptionsIn),
  },
  resolveDashboardWidgetOptions: {
    async INVALID_STATE({ live }: RefusalStage) {
      const { dashboard } = await dashboardOf(live)
      await withoutConnector(live, dashboard.job_id)
      const params = { id: dashboard.id, widgetId: 'form' }
      return send(live.admin, 'resolveDashboardWidgetOptions', { params, body: { side: 'least' } })
    },
    CONNECTOR_ERROR: ({ scripted }: RefusalStage) => failing(scripted, 'CONNECTOR_ERROR', optionsIn),
    TIMEOUT: ({ scripted }: RefusalStage) => failing(scripted, 'TIMEOUT', optionsIn),
  },
  submitWidget: {
    async INVALID_STATE({ live }: RefusalStage) {
      const { dashboard } = await dashboardOf(live)
      await live.admin.patch(`/api/jobs/${dashboard.job_id}/archive`)
      return send(live.editor, 'submitWidget', { params: { id: dashboard.id, widgetId: 'go' } })
    },
    async CONFLICT({ live }: RefusalStage) {
      const { params } = await widget(live, 'go')
      const headers = { 'idempotency-key': newName('key') }
      await send(live.editor, 'submitWidget', { params, headers, body: { values: { note: 'a' } } })
      return send(live.editor, 'submitWidget', { params, headers, body: { values: { note: 'b' } } })
    },
  },
  createDashboardShare: {
    async INVALID_STATE({ live }: RefusalStage) {
      const { dashboard } = await dashboardOf(live)
      await live.admin.patch(`/api/jobs/${dashboard.job_id}/archive`)
      return send(live.editor, 'createDashboardShare', { params: { id: dashboard.id } })
    },
  },
  getPublicDashboard: {
    // Not a text in any encoding. Whatever is one is at most a wrong token.
    VALIDATION_ERROR: ({ live }: RefusalStage) => live.server.client.get('/api/public/dashboards/%ff'),
    NOT_FOUND: ({ live }: RefusalStage) =>
      send(live.server.client, 'getPublicDashboard', { params: { token: 'guess' } }),
    RATE_LIMITED: (stage: RefusalStage) =>
      untilLimited(stage, (client) => send(client, 'getPublicDashboard', { params: { token: 'guess' } })),
  },
  getPublicWidgetData: {
    NOT_FOUND: ({ live }: RefusalStage) =>
      send(live.server.client, 'getPublicWidgetData', { params: { token: 'guess', widgetId: 'rows' } }),
    RATE_LIMITED: (stage: RefusalStage) =>
      untilLimited(stage, (client) =>
        send(client, 'getPublicWidgetData', { params: { token: 'guess', widgetId: 'rows' } }),
      ),
    async VALIDATION_ERROR({ live }: RefusalStage) {
      const { token } = await shared(live)
      const body = { filters: { kind: 'b' } }
      return send(live.server.client, 'getPublicWidgetData', { params: { token, widgetId: 'rows' }, body })
    },
    UNAVAILABLE: ({ scripted }: RefusalStage) =>
      failing(scripted, 'CONNECTOR_ERROR', async (world) => {
        const { token } = await shared(world)
        return send(world.server.client, 'getPublicWidgetData', { params: { token, widgetId: 'rows' } })
      }),
  },
}
