import { describe, expect, it } from 'vitest'
import { flow } from '../engine/run-task.ts'
import { runSteps } from './step-runs.ts'

describe('explode', () => {
  const lists = [
    '{"id": 1, "items": ["a", null, "b"], "end": 1}',
    '{"id": 2, "items": [], "end": 2}',
    '{"id": 3, "items": null, "end": 3}',
    '{"id": 4, "items": ["c"], "end": 4}',
  ]

  it('makes a row of each item of a list, in place, and drops rows without items', async () => {
    const { rows, columns, run } = await runSteps([{ explode: 'items' }], { lines: lists })
    expect(columns).toEqual(['id BIGINT', 'items VARCHAR', 'end BIGINT'])
    expect(rows.map((row) => [row['id'], row['items'], row['end']])).toEqual([
      [1, 'a', 1],
      [1, null, 1],
      [1, 'b', 1],
      [4, 'c', 4],
    ])
    expect(flow(run)).toBe('source 4→4 | explode 4→4 | target 4→4')
  })

  it('keeps rows without items when asked, and numbers the items from 0', async () => {
    const { rows, columns } = await runSteps(
      [{ explode: { column: 'items', as: 'item', index: 'position', keep_empty: true } }],
      { lines: lists },
    )
    expect(columns).toEqual(['id BIGINT', 'item VARCHAR', 'position BIGINT', 'end BIGINT'])
    expect(rows.map((row) => [row['id'], row['item'], row['position']])).toEqual([
      [1, 'a', 0],
      [1, null, 1],
      [1, 'b', 2],
      [2, null, null],
      [3, null, null],
      [4, 'c', 0],
    ])
  })

  it('takes JSON lists apart, typed by their items; what is no list counts as one item', async () => {
    const lists = ['[1, 9007199254740993]', '5', '[]', 'null', '[null, 7]']
    const { rows, columns } = await runSteps(
      [{ cast: { n: 'json' } }, { explode: { column: 'n', index: 'at' } }, { derive: { text: 'CAST(n AS VARCHAR)' } }],
      { rows: lists.map((n, index) => ({ id: index + 1, n })) },
    )
    expect(columns).toEqual(['id BIGINT', 'n BIGINT', 'at BIGINT', 'text VARCHAR'])
    expect(rows.map((row) => [row['id'], row['text'], row['at']])).toEqual([
      [1, '1', 0],
      [1, '9007199254740993', 1],
      [2, '5', 0],
      [5, null, 0],
      [5, '7', 1],
    ])
  })

  it('keeps every digit of the numbers in JSON lists', async () => {
    const run = (n: string) =>
      runSteps([{ cast: { n: 'json' } }, { explode: 'n' }, { derive: { text: 'CAST(n AS VARCHAR)' } }], {
        rows: [{ n }],
      })
    const decimals = await run('[1234567890.1234567890123, 1.10, -0.5]')
    expect(decimals.columns).toEqual(['n DECIMAL(38,13)', 'text VARCHAR'])
    expect(decimals.rows.map((row) => row['text'])).toEqual([
      '1234567890.1234567890123',
      '1.1000000000000',
      '-0.5000000000000',
    ])
    const documents = await run('[[1.10, 1234567890.1234567890123, "1.10"], 1e400, "2.50", {"k 1": 2.50}]')
    expect(documents.rows.map((row) => row['text'])).toEqual([
      '[1.10,1234567890.1234567890123,"1.10"]',
      '1e400',
      '"2.50"',
      '{"k 1":2.50}',
    ])
  })

  it('gives objects on to flatten', async () => {
    const { rows } = await runSteps(
      [{ explode: { column: 'items', as: 'item' } }, { flatten: { columns: 'item', separator: '.' } }],
      {
        rows: [{ id: 1, items: [{ sku: 'x', n: 1 }, { sku: 'y' }] }],
      },
    )
    expect(rows).toEqual([
      { id: 1, 'item.sku': 'x', 'item.n': 1 },
      { id: 1, 'item.sku': 'y', 'item.n': null },
    ])
  })

  it('counts each stage where several change the number of rows', async () => {
    const { run } = await runSteps([{ filter: 'id < 4' }, { explode: 'a' }, { explode: 'b' }, { filter: 'b <> 1' }], {
      lines: [
        '{"id": 1, "a": [1, 2], "b": [1, 2, 3]}',
        '{"id": 2, "a": [1], "b": []}',
        '{"id": 4, "a": [1], "b": [1]}',
      ],
    })
    expect(flow(run)).toBe('source 3→3 | filter 3→2 | explode 2→3 | explode_2 3→6 | filter_2 6→4 | target 4→4')
  })

  it('refuses what holds no lists, and names that are taken', async () => {
    const text = await runSteps([{ explode: 'name' }], { lines: ['{"name": "a;b"}'] })
    expect(text.run.error).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'Column `name` is VARCHAR: it holds no lists',
      step: 'explode',
    })
    const taken = await runSteps([{ explode: { column: 'items', as: 'Id' } }], { lines: lists })
    expect(taken.run.error).toMatchObject({ code: 'COLUMN_DUPLICATE' })
  })
})
