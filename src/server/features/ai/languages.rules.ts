/** The languages, as short as a model can still write them. Pure. */

/** A task that the language accepts; a test holds it against the parser. */
export const exampleTask = `etl: 1
kind: pipeline
name: crm.contacts
description: Contacts of the CRM into the app database
connectors:
  crm: {type: sqlite, access: read}
  app: {type: postgres, access: write}
source:
  connector: crm
  sql: {table: contacts}
steps:
  - select: [id, email, country, updated_at]
  - cast: {updated_at: datetime}
  - filter: "country = 'DE'"
  - derive: {email: "lower(email)"}
  - rename: {updated_at: changed_at}
  - dedupe: {key: [id]}
target:
  connector: app
  table: contacts
  mode: upsert
  key: [id]
`

export const taskLanguage = `The task language (unknown keys are errors):
- \`etl: 1\`, \`kind: pipeline\`, \`name\`, and \`description\` come first.
- \`connectors\`: slot -> {type, access: read | write | read_write}. Use only the slots of the request, with their types.
- \`source\`: {connector, sql: {table: name}} | {connector, sql: {query: "SELECT ...", params: {}}} | {connector, files: {glob: "*.csv", format: csv | jsonl | json | parquet | xlsx}} | {connector, http: {path: /x, records: data, paginate: {kind: none}}} | {connector, odata: {entity: X}} | {connector, mongo: {collection: x, find: {}}} | {inline: {rows: []}}.
- \`steps\`: a list, one key each: select: [a, b] | rename: {old: new} | drop: [a] | cast: {a: integer | number | decimal(18,2) | string | boolean | date | datetime} | filter: "DuckDB condition" | derive: {a: "DuckDB expression"} | dedupe: {key: [a]} | sql: "SELECT ... FROM stream" | expect: [{name: x, check: "DuckDB condition", on_fail: quarantine}].
- \`target\`: {connector, table: name, mode: append | replace | upsert | delete_insert, key: [a]} (key for upsert and delete_insert) or {connector, file: {path: out.csv, format: csv}}.
- \`args\`: name -> {type, default}; used as \${{ args.name }}, never inside SQL. SQL takes :name with params.

Example:
${exampleTask}`

/** Likewise, a job template. */
export const exampleJobTemplate = `etl: 1
kind: job
name: nightly
description: Loads the orders, then exports them for each region
parameters:
  day: {type: date, default: "\${{ run.logical_date }}"}
  regions: {type: list, items: string, default: [eu, us]}
connectors:
  shop: {type: mysql}
  warehouse: {types: [postgres, sqlite]}
concurrency: {tasks: 4, on_overlap: skip}
tasks:
  orders: {task: shop.orders, connectors: {source: shop, target: warehouse}, args: {day: "\${{ parameters.day }}"}}
  export:
    task: sales.export
    depends_on: [orders]
    when: "\${{ tasks.orders.outputs.rows > 0 }}"
    for_each: {in: "\${{ parameters.regions }}", as: region, max_parallel: 2}
    connectors: {db: warehouse}
    args: {region: "\${{ each.region }}"}
    retries: {max: 2, delay: 30s}
  approve: {gate: "Publish the figures?", depends_on: [export]}
  cleanup: {task: ops.cleanup, depends_on: [approve], run_if: all_done, connectors: {db: warehouse}}
`

export const jobTemplateLanguage = `The job template language (unknown keys are errors):
- \`etl: 1\`, \`kind: job\`, \`name\`, and \`description\` come first.
- \`parameters\`: name -> {type: string | integer | number | boolean | date | datetime | duration | json | list, default, required, items}; used as \${{ parameters.name }}.
- \`connectors\`: name -> {type} or {types: [..]}: the connectors that a job binds. Give each slot of the tasks one that its types allow.
- \`tasks\`: key -> {task: name, depends_on: [keys], run_if: all_success | none_failed | all_done | any_failed, when: "\${{ condition }}", for_each: {in, as, max_parallel, on_item_error: fail | continue}, connectors: {slot: name in connectors}, args: {name: value}, retries: {max, delay, backoff}, timeout, on_failure: fail | continue | stop, pool, priority} or {gate: "question", depends_on}. Bind every slot of a task. Keys have letters, digits, and _.
- Expressions: \${{ parameters.x }}, \${{ tasks.key.outputs.rows }}, \${{ each.item }}.
- \`concurrency\`: {tasks, on_overlap: skip | queue | cancel_running}; \`timeout\`, \`deadline\`, \`timezone\`, \`priority\`; \`notify\`: [{on: [failed, recovered, late, finished], channel}].
- Schedules are triggers, which are not part of a template.

Example:
${exampleJobTemplate}`

/** Likewise, a dashboard template. */
export const exampleDashboardTemplate = `etl: 1
kind: dashboard
name: nightly.overview
description: Sales, and how the job runs
job_template: nightly
filters: {from: {type: date, label: From, default: "2026-01-01"}}
data:
  sales:
    connector: warehouse
    query: SELECT day, sum(total) AS total FROM sales WHERE day >= :from GROUP BY day ORDER BY day
    params: {from: "\${{ filters.from }}"}
  rows: {metric: rows, bucket: day, last: 30}
widgets:
  - {id: loaded, type: kpi, title: Rows written, data: rows, compare: previous, at: [0, 0, 3, 2]}
  - {id: trend, type: chart, title: Sales by day, chart: line, data: sales, x: day, y: [total], at: [3, 0, 9, 4]}
  - {id: days, type: table, title: Days, data: sales, sort: day, order: desc, at: [0, 4, 8, 4]}
  - {id: last, type: run_status, title: Last job run, at: [8, 4, 4, 2]}
`

export const dashboardTemplateLanguage = `The dashboard template language (unknown keys are errors):
- \`etl: 1\`, \`kind: dashboard\`, \`name\`, \`description\`, and \`job_template\` come first.
- \`time_window\`: {default: 7d, max: 90d}; used in params as \${{ window.from }} and \${{ window.to }}.
- \`filters\`: name -> {type: date, default} | {type: range, of: date | number} | {type: select, options: [..]} | {type: multiselect, options: [..]} | {type: text}, each with \`label\`; used in params as \${{ filters.name }}, of a range \${{ filters.name.from }}.
- \`data\`: name -> {connector, query, params, max_rows} (one SELECT in the SQL of the database; :name binds one of params, IN (:name) takes a list; never put \${{ }} into SQL) | {metric: runs | succeeded_runs | failed_runs | success_rate | rows | rejects | reject_rate | bytes | duration_avg | duration_p50 | duration_p95 | queue_delay_avg, task, bucket: hour | day | week | month, last, group_by: task | status} (columns: from, value, group) | {runs: {task, last}} (columns: id, status, started_at, completed_at, duration_ms, item_count) | {output: {task, name}}.
- \`widgets\`: a list of {id, type, title, at: [column, row, width, height]} on a grid of 12 columns, without overlaps. Types: kpi {data, value, compare: none | previous, unit, decimals}, chart {chart: line | area | bar | stacked | pie | scatter | heatmap, data, x, y: [..], series}, table {data, columns, sort, order}, text {text}, filter {filter}, form {fields: [{key, param, label, widget: text | number | date | select | switch}]}, run_button {form, label, confirm}, run_status {task}, run_list {task, last}, log {task, lines}.
- Every entry of data and filters must be used.

Example:
${exampleDashboardTemplate}`
