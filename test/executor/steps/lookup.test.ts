import { describe, expect, it } from 'vitest'
import { flow } from '../engine/run-task.ts'
import { runSteps } from './step-runs.ts'

const rows = [
  { id: 1, country: 'SE', year: 2024 },
  { id: 2, country: null, year: 2024 },
  { id: 3, country: 'XX', year: 2024 },
  { id: 4, country: 'DK', year: 2023 },
  { id: 5, country: 'SE', year: 2023 },
]
const countries = {
  inline: {
    rows: [
      { code: 'SE', name: 'Sverige', n: 10 },
      { code: 'DK', name: 'Danmark', n: 6 },
      { code: null, name: 'none', n: 0 },
    ],
  },
}
const several = {
  inline: {
    rows: [
      { code: 'DK', name: 'first' },
      { code: 'DK', name: 'second' },
      { code: 'NO', name: 'x' },
      { code: 'NO', name: 'y' },
    ],
  },
}

describe('lookup', () => {
  it('adds the columns of the input in the order of the rows; NULL finds nothing', async () => {
    const {
      rows: found,
      columns,
      run,
    } = await runSteps([{ lookup: { input: 'countries', on: { country: 'code' } } }], { rows, inputs: { countries } })
    expect(columns).toEqual(['id BIGINT', 'country VARCHAR', 'year BIGINT', 'name VARCHAR', 'n BIGINT'])
    expect(found.map((row) => [row['id'], row['name'], row['n']])).toEqual([
      [1, 'Sverige', 10],
      [2, null, null],
      [3, null, null],
      [4, 'Danmark', 6],
      [5, 'Sverige', 10],
    ])
    expect(flow(run)).toBe('source 5→5 | lookup 5→5 | target 5→5')
  })

  it('drops, quarantines or stops at rows that find nothing, with their values', async () => {
    const step = (on_missing: string) => [
      { lookup: { input: 'countries', on: { country: 'code' }, columns: { label: 'name' }, on_missing } },
    ]
    const dropped = await runSteps(step('drop'), { rows, inputs: { countries } })
    expect(dropped.rows.map((row) => row['label'])).toEqual(['Sverige', 'Danmark', 'Sverige'])
    expect(flow(dropped.run)).toBe('source 5→5 | lookup 5→3 | target 3→3')
    const quarantined = await runSteps(step('quarantine'), { rows, inputs: { countries } })
    expect(quarantined.run).toMatchObject({ status: 'completed', reject_count: 2 })
    expect(flow(quarantined.run)).toBe('source 5→5 | lookup 5→3 -2 | target 3→3')
    expect(quarantined.run.rejects).toMatchObject([
      { step: 'lookup', reason: 'nothing in input `countries` for country = NULL', row: rows[1] },
      { step: 'lookup', reason: 'nothing in input `countries` for country = XX', row: rows[2] },
    ])
    const failed = await runSteps(step('fail'), { rows, inputs: { countries } })
    expect(failed.run.error).toMatchObject({
      code: 'VALUE_INVALID',
      step: 'lookup',
      message: '2 of 5 rows find nothing in input `countries`, such as country = NULL',
    })
  })

  it('takes the first of several as read, or stops where a row finds several', async () => {
    const step = (on_many: string) => [{ lookup: { input: 'several', on: { country: 'code' }, on_many } }]
    const first = await runSteps(step('first'), { rows, inputs: { several } })
    expect(first.rows.map((row) => row['name'])).toEqual([null, null, null, 'first', null])
    const failed = await runSteps(step('fail'), { rows, inputs: { several } })
    expect(failed.run.error).toMatchObject({
      code: 'KEY_NOT_UNIQUE',
      message: 'Input `several` has 2 rows for country = DK',
    })
    const unharmed = await runSteps([{ filter: "country = 'SE'" }, ...step('fail')], { rows, inputs: { several } })
    expect(unharmed.run.status).toBe('success')
  })

  it('takes an input without rows, and one whose columns have odd names', async () => {
    const none = { inline: { rows: [{ code: 'x', name: 'y' }] } }
    const empty = await runSteps(
      [{ filter: "country = 'SE'" }, { lookup: { input: 'none', on: { country: 'code' }, on_missing: 'drop' } }],
      { rows, inputs: { none } },
    )
    expect(flow(empty.run)).toBe('source 5→5 | filter 5→2 | lookup 2→0 | target 0→0')
    const odd = {
      inline: {
        rows: [
          { rowid: 5, 'co"de': 'SE', "n'": 'first' },
          { rowid: 5, 'co"de': 'SE', "n'": 'second' },
        ],
      },
    }
    const found = await runSteps([{ lookup: { input: 'odd', on: { country: 'co"de' } } }], { rows, inputs: { odd } })
    expect(found.rows.map((row) => [row['rowid'], row["n'"]])).toEqual([
      [5, 'first'],
      [null, null],
      [null, null],
      [null, null],
      [5, 'first'],
    ])
  })

  it('matches several columns, numbers of any kind, and moments with days', async () => {
    const prices = {
      inline: {
        rows: [{ c: 'SE', y: 2023.0, day: '2024-01-01', price: 5 }],
        columns: { y: 'decimal(10,2)', day: 'datetime' },
      },
    }
    const { rows: found } = await runSteps(
      [
        { derive: { today: "DATE '2024-01-01'" } },
        { lookup: { input: 'prices', on: { country: 'c', year: 'y', today: 'day' } } },
      ],
      { rows, inputs: { prices } },
    )
    expect(found.map((row) => row['price'])).toEqual([null, null, null, null, 5])
  })

  it('refuses types that are never equal, columns that are missing, and names that are taken', async () => {
    const other = { inline: { rows: [{ id: '1', name: 'x' }] } }
    const types = await runSteps([{ lookup: { input: 'other', on: 'id' } }], { rows, inputs: { other } })
    expect(types.run.error).toMatchObject({
      code: 'SCHEMA_MISMATCH',
      message: 'Column `id` is BIGINT, but `id` of input `other` is VARCHAR: they are never equal',
    })
    const sql = { sql: 'SELECT * FROM stream' }
    const wrong = { connector: 'out', files: { glob: 'in.jsonl' } }
    const lines = ['{"id": 1, "name": "a"}']
    const missing = await runSteps([sql, { lookup: { input: 'wrong', on: { id: 'idd' } } }], {
      lines,
      inputs: { wrong },
    })
    expect(missing.run.error).toMatchObject({
      code: 'COLUMN_NOT_FOUND',
      message: 'There is no column `idd` in input `wrong`',
    })
    const taken = await runSteps([sql, { lookup: { input: 'wrong', on: 'id' } }], { lines, inputs: { wrong } })
    expect(taken.run.error).toMatchObject({
      code: 'COLUMN_DUPLICATE',
      message: 'Input `wrong` would add a second column `name`',
    })
  })

  it('keeps the order where the input is far larger than the rows, and far smaller', async () => {
    const big = { connector: 'out', files: { glob: 'in.jsonl' } }
    const lines = Array.from({ length: 60_000 }, (_, index) => `{"id": ${index}, "value": "v${index}"}`)
    const few = await runSteps(
      [{ sql: 'SELECT id FROM stream WHERE id % 1000 = 7 ORDER BY id DESC' }, { lookup: { input: 'big', on: 'id' } }],
      { lines, inputs: { big } },
    )
    expect(few.rows.slice(0, 2)).toEqual([
      { id: 59_007, value: 'v59007' },
      { id: 58_007, value: 'v58007' },
    ])
    const many = await runSteps([{ derive: { k: 'id % 3' } }, { lookup: { input: 'small', on: 'k' } }], {
      lines,
      inputs: {
        small: {
          inline: {
            rows: [
              { k: 0, t: 'zero' },
              { k: 1, t: 'one' },
            ],
          },
        },
      },
    })
    expect(many.rows.every((row, index) => row['id'] === index)).toBe(true)
    expect(many.rows.slice(0, 3).map((row) => row['t'])).toEqual(['zero', 'one', null])
  })

  it('compares numbers of different types exactly: a row never finds its neighbour', async () => {
    const prices = {
      inline: {
        rows: [
          { key: '9007199254740992', price: 'even' },
          { key: '9007199254740993', price: 'odd' },
        ],
        columns: { key: 'integer' },
      },
    }
    const given = [{ n: '9007199254740992' }, { n: '9007199254740994' }, { n: '0.5' }, { n: '-0' }]
    const step = [{ lookup: { input: 'prices', on: { n: 'key' }, on_many: 'fail' } }]
    const doubles = await runSteps(step, { rows: given, columns: { n: 'number' }, inputs: { prices } })
    expect(doubles.run.error).toBeUndefined()
    expect(doubles.rows.map((row) => row['price'])).toEqual(['even', null, null, null])
  })

  it('takes a floating number for the decimal that it is written as, on either side', async () => {
    const decimals = {
      inline: {
        rows: [
          { key: '0.10', name: 'tenth' },
          { key: '0.11', name: 'more' },
        ],
        columns: { key: 'decimal(38,20)' },
      },
    }
    const step = [{ lookup: { input: 'decimals', on: { n: 'key' } } }]
    const rows = [{ n: 0.1 }, { n: 0.1000000001 }, { n: '1e17' }]
    const found = await runSteps(step, { rows, columns: { n: 'number' }, inputs: { decimals } })
    expect(found.rows.map((row) => row['name'])).toEqual(['tenth', null, null])
    const doubles = { inline: { rows: [{ key: 0.1, name: 'tenth' }], columns: { key: 'number' } } }
    const back = await runSteps([{ lookup: { input: 'doubles', on: { n: 'key' } } }], {
      rows: [{ n: '0.1' }, { n: '0.10000000000000000001' }],
      columns: { n: 'decimal(38,20)' },
      inputs: { doubles },
    })
    expect(back.rows.map((row) => row['name'])).toEqual(['tenth', null])
  })

  it('compares decimals that no type can hold together', async () => {
    const wide = {
      inline: {
        rows: [
          { key: '12345678901234567890123456789012345678', name: 'big' },
          { key: '2', name: 'two' },
        ],
        columns: { key: 'decimal(38,0)' },
      },
    }
    const found = await runSteps([{ lookup: { input: 'wide', on: { n: 'key' } } }], {
      rows: [{ n: '1.5' }, { n: '2' }],
      columns: { n: 'decimal(38,30)' },
      inputs: { wide },
    })
    expect(found.rows.map((row) => row['name'])).toEqual([null, 'two'])
  })
})
