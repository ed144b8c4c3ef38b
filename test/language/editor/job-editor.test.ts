import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeJob, type JobWorld } from '../../../src/language/complete-job.ts'
import { hoverJob } from '../../../src/language/hover-job.ts'
import { jobFixtures } from '../fixtures/fixtures.ts'
import { jobCatalogue } from '../fixtures/job-catalogue.ts'

const world: JobWorld = {
  connectors: [{ name: 'Sales warehouse', type: 'postgres' }],
  tasks: jobCatalogue.taskNames().map((name) => ({ name, description: `What ${name} is for.` })),
  version(name, version) {
    const task = jobCatalogue.task(name)
    return task && jobCatalogue.version(task, version ?? task.current_version)
  },
  pools: jobCatalogue.pools,
  channels: jobCatalogue.channels,
}
const head = `etl: 1
kind: job
name: x
parameters:
  day: {type: date, description: The day}
connectors:
  dw: {type: postgres}
  lake: {type: s3}
tasks:
  orders: {task: erp.orders, connectors: {}}
  ask: {gate: Sure?, depends_on: [orders]}
`

/** Completes at `¦`. */
function at(marked: string): ReturnType<typeof completeJob> {
  const offset = marked.lastIndexOf('¦')
  return completeJob(marked.replace('¦', ''), offset, world)
}
const labels = (marked: string): string[] => at(marked).map((one) => one.label)
function accept(marked: string, label: string): string {
  const text = marked.replace('¦', '')
  const chosen = at(marked).find((one) => one.label === label)
  return chosen ? text.slice(0, chosen.from) + chosen.insert + text.slice(chosen.to) : `no ${label}`
}

describe('completeJob', () => {
  it('starts an empty document, and offers what is not there yet', () => {
    expect(labels('¦').slice(0, 3)).toEqual(['etl', 'kind', 'name'])
    expect(labels('etl: 1\nkind: ¦')).toEqual(['job'])
    expect(labels(`${head}¦`)).toEqual(
      expect.arrayContaining(['concurrency', 'timeout', 'deadline', 'priority', 'notify']),
    )
    expect(labels(`${head}¦`)).not.toContain('tasks')
  })

  it('knows tasks from gates once one of the two is written', () => {
    expect(labels(`${head}  b:\n    ¦`)).toEqual(expect.arrayContaining(['task', 'gate', 'depends_on']))
    expect(labels(`${head}  b:\n    gate: Go?\n    ¦`)).toEqual(['depends_on', 'run_if', 'when', 'description'])
    expect(labels(`${head}  b: {task: noop, ¦}`)).toEqual(expect.arrayContaining(['for_each', 'retries', 'pool']))
    expect(labels(`${head}  b:\n    task: noop\n    for_each:\n      ¦`)).toEqual([
      'in',
      'as',
      'max_parallel',
      'on_item_error',
    ])
    expect(labels(`${head}  b: {task: noop, run_if: ¦}`)).toEqual([
      'all_success',
      'none_failed',
      'all_done',
      'any_failed',
    ])
  })

  it('names tasks, pools and channels that there are', () => {
    expect(labels(`${head}  b:\n    task: er¦`)).toEqual(['erp.orders'])
    expect(labels(`${head}  b: {task: noop, pool: ¦}`)).toEqual(['warehouse', 'api'])
    expect(labels(`${head}notify:\n  - {on: [failed], channel: ¦}`)).toEqual(['ops', 'team'])
    expect(labels(`${head}notify:\n  - on: [¦`)).toEqual([
      'failed',
      'recovered',
      'late',
      'finished',
      'completed_with_rejects',
      'schema_drift',
      'waiting_for_approval',
    ])
  })

  it('makes a whole task or connector out of its name', () => {
    expect(accept(`${head}  ord¦`, 'orders_2')).toBe(`${head}  orders_2: {task: erp.orders}`)
    expect(accept(`etl: 1\nconnectors:\n  ¦`, 'Sales_warehouse')).toBe(
      'etl: 1\nconnectors:\n  Sales_warehouse: {type: postgres}',
    )
  })

  it('offers as dependencies only what does not wait for this task and is not named yet', () => {
    expect(labels(`${head}  b: {task: noop, depends_on: [¦]}`)).toEqual(['orders', 'ask'])
    expect(labels(`${head}  b: {task: noop, depends_on: [orders, ¦]}`)).toEqual(['ask'])
    expect(labels(`${head}  b:\n    task: noop\n    depends_on:\n      - a¦`)).toEqual(['ask'])
    expect(labels(head.replace('connectors: {}}', 'depends_on: [¦]}'))).toEqual([])
  })

  it('knows the slots and arguments of the task, and which connector fits', () => {
    expect(labels(`${head}  b:\n    task: sales.daily\n    connectors:\n      ¦`)).toEqual(['pg', 'lake'])
    expect(labels(`${head}  b: {task: sales.daily, connectors: {pg: ¦}}`)).toEqual(['dw'])
    expect(labels(`${head}  b: {task: sales.daily, connectors: {pg: dw, lake: ¦}}`)).toEqual(['lake'])
    expect(labels(`${head}  b:\n    task: sales.daily\n    args:\n      day: x\n      ¦`)).toEqual(['region', 'limit'])
    expect(accept(`${head}  b:\n    task: sales.daily\n    args:\n      ¦`, 'day')).toMatch(/args:\n {6}day: $/)
    expect(labels(`${head}  b: {task: erp.orders, version: 2, connectors: {¦}}`)).toEqual(['pg'])
  })

  it('knows in expressions what is upstream, and the item only where there is one', () => {
    const names = (marked: string): string[] => labels(marked).filter((label) => !label.startsWith('$'))
    expect(names(`${head}  b: {task: noop, depends_on: [ask], when: "\${{ ¦ }}"}`)).toEqual([
      'parameters',
      'run',
      'job',
      'tasks',
    ])
    expect(names(`${head}  b: {task: noop, depends_on: [ask], when: "\${{ tasks.¦ }}"}`)).toEqual(['orders', 'ask'])
    expect(names(`${head}  b: {task: noop, depends_on: [ask], when: "\${{ tasks.orders.¦ }}"}`)).toEqual([
      'status',
      'outputs',
      'item_count',
      'items',
    ])
    expect(names(`${head}  b: {task: noop, when: "\${{ tasks.¦ }}"}`)).toEqual([])
    expect(names(`${head}  b: {task: noop, for_each: {in: [1], as: region}, args: {a: "\${{ each.¦ }}"}}`)).toEqual([
      'region',
      'index',
    ])
    expect(names(`${head}  b: {task: noop, for_each: {in: [1], as: region}, when: "\${{ each.¦ }}"}`)).toEqual([])
    expect(names('etl: 1\nparameters:\n  day: {type: date, default: "${{ ¦ }}"}\n')).toEqual(['run'])
  })

  it('never throws, wherever the cursor is', () => {
    const texts = jobFixtures().map(({ text }) => text)
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(2000), fc.nat(2000), (text, at1, at2) => {
        const cut = text.slice(0, at1 % (text.length + 1))
        for (const one of [text, cut]) {
          const offset = at2 % (one.length + 1)
          for (const { from, to } of completeJob(one, offset, world)) {
            expect(from).toBeLessThanOrEqual(offset)
            expect(to).toBe(offset)
          }
          expect(hoverJob(one, offset, world)?.markdown ?? '**').toMatch(/^\*\*/)
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('hoverJob', () => {
  const text = `${head}  b:
    task: sales.daily
    depends_on: [ask]
    run_if: all_done
    for_each: {in: [eu], as: region}
    connectors: {pg: dw, lake: lake}
    args: {day: "\${{ parameters.day }}", region: "\${{ each.region }}"}
    when: "\${{ tasks.orders.item_count > $max([1, 2]) }}"
`
  const over = (part: string, inside = 1): string =>
    hoverJob(text, text.lastIndexOf(part) + inside, world)?.markdown ?? 'nothing'

  it.each([
    ['run_if', /^\*\*run_if\*\*.*How the tasks in `depends_on`/s],
    ['all_done', /They ended with any status/],
    [
      'sales.daily',
      /^\*\*sales.daily\*\* — task\n\nWhat sales.daily is for.\n\n- slot `pg`: postgres, read\n.*- argument `day`: date, required/s,
    ],
    ['ask]', /^\*\*ask\*\* — gate\n\nSure\?\n\nAfter `orders`/],
    ['pg:', /slot of the task: postgres, read/],
    ['dw,', /^\*\*dw\*\* — connector of the template: postgres/],
    ['day:', /^\*\*day\*\* — argument, date, required/],
    ['b:', /^\*\*b\*\* — task `sales.daily`/],
    ['parameters.day', /^\*\*parameters\*\* — /],
    ['$max', /^\*\*\$max\(/],
  ])('explains %s', (part, markdown) => {
    expect(over(part)).toMatch(markdown)
  })

  it('explains names in expressions down to the field', () => {
    expect(over('parameters.day', 12)).toMatch(/^\*\*day\*\* — parameter, date\n\nThe day/)
    expect(over('tasks.orders.item_count', 8)).toBe('**tasks.orders** — Its status and results.')
    expect(over('tasks.orders.item_count', 16)).toMatch(/^\*\*tasks.orders.item_count\*\* — Rows written/)
    expect(over('each.region', 7)).toBe('**each.region** — The current item.')
  })

  it('explains what the template declares', () => {
    expect(hoverJob(text, text.indexOf('day:') + 1)?.markdown).toMatch(/^\*\*day\*\* — parameter, date/)
    expect(hoverJob(text, text.indexOf('lake:') + 1)?.markdown).toMatch(/^\*\*lake\*\* — connector of the template: s3/)
  })
})
