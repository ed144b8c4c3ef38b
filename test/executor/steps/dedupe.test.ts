import { describe, expect, it } from 'vitest'
import { flow } from '../engine/run-task.ts'
import { runSteps } from './step-runs.ts'

const rows = [
  { id: 2, day: '2024-01-02', note: 'a' },
  { id: 1, day: '2024-01-05', note: 'b' },
  { id: 2, day: '2024-01-09', note: 'c' },
  { id: 1, day: null, note: 'd' },
  { id: null, day: null, note: 'e' },
  { id: 2, day: '2024-01-09', note: 'f' },
  { id: null, day: null, note: 'g' },
  { id: 3, day: null, note: 'h' },
]

async function notes(step: unknown): Promise<string> {
  const run = await runSteps([{ dedupe: step }], { rows })
  return run.rows.map((row) => row['note']).join('')
}

describe('dedupe', () => {
  it('keeps the first or last row of each key in the order read; NULL is a value', async () => {
    expect(await notes('id')).toBe('abeh')
    expect(await notes({ key: ['id'], keep: 'last' })).toBe('dfgh')
  })

  it('goes by a column where it is told to; without a value there a row stays only when no other does', async () => {
    expect(await notes({ key: ['id'], order_by: 'day' })).toBe('abeh')
    expect(await notes({ key: ['id'], keep: 'last', order_by: 'day' })).toBe('bfgh')
  })

  it('compares whole rows, lists and objects too', async () => {
    const twice = [
      { a: 1, b: [1, { c: 2 }] },
      { a: 1, b: [1] },
      { a: 1, b: [1, { c: 2 }] },
      { a: null, b: null },
      { a: null, b: null },
    ]
    const { run, rows: kept } = await runSteps([{ dedupe: true }], { rows: twice })
    expect(kept).toEqual([twice[0], twice[1], twice[3]])
    expect(run).toMatchObject({ status: 'success', reject_count: 0 })
    expect(flow(run)).toBe('source 5→5 | dedupe 5→3 | target 3→3')
  })

  it('keeps the order of many rows', async () => {
    const { rows: kept } = await runSteps(
      [
        { sql: 'SELECT (i * 7919) % 50021 AS id, i FROM stream, range(120000) r(i)' },
        { dedupe: { key: 'id', keep: 'last' } },
      ],
      { rows: [{ x: 1 }] },
    )
    expect(kept).toHaveLength(50_021)
    expect(kept.every((row, index) => index === 0 || Number(row['i']) > Number(kept[index - 1]?.['i']))).toBe(true)
  })

  it('is not led astray by a column called rowid', async () => {
    const odd = [
      { rowid: 7, id: 1 },
      { rowid: 7, id: 1 },
      { rowid: 3, id: 2 },
      { rowid: 1, id: 1 },
    ]
    const { rows: kept } = await runSteps([{ dedupe: { key: 'id', keep: 'last' } }], { rows: odd })
    expect(kept).toEqual([odd[2], odd[3]])
  })

  it('names a column that is not there', async () => {
    const { run } = await runSteps([{ sql: 'SELECT * FROM stream' }, { dedupe: 'idd' }], { rows })
    expect(run.error).toMatchObject({ code: 'COLUMN_NOT_FOUND', step: 'dedupe' })
  })
})
