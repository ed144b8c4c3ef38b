import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dashboardSchema } from '../../src/language/dashboard/dashboard-schema.ts'
import { parseDashboard } from '../../src/language/dashboard/parse-dashboard.ts'
import { dashboardReference } from './dashboard-reference.ts'

const example = `etl: 1
kind: dashboard
name: nightly.overview
job_template: nightly
filters: {from: {type: date, default: "2026-01-01"}}
data:
  revenue:
    connector: dw
    query: SELECT day, sum(total) AS total FROM daily WHERE day >= :from GROUP BY day ORDER BY day
    params: {from: "\${{ filters.from }}"}
    max_rows: 500
  loaded: {metric: rows, task: orders, last: 30}
widgets:
  - {id: rows, type: kpi, data: loaded, compare: previous, at: [0, 0, 3, 2]}
  - {id: trend, type: chart, chart: line, data: revenue, x: day, y: [total], at: [3, 0, 9, 4]}
  - {id: setup, type: form, at: [0, 4, 9, 3], fields: [{key: day, param: day, widget: date}]}
  - {id: go, type: run_button, form: setup, label: Run now, at: [9, 4, 3, 1]}
`
const path = join(import.meta.dirname, '../../docs/dashboard-language.md')

test('docs/dashboard-language.md is what the language says about itself; UPDATE_DOCS=1 writes it', () => {
  expect(parseDashboard(example).diagnostics).toEqual([])
  const page = dashboardReference(dashboardSchema, example)
  if (process.env['UPDATE_DOCS']) writeFileSync(path, page)
  expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(page)
})
