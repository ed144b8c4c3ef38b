/** A job with a dashboard that has every kind of widget, over a SQLite file; one of its queries fails. */
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { createConnector } from '../../src/contract/connectors.ts'
import { createDashboardTemplate } from '../../src/contract/dashboard-templates.ts'
import { listDashboards } from '../../src/contract/dashboards.ts'
import { runJob } from '../../src/contract/job-run-control.ts'
import { getJobRun } from '../../src/contract/job-runs.ts'
import { createJobTemplate } from '../../src/contract/job-templates.ts'
import { createJob } from '../../src/contract/jobs.ts'
import { createTask } from '../../src/contract/tasks.ts'
import { type Api, expect } from './e2e.ts'

const taskYaml = `etl: 1
kind: script
name: sales.load
script: |
  console.log('Loaded 180 rows of sales')
  return {}
outputs:
  regions: [{region: eu, rows: 60}, {region: us, rows: 60}]
`
const jobYaml = `etl: 1
kind: job
name: sales
parameters:
  day: {type: date, default: "2026-01-01"}
  note: {type: string, default: ""}
  limit: {type: integer, default: 10}
  regions: {type: list, items: string, default: []}
  full: {type: boolean, default: false}
  mapping: {type: json, default: {}}
connectors:
  dw: {type: sqlite}
tasks:
  load: {task: sales.load}
`
const dashboardYaml = `etl: 1
kind: dashboard
name: sales.overview
description: Sales by day and region
job_template: sales
time_window: {default: 30d, max: 365d}
filters:
  region: {type: multiselect, label: Region, options: [{value: eu, label: Europe}, {value: us, label: United States}, {value: apac, label: Asia-Pacific}], default: [eu, us, apac]}
  from: {type: date, label: First day, default: "2026-01-01"}
  day: {type: select, label: Day, options_source: {data: days}}
  product: {type: text, label: Product}
  totals: {type: range, of: number, label: Total}
data:
  revenue:
    connector: dw
    query: "SELECT day, region, sum(total) AS total FROM sales WHERE day >= :from AND region IN (:region) GROUP BY day, region ORDER BY day, region"
    params: {from: "\${{ filters.from }}", region: "\${{ filters.region }}"}
  by_region:
    connector: dw
    query: "SELECT region, sum(total) AS total, sum(orders) AS orders FROM sales WHERE region IN (:region) GROUP BY region ORDER BY region"
    params: {region: "\${{ filters.region }}"}
  rows:
    connector: dw
    query: "SELECT day, region, product, total, orders FROM sales WHERE region IN (:region) ORDER BY day, region"
    params: {region: "\${{ filters.region }}"}
  daily: {connector: dw, query: "SELECT day, sum(total) AS total FROM sales GROUP BY day ORDER BY day"}
  none: {connector: dw, query: "SELECT day, total FROM sales WHERE 1 = 0"}
  broken: {connector: dw, query: "SELECT * FROM not_there"}
  days: {connector: dw, query: "SELECT DISTINCT day AS value, day AS label FROM sales ORDER BY day"}
  fields: {connector: dw, query: "SELECT column1 AS value, column1 AS label FROM (VALUES ('order_id'), ('customer'), ('amount'))"}
  history: {runs: {last: 5}}
  loaded: {metric: runs, last: 7}
  output: {output: {task: load, name: regions}}
widgets:
  - {id: intro, type: text, at: [0, 0, 12, 1], text: "# Sales\\n**Bold** and a [link](https://example.org); <b>no HTML</b>, and [no script](javascript:alert(1))."}
  - {id: total, type: kpi, title: Revenue of the last day, data: daily, value: total, compare: previous, unit: €, decimals: 2, at: [0, 1, 3, 2]}
  - {id: loads, type: kpi, title: Runs of the last day, data: loaded, compare: previous, at: [3, 1, 3, 2]}
  - {id: status, type: run_status, title: Last job run, at: [6, 1, 3, 1]}
  - {id: go, type: run_button, form: setup, label: Load now, at: [9, 1, 3, 1]}
  - {id: area, type: filter, filter: region, at: [6, 2, 6, 1]}
  - {id: trend, type: chart, title: Revenue by day, chart: line, data: revenue, x: day, y: [total], series: region, unit: €, at: [0, 3, 8, 4]}
  - {id: regions, type: chart, title: Revenue by region, chart: bar, data: by_region, x: region, y: [total], cross_filter: {filter: region, column: region}, at: [8, 3, 4, 4]}
  - {id: areas, type: chart, title: Areas, chart: area, data: revenue, x: day, y: [total], series: region, at: [0, 7, 4, 3]}
  - {id: stacks, type: chart, title: Stacks, chart: stacked, data: revenue, x: day, y: [total], series: region, at: [4, 7, 4, 3]}
  - {id: parts, type: chart, title: Parts, chart: pie, data: by_region, x: region, y: [total], at: [8, 7, 4, 3]}
  - {id: points, type: chart, title: Points, chart: scatter, data: rows, x: orders, y: [total], at: [0, 10, 6, 3]}
  - {id: heat, type: chart, title: Heat, chart: heatmap, data: revenue, x: day, y: [region], value: total, drill: rows, at: [6, 10, 6, 3]}
  - {id: rows, type: table, title: Rows, data: rows, sort: total, order: desc, at: [0, 13, 8, 5]}
  - {id: broken, type: table, title: Broken, data: broken, at: [8, 13, 4, 3]}
  - {id: nothing, type: chart, title: Nothing, chart: line, data: none, x: day, y: [total], at: [8, 16, 4, 2]}
  - {id: setup, type: form, title: Load, at: [0, 18, 4, 5], fields: [{key: day, param: day, label: Day, widget: date, required: true}, {key: regions, param: regions, label: Regions, widget: multiselect, options: [eu, us, apac]}, {key: limit, param: limit, label: Limit, widget: number}, {key: full, param: full, label: Load all, widget: switch}, {key: note, param: note, label: Note}]}
  - {id: map, type: field_mapping, title: Fields, at: [4, 18, 4, 5], param: mapping, source: {options_source: {data: fields}}, target: {options_source: {data: fields}}, required: [order_id]}
  - {id: past, type: run_list, title: Job runs, at: [8, 18, 4, 3]}
  - {id: log, type: log, title: Log, task: load, at: [8, 21, 4, 2]}
  - {id: output, type: table, title: Output of the load, data: output, at: [0, 23, 12, 3]}
`

const products = ['tea', 'coffee', 'maté', 'cocoa']

function fillSales(path: string): void {
  const sales = new Database(path)
  sales.exec('CREATE TABLE sales (day TEXT, region TEXT, product TEXT, total REAL, orders INTEGER)')
  const add = sales.prepare('INSERT INTO sales VALUES (?, ?, ?, ?, ?)')
  sales.transaction(() => {
    for (let at = 0; at < 60; at++) {
      const day = new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10)
      for (const [n, region] of ['eu', 'us', 'apac'].entries()) {
        const total = 900 + 300 * n + Math.round(200 * Math.sin(at / 4 + n)) + 0.25
        add.run(day, region, products[(at + n) % 4], total, 10 + ((at * 7 + n * 3) % 23))
      }
    }
  })()
  sales.close()
}

export interface FilledDashboard {
  id: number
  job: number
  /** Another job of the same template, with the dashboards that the template has by then; of that one with this name. */
  another(name: string): Promise<number>
}

/** Makes it over the interface, and runs the job once. */
export async function fillDashboard(api: Api, folder: string): Promise<FilledDashboard> {
  const path = join(folder, 'sales.db')
  fillSales(path)
  const dw = await api(createConnector, { body: { name: 'sales', type: 'sqlite', config: { path } } })
  await api(createTask, { body: { yaml_content: taskYaml } })
  const template = await api(createJobTemplate, { body: { yaml_content: jobYaml } })
  await api(createDashboardTemplate, { body: { yaml_content: dashboardYaml } })
  const job = await api(createJob, {
    params: { id: template.id },
    body: { name: 'sales daily', connector_mapping: { dw: dw.id } },
  })
  const run = await api(runJob, { params: { id: job.id }, body: {} })
  await expect
    .poll(async () => (await api(getJobRun, { params: { id: run.id } })).completed_at, { timeout: 60_000 })
    .not.toBeNull()
  const list = await api(listDashboards, { query: { job_id: job.id } })
  return {
    id: list.result[0]?.id ?? 0,
    job: job.id,
    async another(name) {
      const { id } = await api(createJob, {
        params: { id: template.id },
        body: { name: `sales for ${name}`, connector_mapping: { dw: dw.id } },
      })
      const { result } = await api(listDashboards, { query: { job_id: id } })
      return result.find((one) => one.name === name)?.id ?? 0
    },
  }
}
