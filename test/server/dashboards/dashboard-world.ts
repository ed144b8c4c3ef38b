import type { Dashboard, DashboardDetail } from '../../../src/contract/dashboards.ts'
import { createConnector } from '../../../src/contract/connectors.ts'
import type { ChunkHead, ResultPlan } from '../../../src/contract/executor-results.ts'
import { createDashboardTemplate } from '../../../src/contract/dashboard-templates.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { createJob } from '../../../src/contract/jobs.ts'
import type { TestServerOptions } from '../../support/server.ts'
import { controlPlane, type ControlPlane } from '../runs/control-plane.ts'
import { type FakeExecutor, fakeExecutor } from '../runs/fake-executor.ts'

export const jobYaml = `etl: 1
kind: job
name: nightly
parameters:
  day: {type: date, default: "2026-01-01"}
  regions: {type: list, items: string, default: []}
  mapping: {type: json}
connectors:
  dw: {type: postgres}
  out: {type: file, access: read_write}
tasks:
  copy: {task: demo.copy, connectors: {out: out}}
`
export const dashboardYaml = (more = '', ttl = '5m') => `etl: 1
kind: dashboard
name: overview
job_template: nightly
time_window: {default: 7d, max: 30d}
filters:
  from: {type: date, default: "2026-01-01"}
  region: {type: multiselect, options: [eu, us], default: [eu]}
data:
  revenue:
    connector: dw
    query: "SELECT day, total FROM daily WHERE day >= :from AND region IN (:region) AND at >= :since"
    params: {from: "\${{ filters.from }}", region: "\${{ filters.region }}", since: "\${{ window.from }}"}
    max_rows: 3
    ttl: ${ttl}
  regions: {connector: dw, query: "SELECT code AS value, name AS label FROM regions WHERE code > coalesce(:cursor, '') AND name LIKE :search AND day = :day LIMIT :limit"}
  fields: {connector: dw, query: "SELECT name AS value, name AS label FROM fields"}
  history: {runs: {last: 5}}
  loaded: {metric: runs, last: 7}
widgets:
  - {id: trend, type: chart, chart: line, data: revenue, x: day, y: [total], at: [0, 0, 6, 4]}
  - {id: rows, type: table, data: revenue, at: [6, 0, 6, 4]}
  - {id: loads, type: kpi, data: loaded, at: [0, 4, 3, 2]}
  - {id: past, type: table, data: history, at: [3, 4, 3, 2]}
  - {id: setup, type: form, at: [6, 4, 6, 2], fields: [{key: day, param: day, widget: date, required: true}, {key: region, param: regions, widget: multiselect, options_source: {data: regions, page_size: 2}}]}
  - {id: map, type: field_mapping, at: [0, 6, 6, 2], param: mapping, source: {options_source: {data: fields, page_size: 2}}, target: {options_source: {data: fields}}, required: [id]}
  - {id: go, type: run_button, form: setup, at: [6, 6, 3, 1]}
  - {id: status, type: run_status, at: [6, 7, 3, 1]}
  - {id: log, type: log, at: [9, 6, 3, 2]}
${more}`

export interface DashboardWorld extends ControlPlane {
  executor: FakeExecutor
  jobId: number
  dashboard: DashboardDetail
  path: string
  /** The next query that an executor is to run. */
  query(): Promise<ResultPlan>
  /** Answers it with all of its rows. */
  give(plan: ResultPlan, columns: string[], rows: unknown[][]): Promise<void>
}

export async function dashboardWorld(options: TestServerOptions = {}, yaml = dashboardYaml()): Promise<DashboardWorld> {
  const plane = await controlPlane(options)
  const executor = await fakeExecutor(plane)
  await executor.claim({ result_slots: 4 })
  const { editor } = plane
  const dw = await editor.call(createConnector, {
    body: {
      name: 'dw',
      type: 'postgres',
      config: { host: 'db.secret.example', port: 5432, database: 'dw', user: 'reader' },
    },
  })
  const template = await editor.call(createJobTemplate, { body: { yaml_content: jobYaml } })
  await editor.call(createDashboardTemplate, { body: { yaml_content: yaml } })
  const job = await editor.call(createJob, {
    params: { id: template.id },
    body: { name: 'nightly eu', connector_mapping: { dw: dw.id, out: plane.mapping.out } },
  })
  const list = (await editor.get('/api/dashboards', { query: { job_id: job.id } })).body as { result: Dashboard[] }
  const id = list.result[0]!.id
  const waiting: ResultPlan[] = []
  return {
    ...plane,
    executor,
    jobId: job.id,
    dashboard: (await editor.get(`/api/dashboards/${id}`)).body as DashboardDetail,
    path: `/api/dashboards/${id}`,
    async query() {
      while (waiting.length === 0) {
        // One claim may bring several.
        waiting.push(...(await executor.claim({ result_slots: 4, wait_ms: 5_000 })).results)
      }
      return waiting.shift()!
    },
    async give(plan, columns, rows) {
      const fields = columns.map((name) => ({ name, type: 'text' as const, native: 'text' }))
      const head: ChunkHead = {
        seq: 1,
        rows: rows.length,
        start: { fields, statement: plan.query },
        total: rows.length,
      }
      await executor.chunk(plan.result_id, head, rows)
    },
  }
}
