import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keysOfItems } from '../../../src/language/job/item-keys.ts'
import { type JobScope, withItem } from '../../../src/language/job/job-scope.ts'
import {
  evaluateArgs,
  evaluateItems,
  evaluateMessage,
  evaluateWhen,
  resolveParameters,
} from '../../../src/language/job/resolve-job.ts'
import type { ArgumentSpec, Json } from '../../../src/language/task/task.types.ts'

const scope: JobScope = {
  parameters: { day: '2026-01-31', regions: ['eu', 'us'], none: null },
  run: { id: 7, logical_date: '2026-02-01T02:00:00.000Z', trigger_type: 'cron' },
  job: { id: 3, name: 'nightly eu' },
  tasks: {
    orders: { status: 'success', outputs: { rows: 12 }, item_count: 12, items: null },
    export: {
      status: 'completed',
      outputs: [{ file: 'eu.csv' }, null],
      item_count: 5,
      items: [
        { item: 'eu', status: 'success', item_count: 5 },
        { item: 'us', status: 'failed', item_count: null },
      ],
    },
    check: { status: 'skipped', outputs: null, item_count: null, items: null },
  },
}
const when = (text: string | null) => evaluateWhen({ when: text }, scope)
const items = (written: Json) => evaluateItems({ in: written }, scope)

describe('when', () => {
  it.each([
    [null, true],
    ['${{ tasks.orders.outputs.rows > 0 }}', true],
    ["${{ tasks.export.items[status = 'failed'].item = 'us' }}", true],
    ["${{ tasks.orders.status = 'failed' }}", false],
    // What a skipped task would have put out is nothing, and nothing is no.
    ['${{ tasks.check.outputs.rows > 0 }}', false],
    ['${{ parameters.none }}', false],
    ["${{ run.logical_date < '2027' and job.name = 'nightly eu' }}", true],
    ['${{ $now() = run.logical_date }}', true],
  ])('%s gives %s', (text, value) => {
    expect(when(text)).toEqual({ ok: true, value })
  })

  it.each([
    ['${{ tasks.orders.outputs.rows }}', /gives 12; it must be true or false/],
    ["${{ 'no' }}", /gives "no"/],
    ['${{ parameters.regions }}', /gives a list/],
    ['${{ tasks.orders.status > 3 }}', /`when`: /],
    ['${{ $sum([1..19999].$sum([1..40])) > 0 }}', /too many steps/],
  ])('%s is an error', (text, message) => {
    expect(when(text)).toMatchObject({ ok: false, problem: { message: expect.stringMatching(message) } })
  })
})

describe('for_each', () => {
  it('takes a list, an expression that gives one, and expressions inside a list', () => {
    expect(items(['a', '${{ job.id }}'])).toEqual({
      ok: true,
      value: [
        { value: 'a', key: 'a' },
        { value: 3, key: '3' },
      ],
    })
    expect(items('${{ parameters.regions }}')).toMatchObject({ ok: true, value: [{ value: 'eu' }, { value: 'us' }] })
    expect(items([])).toEqual({ ok: true, value: [] })
  })

  it('takes 10,000 records and no more', () => {
    const list = Array.from({ length: 10_000 }, (_, id) => ({ id, name: `n${id}`, tags: ['a', 'b'] }))
    const many = { ...scope, parameters: { list } }
    const taken = evaluateItems({ in: '${{ parameters.list }}' }, many)
    expect(taken.ok && taken.value.length).toBe(10_000)
    const more = { ...scope, parameters: { list: [...list, 1] } }
    expect(evaluateItems({ in: '${{ parameters.list }}' }, more)).toMatchObject({
      ok: false,
      problem: { message: '`for_each.in` gives 10001 items; at most 10000 are allowed.' },
    })
  })

  it.each([
    ['${{ tasks.orders.outputs }}', /gives an object; it must be a list/],
    ['${{ tasks.check.outputs }}', /gives nothing/],
    ['${{ tasks.orders.status }}', /gives "success"/],
    [['${{ $sum(1, 2) }}'], /`for_each.in\[0\]`|`for_each`/],
  ])('%j is an error', (written, message) => {
    expect(items(written)).toMatchObject({ ok: false, problem: { message: expect.stringMatching(message) } })
  })

  it('shares its steps among many expressions, so that a list of dear ones does not hold up everything', () => {
    const list = Array.from({ length: 5_000 }, () => '${{ $sum([1..15000]) }}')
    expect(items(list)).toMatchObject({ ok: false, problem: { message: expect.stringContaining('too many steps') } })
    expect(items(Array.from({ length: 5_000 }, () => '${{ job.id }}'))).toMatchObject({ ok: true })
  })

  it('names equal values by their place among each other, whatever stands around them', () => {
    expect(keysOfItems(['eu', 'us', 'eu', 1, '1', null, 'null', 'eu#2', '', 'eu'])).toEqual([
      'eu',
      'us',
      'eu#2',
      '1',
      '"1"',
      'null',
      '"null"',
      '"eu#2"',
      '""',
      'eu#3',
    ])
    expect(keysOfItems([{ b: 1, a: [2] }])).toEqual(keysOfItems([{ a: [2], b: 1 }]))
    const [long = ''] = keysOfItems(['x'.repeat(500)])
    expect(long.length).toBeLessThanOrEqual(60)
    expect(keysOfItems([`${'x'.repeat(500)}y`])).not.toEqual([long])
  })

  it('never gives two items of a list the same key, and the same value the same key in any list', () => {
    const values = fc.array(fc.oneof(fc.jsonValue(), fc.constantFrom('a', 'a#2', 1, '1', '#', '…')), { maxLength: 12 })
    fc.assert(
      fc.property(values, (list) => {
        const clean = JSON.parse(JSON.stringify(list)) as Json[]
        const keys = keysOfItems(clean)
        expect(new Set(keys).size).toBe(keys.length)
        const alone = clean.map((value) => keysOfItems([value])[0])
        const firsts = clean.flatMap((_, index) => (alone.indexOf(alone[index]) === index ? [index] : []))
        expect(firsts.map((index) => keys[index])).toEqual(firsts.map((index) => alone[index]))
      }),
      { numRuns: 300 },
    )
  })
})

describe('arguments and gates', () => {
  it('keep the types of expressions, and know the item at hand', () => {
    const args = {
      day: '${{ parameters.day }}',
      region: '${{ each.region }}',
      place: '${{ each.index }}',
      label: '${{ each.region }}/${{ run.id }}',
      rows: ['${{ tasks.orders.outputs.rows }}'],
    }
    expect(evaluateArgs({ args }, withItem(scope, 'region', 'us', 1))).toEqual({
      ok: true,
      value: { day: '2026-01-31', region: 'us', place: 1, label: 'us/7', rows: [12] },
    })
  })

  it('say which argument cannot be evaluated', () => {
    expect(evaluateArgs({ args: { a: 1, b: '${{ 1 + parameters.day }}' } }, scope)).toMatchObject({
      ok: false,
      problem: { message: expect.stringMatching(/^`args\.b`: /) },
    })
  })

  it('ask in words', () => {
    expect(evaluateMessage({ message: 'Publish ${{ tasks.orders.item_count }} rows?' }, scope)).toEqual({
      ok: true,
      value: 'Publish 12 rows?',
    })
    expect(evaluateMessage({ message: '${{ tasks.export.outputs }}' }, scope).ok).toBe(false)
  })
})

describe('parameters', () => {
  const specs: Record<string, ArgumentSpec> = {
    day: { type: 'date', required: false, default: '${{ run.logical_date }}' },
    regions: { type: 'list', items: 'string', required: false, default: ['eu'] },
    code: { type: 'string', required: true },
  }

  it('are filled in when a job run starts; before that those that ask for it are left out', () => {
    expect(resolveParameters(specs, { code: 'x' }, { run: scope.run })).toEqual({
      values: { day: '2026-02-01', regions: ['eu'], code: 'x' },
      problems: [],
    })
    expect(resolveParameters(specs, { code: 'x' }).values).toEqual({ regions: ['eu'], code: 'x' })
  })

  it('are refused by their own names', () => {
    const { problems } = resolveParameters(specs, { regions: ['eu', 1], cod: 'x' })
    expect(problems.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'cod: There is no parameter `cod`. Did you mean `code`?',
      'regions[1]: `regions[1]` must be text, not 1.',
      'code: `code` is required.',
    ])
  })
})
