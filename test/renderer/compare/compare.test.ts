import { describe, expect, it } from 'vitest'
import type { RunStep } from '../../../src/contract/runs.ts'
import {
  compareSteps,
  compareChanges,
  changesDiffer,
  overlaps,
} from '../../../src/renderer/features/runs/compare-runs.ts'
import { canonical, compareValues } from '../../../src/renderer/ui/compare/compare-values.ts'

const step = (index: number, key: string, fields: Partial<RunStep> = {}): RunStep => ({
  index,
  key,
  label: key,
  status: 'success',
  rows_in: 10,
  rows_out: 10,
  rows_rejected: 0,
  bytes: null,
  started_at: null,
  duration_ms: 5,
  columns: [],
  ...fields,
})

describe('values of two sides', () => {
  it('are compared by value, whatever the order of their keys', () => {
    const rows = compareValues(
      { given: { day: '2026-03-01', map: { b: 1, a: 2 } } },
      { given: { map: { a: 2, b: 1 }, day: '2026-03-02', extra: 1 } },
    )
    expect(rows.map((row) => [row.name, row.differs])).toEqual([
      ['day', true],
      ['extra', true],
      ['map', false],
    ])
    expect(compareValues({ given: {} }, { given: {} })).toEqual([])
    expect(canonical([{ b: 1, a: [2] }])).toBe('[{"a":[2],"b":1}]')
  })

  it('that weren’t given are the defaults, which differ from nothing that is the same', () => {
    const defaults = { since: '2012-01-01', least: 5, none: undefined }
    const rows = compareValues(
      { given: { since: '2014-01-01', least: 5 }, defaults },
      { given: { since: null }, defaults },
    )
    expect(rows).toEqual([
      {
        name: 'since',
        a: { value: '2014-01-01', isDefault: false },
        b: { value: '2012-01-01', isDefault: true },
        differs: true,
      },
      { name: 'least', a: { value: 5, isDefault: false }, b: { value: 5, isDefault: true }, differs: false },
      {
        name: 'none',
        a: { value: undefined, isDefault: true },
        b: { value: undefined, isDefault: true },
        differs: false,
      },
    ])
  })
})

describe('steps of two runs', () => {
  it('stand in the order in which they ran, those that are gone before the target, and say what differs in them', () => {
    const a = [step(0, 'source'), step(1, 'filter'), step(2, 'old'), step(3, 'target', { duration_ms: 5 })]
    const b = [
      step(0, 'source'),
      step(1, 'filter', { rows_out: 7, rows_rejected: 3, status: 'completed' }),
      step(2, 'new'),
      step(3, 'target', { rows_in: 7, rows_out: 7, duration_ms: 9 }),
    ]
    const steps = compareSteps(a, b)
    expect(steps.map(({ key, differs }) => [key, differs])).toEqual([
      ['source', []],
      ['filter', ['status', 'rows', 'rejected']],
      ['new', ['presence']],
      ['old', ['presence']],
      ['target', ['in', 'rows']],
    ])
    expect(steps.at(-1)).toMatchObject({ duration: 4, rows: -3 })
    expect(compareSteps(a, []).map(({ key }) => key)).toEqual(['source', 'filter', 'old', 'target'])
    expect(compareSteps([], b).map(({ key }) => key)).toEqual(['source', 'filter', 'new', 'target'])
  })

  it('overlap where their durations add up to more than the run’s', () => {
    const both = [step(0, 'source', { duration_ms: 80 }), step(1, 'target', { duration_ms: 60 })]
    expect([100, 140, null].map((ms) => overlaps({ duration_ms: ms }, both))).toEqual([true, false, false])
  })

  it('differ where an upsert has inserted and updated other rows, though as many came in', () => {
    const target = (fields: Partial<RunStep>) => [step(0, 'target', fields)]
    const [compared] = compareSteps(
      target({ rows_inserted: 10, rows_updated: 0 }),
      target({ rows_inserted: 0, rows_updated: 3 }),
    )
    expect(compared?.differs).toEqual(['upserted'])
  })

  it('tell changed values and columns that differ from the table beside each other, those that differ first', () => {
    const drift = { column: 'amount', there: 'integer', coming: 'text' }
    const rounded = { column: 'price', change: 'rounded to real', count: 4 }
    const a = [step(0, 'target', { changes: [rounded], drift: [{ ...drift, outcome: 'recreated' }] })]
    const b = [step(0, 'target', { changes: [rounded, { ...rounded, column: 'tax', count: 1 }], drift: [] })]
    const changes = compareChanges(compareSteps(a, b))
    expect(
      changes.map((row) => [row.column, row.change?.change, row.a?.kind, row.b?.kind, changesDiffer(row)]),
    ).toEqual([
      ['amount', undefined, 'drift', undefined, true],
      ['tax', 'rounded to real', undefined, 'values', true],
      ['price', 'rounded to real', 'values', 'values', false],
    ])
    expect(compareSteps(a, b)[0]?.differs).toEqual(['reported'])
    expect(compareSteps(a, a)[0]?.differs).toEqual([])
  })
})
