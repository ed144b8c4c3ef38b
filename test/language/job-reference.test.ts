import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { evaluateTemplate } from '../../src/language/expressions/template.ts'
import { buildGraph } from '../../src/language/job/job-graph.ts'
import { jobSchema } from '../../src/language/job/job-schema.ts'
import { type JobScope, nodeScope, withEach, withItem } from '../../src/language/job/job-scope.ts'
import { parseJob } from '../../src/language/job/parse-job.ts'
import { jobCatalogue } from './fixtures/job-catalogue.ts'
import { type Evaluated, jobReference } from './job-reference.ts'

const example = `etl: 1
kind: job
name: nightly
parameters:
  day: {type: date, default: "\${{ run.logical_date }}"}
  regions: {type: list, items: string, default: [eu, us]}
connectors: {crm: {type: http}, app: {type: sqlite}, erp: {type: mongodb}, dw: {type: postgres}, lake: {types: [file, s3]}}
concurrency: {tasks: 4, on_overlap: skip}
timeout: 2h
tasks:
  contacts: {task: crm.contacts, connectors: {api: crm, db: app}, retries: {max: 3, delay: 30s}, on_failure: continue}
  orders: {task: erp.orders, version: 3, connectors: {mongo: erp, pg: dw}}
  export:
    task: sales.daily
    depends_on: [orders]
    when: "\${{ tasks.orders.outputs.rows > 0 }}"
    for_each: {in: "\${{ parameters.regions }}", as: region, max_parallel: 2, on_item_error: continue}
    connectors: {pg: dw, lake: lake}
    args: {day: "\${{ parameters.day }}", region: "\${{ each.region }}"}
  sign_off: {gate: "Publish these figures?", depends_on: [export]}
  cleanup: {task: ops.cleanup, depends_on: [contacts, sign_off], run_if: all_done, connectors: {db: dw}}
notify: [{on: [failed, recovered], channel: ops}]
`

const scope: JobScope = {
  parameters: { day: '2026-03-01', regions: ['eu', 'us'] },
  run: { id: 12, logical_date: '2026-03-01T02:00:00.000Z', trigger_type: 'cron' },
  job: { id: 3, name: 'nightly europe' },
  tasks: {
    orders: { status: 'success', outputs: { rows: 120 }, item_count: 120, items: null },
    export: {
      status: 'completed',
      outputs: [{ file: 'eu.parquet' }, null],
      item_count: 80,
      items: [
        { item: 'eu', status: 'success', item_count: 80 },
        { item: 'us', status: 'failed', item_count: null },
      ],
    },
    contacts: { status: 'skipped', outputs: null, item_count: null, items: null },
  },
}
const evaluated: Evaluated[] = [
  { expression: '${{ tasks.orders.outputs.rows > 0 }}', gives: 'true', note: 'An output of an upstream task.' },
  {
    expression: "${{ [tasks.export.items[status = 'failed'].item] }}",
    gives: '["us"]',
    note: 'Items that failed, e.g. for a `for_each`. Without the outer `[ ]`, a single item would not be a list.',
  },
  { expression: '${{ tasks.export.outputs.file }}', gives: '"eu.parquet"', note: 'From the outputs of all items.' },
  {
    expression: '${{ tasks.contacts.outputs.rows > 0 }}',
    gives: 'nothing',
    note: 'The task was skipped. In `when`, this counts as false.',
  },
  { expression: "${{ 'us' in parameters.regions }}", gives: 'true', note: '' },
  {
    expression: '${{ each.region }}/${{ parameters.day }}',
    gives: '"us/2026-03-01"',
    note: 'In `args`: the current item.',
  },
  { expression: '${{ each.index = 0 }}', gives: 'false', note: '' },
]

describe('docs/job-language.md', () => {
  it('has every key as the language reads it', () => {
    const path = join(import.meta.dirname, '../../docs/job-language.md')
    const names = withEach(
      nodeScope({ description: "The job's parameters, by name.", fields: {} }, buildGraph([]), ''),
      '<as>',
    )
    const page = jobReference(jobSchema, names, { example, evaluated })
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, page)
    expect(existsSync(path) ? readFileSync(path, 'utf8') : '').toBe(page)
  })

  it('shows a template in which nothing is wrong', () => {
    expect(parseJob(example, jobCatalogue).diagnostics).toEqual([])
  })

  it.each(evaluated)('tells rightly what $expression gives', ({ expression, gives }) => {
    const result = evaluateTemplate(expression, { ...withItem(scope, 'region', 'us', 1) }, scope.run.logical_date)
    expect(result.ok && (result.value === undefined ? 'nothing' : JSON.stringify(result.value))).toBe(gives)
  })
})
