import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileConnector, flow, runTask, temporaryFolder, type RunOptions } from './run-task.ts'

const rows = `[{id: 1, name: a, amount: 10, day: "2024-01-01"}, {id: 2, name: b, amount: -5, day: "2024-01-02"}, {id: 2, name: null, amount: 7, day: "soon"}, {id: null, name: d, amount: 2.5, day: null}]`

async function apply(steps: string, options: RunOptions & { more?: string } = {}) {
  const out = temporaryFolder()
  const yaml = `etl: 1
kind: pipeline
name: steps
connectors:
  out: {type: file, access: write}
${options.more ?? ''}
source: {inline: {rows: ${rows}}}
steps:
${steps}
target: {connector: out, file: {path: out.jsonl}}
`
  const run = await runTask(yaml, { out: fileConnector(out) }, options)
  const written = run.status === 'failed' ? '' : readFileSync(join(out, 'out.jsonl'), 'utf8')
  return {
    run,
    rows: written
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Record<string, unknown>),
  }
}

describe('columns', () => {
  it('selects, renames and drops', async () => {
    const { rows } = await apply('  - select: [name, id, day]\n  - rename: {id: key}\n  - drop: [day]')
    expect(rows[0]).toEqual({ name: 'a', key: 1 })
  })

  it('swaps two names', async () => {
    const { rows } = await apply('  - select: [id, name]\n  - rename: {id: name, name: id}')
    expect(rows[0]).toEqual({ name: 1, id: 'a' })
  })

  it('derives from the columns that enter, in place or added', async () => {
    const { rows } = await apply('  - derive: {amount: "amount * 2", before: "amount"}\n  - select: [amount, before]')
    expect(rows[0]).toEqual({ amount: 20, before: 10 })
  })

  it('names the column, the step and the nearest name when a column is missing at run time', async () => {
    const { run } = await apply('  - sql: "SELECT * FROM stream"\n  - select: [id, nam]')
    expect(run.error).toMatchObject({ code: 'COLUMN_NOT_FOUND', step: 'select' })
    expect(run.error?.hint).toContain('`name`')
  })
})

describe('cast', () => {
  it('stops at a value that does not fit, and names it', async () => {
    const { run } = await apply('  - cast: {day: date}')
    expect(run.error).toMatchObject({
      code: 'CAST_FAILED',
      step: 'cast',
      message: 'Row 3: Column `day` holds “soon”, which is no date',
    })
  })

  it('empties or quarantines it', async () => {
    const emptied = await apply('  - cast: {columns: {day: date}, on_error: "null"}')
    expect(emptied.rows.map((row) => row['day'])).toEqual(['2024-01-01', '2024-01-02', null, null])
    expect(emptied.run).toMatchObject({ status: 'completed', steps: [{}, { status: 'completed' }, {}] })
    expect(emptied.run.steps[1]?.changes).toMatchObject([
      { column: 'day', change: 'could not be cast to date, became NULL', count: 1, example: 'soon' },
    ])
    const { run, rows } = await apply('  - cast: {columns: {day: date}, on_error: quarantine}')
    expect(run).toMatchObject({ status: 'completed', reject_count: 1 })
    expect(flow(run)).toBe('source 4→4 | cast 4→3 -1 | target 3→3')
    expect(rows).toHaveLength(3)
    expect(run.rejects).toMatchObject([
      {
        step: 'cast',
        reason: 'Column `day` holds “soon”, which is no date',
        code: 'value_of_other_type',
        params: { column: 'day', value: 'soon', type: 'date' },
        row: { id: 2, name: null, amount: 7, day: 'soon' },
      },
    ])
  })

  it.each([
    ['2.5', 'integer', 'CAST_FAILED'],
    ['"1.5"', 'integer', 'CAST_FAILED'],
    ['" 42 "', 'integer', 42],
    ['"1e3"', 'number', 1000],
    ['"2024-01-01T02:00:00+02:00"', 'datetime', '2024-01-01 00:00:00'],
    ['"9007199254740993"', 'integer', '9007199254740993'],
    ['"12.345"', '"decimal(10,2)"', 'CAST_FAILED'],
    ['"12.345"', '{type: "decimal(10,2)", rounding: round}', 12.35],
    ['"12.345"', '{type: "decimal(10,2)", rounding: truncate}', 12.34],
    ['"9.888e-13"', '{type: "decimal(10,2)", rounding: round}', 0],
    ['"1.5e-2"', '{type: "decimal(10,2)", rounding: round}', 0.02],
    // Of 2^63 the text has digits that no 64 bits hold, though the binary value would fit.
    ['-9.223372036854776e+18', '{type: integer, rounding: round}', 'CAST_FAILED'],
    ['"1.59e-2"', '{type: "decimal(10,3)", rounding: truncate}', 0.015],
    ['"-5e-05"', '{type: integer, rounding: truncate}', 0],
    ['"1.2399e1"', '{type: "decimal(10,2)", rounding: truncate}', 12.39],
    ['"9.99e-30"', '{type: "decimal(10,2)", rounding: truncate}', 0],
    ['"5e-5"', '"decimal(5,5)"', 0.00005],
    ['"5e-6"', '"decimal(5,5)"', 'CAST_FAILED'],
    ['1.005', '{type: "decimal(10,2)", rounding: round}', 1.01],
    ['0.1', '"decimal(10,2)"', 0.1],
    ['"1e400"', 'number', 'CAST_FAILED'],
    ['"NaN"', 'json', 'CAST_FAILED'],
    ['"12:30:45.1234567"', 'time', 'CAST_FAILED'],
    ['"12:30:45.1234567"', '{type: time, rounding: truncate}', '12:30:45.123456'],
    ['"2024-01-01 12:00:00"', 'date', 'CAST_FAILED'],
    ['"2024-01-01 12:00:00"', '{type: date, rounding: truncate}', '2024-01-01'],
    ['"{\\"a\\": 1}"', 'json', { a: 1 }],
    ['"{a"', 'json', 'CAST_FAILED'],
    ['"1e-7"', '"decimal(38,37)"', '0.0000001000000000000000000000000000000'],
  ])('%s as %s is %s', async (value, type, expected) => {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: cast
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{v: ${value}}]}}
steps: [{cast: {v: ${type}}}]
target: {connector: out, file: {path: out.jsonl}}
`,
      { out: fileConnector(out) },
    )
    const written =
      run.status === 'failed'
        ? run.error?.code
        : (
            JSON.parse(
              readFileSync(join(out, 'out.jsonl'), 'utf8').replace(':9007199254740993}', ':"9007199254740993"}'),
            ) as { v: unknown }
          ).v
    expect(written).toEqual(expected)
  })
})

describe('filter, derive and sql', () => {
  it('infinity is no moment', async () => {
    const run = await runTask(
      `etl: 1
kind: pipeline
name: cast
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{id: 1}]}}
steps: [{derive: {v: "CAST('inf' AS DOUBLE)"}}, {cast: {v: datetime}}]
target: {connector: out, file: {path: out.jsonl}}
`,
      { out: fileConnector(temporaryFolder()) },
    )
    expect(run.error).toMatchObject({
      code: 'CAST_FAILED',
      message: 'Row 1: Column `v` holds “inf”, which is no datetime',
    })
  })

  it('a decimal of many places becomes the nearest number of floating point', async () => {
    const out = temporaryFolder()
    const run = await runTask(
      `etl: 1
kind: pipeline
name: cast
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{v: "1e-23"}, {v: "1e-34"}]}}
steps: [{cast: {v: "decimal(38,37)"}}, {cast: {v: number}}]
target: {connector: out, file: {path: out.jsonl}}
`,
      { out: fileConnector(out) },
    )
    expect(run.error).toBeUndefined()
    expect(readFileSync(join(out, 'out.jsonl'), 'utf8')).toBe('{"v":1e-23}\n{"v":1e-34}\n')
  })

  it('bind arguments, with their types', async () => {
    const { run, rows } = await apply(
      '  - filter: "amount >= :least AND name IN (SELECT unnest(:names))"\n  - derive: {label: "name || :suffix"}',
      {
        more: 'args:\n  least: {type: number, default: 0}\n  names: {type: list, items: string, default: [a, d]}\n  suffix: {type: string, default: "\'; DROP TABLE x --"}',
      },
    )
    expect(run.error).toBeUndefined()
    expect(rows.map((row) => row['label'])).toEqual(["a'; DROP TABLE x --", "d'; DROP TABLE x --"])
  })

  it('keep their order: a filter shields what follows it from the rows it takes away', async () => {
    const { run, rows } = await apply(
      `  - filter: "day LIKE '2024%'"\n  - filter: "CAST(day AS DATE) > DATE '2024-01-01'"`,
    )
    expect(run.error).toBeUndefined()
    expect(rows).toHaveLength(1)
    expect(flow(run)).toBe('source 4→4 | filter 4→2 | filter_2 2→1 | target 1→1')
  })

  it('count every stage of a fused pipeline', async () => {
    const { run } = await apply(
      '  - filter: "amount > 0"\n  - derive: {big: "amount > 5"}\n  - filter: "big"\n  - sql: "SELECT id, count(*) AS n FROM stream WHERE name IS NULL OR true GROUP BY id"\n  - filter: "id = 2"\n  - filter: "n = 1"',
    )
    expect(flow(run)).toBe(
      'source 4→4 | filter 4→3 | derive 3→3 | filter_2 3→2 | sql 2→2 | filter_3 2→1 | filter_4 1→1 | target 1→1',
    )
  })

  it('read the stream several times, beside itself, and in several queries', async () => {
    const { run, rows } = await apply(
      '  - filter: "id IS NOT NULL"\n  - sql: "SELECT a.id, b.amount FROM stream a, stream b WHERE a.id = b.id"\n  - sql: "WITH s AS (SELECT id, sum(amount) AS total FROM stream GROUP BY id) SELECT s.*, (SELECT count(*) FROM stream) AS n FROM s"\n  - filter: "id = 2"',
    )
    expect(run.error).toBeUndefined()
    expect(rows).toEqual([{ id: 2, total: 4, n: 5 }])
    expect(flow(run)).toBe('source 4→4 | filter 4→3 | sql 3→5 | sql_2 5→2 | filter_2 2→1 | target 1→1')
  })

  it('say which step and column is wrong, before anything runs', async () => {
    const { run } = await apply('  - derive: {x: "amount + nope"}')
    expect(run.error).toMatchObject({ code: 'SQL_INVALID', step: 'derive' })
    expect(run.error?.message).toContain('Column `x`')
    const total = await apply('  - derive: {x: "sum(amount)"}')
    expect(total.run.error?.hint).toContain('`sql` step')
  })

  it('say which step failed while a fused query ran', async () => {
    const { run } = await apply(
      '  - filter: "id IS NOT NULL"\n  - derive: {d: "CAST(day AS DATE)"}\n  - filter: "d IS NOT NULL"',
    )
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID', step: 'derive' })
    expect(run.steps.map((step) => step.status)).toEqual(['success', 'success', 'failed', 'skipped', 'skipped'])
  })
})

describe('expect', () => {
  it('keeps the rows in their order, and of those that repeat one the first, also with two keys', async () => {
    const numbers = `  - sql: "SELECT (i * 7919) % 4990 AS rowid, (i * 31) % 4000 AS g, i FROM range(5000) t(i)"
  - expect:
      - {name: one of a, unique: [rowid], on_fail: quarantine}
      - {name: one of g, unique: [g], on_fail: quarantine}`
    const { run, rows } = await apply(numbers)
    expect(run).toMatchObject({ status: 'completed', item_count: 4000, reject_count: 1000 })
    expect(rows.map((row) => row['i'])).toEqual(Array.from({ length: 4000 }, (_, i) => i))
  })

  it('quarantines with reason, value and row; the run is completed', async () => {
    const { run, rows } = await apply(`  - expect:
      - {name: positive, check: "amount > 0", on_fail: quarantine}
      - {name: named, not_null: [name], on_fail: quarantine}
      - {name: one id, unique: [id], on_fail: quarantine}`)
    expect(run.error).toBeUndefined()
    expect(run).toMatchObject({ status: 'completed', reject_count: 2, item_count: 2 })
    expect(flow(run)).toBe('source 4→4 | expect 4→2 -2 | target 2→2')
    expect(rows.map((row) => row['id'])).toEqual([1, null])
    expect(run.rejects.map((reject) => reject.reason)).toEqual([
      'positive: expected amount > 0, got amount = -5.0',
      'named: column `name` is NULL',
    ])
    expect(run.rejects[0]?.row).toEqual({ id: 2, name: 'b', amount: -5, day: '2024-01-02' })
  })

  it.each([
    ['before', (unique: string, valued: string) => [unique, valued]],
    ['behind', (unique: string, valued: string) => [valued, unique]],
  ])('keeps the first row of a key that no other expectation rejects, whether that is %s it', async (_, order) => {
    const expectations = order(
      '{name: one k, unique: [k], on_fail: quarantine}',
      '{name: valued, not_null: [v], on_fail: quarantine}',
    )
    const { run, rows } =
      await apply(`  - sql: "SELECT i // 3 AS k, CASE WHEN i % 3 > 0 THEN i END AS v FROM range(9000) t(i)"
  - expect:
${expectations.map((one) => `      - ${one}`).join('\n')}`)
    expect(run).toMatchObject({ status: 'completed', item_count: 3000, reject_count: 6000 })
    expect(rows.map((row) => row['v'])).toEqual(Array.from({ length: 3000 }, (_row, k) => k * 3 + 1))
    const rejectedBy = (name: string) => run.rejects.filter(({ reason }) => reason.startsWith(`${name}:`)).length
    expect([rejectedBy('one k'), rejectedBy('valued')]).toEqual([3000, 3000])
  })

  it('fails with count and sample, and writes nothing', async () => {
    const { run } = await apply('  - expect: [{name: positive, check: "amount > 0", on_fail: fail}]')
    expect(run.error).toMatchObject({ code: 'EXPECTATION_FAILED', step: 'expect', retryable: false })
    expect(run.error?.message).toMatch(
      /1 of 4 rows don’t meet expectation “positive” \(amount > 0\); the first: \{"id":2/,
    )
  })

  it('warns, and completes', async () => {
    const { run } = await apply('  - expect: [{name: many, rows: {min: 10}, on_fail: warn}]')
    expect(run).toMatchObject({ status: 'completed', reject_count: 0, item_count: 4 })
    expect(run.log).toContainEqual({
      level: 'warn',
      step: 'expect',
      message: '4 rows arrived, but expectation “many” requires at least 10',
    })
    expect(run.steps[1]?.status).toBe('completed')
  })

  it('succeeds when everything holds', async () => {
    const { run } = await apply(
      '  - expect: [{name: all, check: "amount > -100", on_fail: fail}, {name: few, rows: {max: 4}, on_fail: fail}]',
    )
    expect(run).toMatchObject({ status: 'success', item_count: 4 })
  })

  it('fails before the target when more is rejected than the task allows', async () => {
    const { run } = await apply('  - expect: [{name: positive, check: "amount > 0", on_fail: quarantine}]', {
      more: 'dead_letter: {max_ratio: 0.1}',
    })
    expect(run.error).toMatchObject({ code: 'TOO_MANY_REJECTS', step: 'target' })
    expect(run.error?.message).toBe('1 of 4 rows were rejected (25.0 %); 10 % are allowed')
    expect(run).toMatchObject({ status: 'failed', reject_count: 1, item_count: null })
  })
})

describe('outputs and arguments', () => {
  it('gives outputs after the commit', async () => {
    const { run } = await apply('  - filter: "amount > 0"', {
      more: 'outputs: {rows: "${{ run.item_count }}", text: "read ${{ run.read_count }}"}',
    })
    expect(run.error).toBeUndefined()
    expect(run.outputs).toEqual({ rows: 3, text: 'read 4' })
  })

  it('refuses a wrong argument', async () => {
    const { run } = await apply('  - filter: "amount > :n"', {
      more: 'args: {n: {type: integer}}',
      arguments: { n: 'many' },
    })
    expect(run.error?.code).toBe('ARGUMENT_INVALID')
  })
})

it('stops when it is told to, and says so', async () => {
  const abort = new AbortController()
  const out = temporaryFolder()
  const running = runTask(
    `etl: 1
kind: pipeline
name: long
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
steps: [{sql: "SELECT count(*) AS n FROM stream, range(100000000000) t(i) WHERE i % 7 = 3"}]
target: {connector: out, file: {path: out.jsonl}}
`,
    { out: fileConnector(out) },
    { signal: abort.signal },
  )
  setTimeout(() => abort.abort(), 300)
  const run = await running
  expect(run.error?.code).toBe('CANCELLED')
})
