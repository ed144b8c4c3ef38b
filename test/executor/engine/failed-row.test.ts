import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fileConnector, runTask, temporaryFolder, type FinishedRun } from './run-task.ts'

const lines = 150_000
/** More than one group of rows; the second of two bad ones comes first nowhere. */
const bad = new Map([
  [130_001, 'oops'],
  [140_002, 'worse'],
])

function run(source: string, steps: string): Promise<FinishedRun> {
  const folder = temporaryFolder()
  const rows = Array.from({ length: lines }, (_, at) => `${at},${bad.get(at) ?? '17'}`)
  writeFileSync(join(folder, 'a.csv'), `n,x\n${rows.join('\n')}\n`)
  return runTask(
    `etl: 1
kind: pipeline
name: rows
connectors: {in: {type: file}, out: {type: file, access: write}}
source: ${source}
steps: ${steps}
target: {connector: out, file: {path: out.parquet}}
`,
    { in: fileConnector(folder), out: fileConnector(folder) },
  )
}
const csv = '{connector: in, files: {glob: a.csv, columns: {x: string}}}'
const inline = '{inline: {rows: [{n: 1, x: "17"}, {n: 2, x: oops}, {n: 3, x: worse}]}}'

describe('a value that an expression of one’s own can’t take is named with its place', () => {
  it.each([
    ['[{derive: {n: "n + 1", d: "CAST(x AS INTEGER)"}}]', 'a.csv, line 130003: Column `d`: Could not convert'],
    ['[{derive: {d: "CAST(x AS JSON)"}}]', 'a.csv, line 130003: Column `d`: Malformed JSON'],
    [`[{derive: {d: "CAST('2024-01-' || x AS TIMESTAMP_NS)"}}]`, 'a.csv, line 130003: Column `d`: '],
    ['[{filter: "CAST(x AS INTEGER) > 0"}]', 'a.csv, line 130003: Could not convert'],
    ['[{filter: "n > 135000"}, {derive: {d: "CAST(x AS INTEGER)"}}]', 'a.csv, line 140004: Column `d`: Could not'],
    ['[{sql: "SELECT n, CAST(x AS INTEGER) AS y FROM stream"}]', 'a.csv, line 130003: Column `y`: Could not'],
    ['[{cast: {x: integer}}]', 'a.csv, line 130003: Column `x` holds “oops”, which is no integer'],
    ['[{sql: "SELECT * FROM stream"}, {derive: {d: "CAST(x AS INTEGER)"}}]', /^Row 130,002: Column `d`: Could not/],
  ])('%s', async (steps, message) => {
    const { error } = await run(csv, steps)
    expect(error?.message).toMatch(message)
    expect(error?.message).toContain(steps.includes('135000') ? 'worse' : 'oops')
  })

  it('by the number of the row where the source has no lines', async () => {
    const { error } = await run(inline, '[{derive: {d: "CAST(x AS INTEGER)"}}]')
    expect(error).toMatchObject({ code: 'VALUE_INVALID', step: 'derive' })
    expect(error?.message).toMatch(/^Row 2: Column `d`: Could not convert string 'oops'/)
  })

  it('without a row where only several together fail', async () => {
    const { error } = await run(csv, '[{sql: "SELECT sum(9000000000000000000 + 0 * n)::BIGINT AS total FROM stream"}]')
    expect(error?.code).toBe('VALUE_INVALID')
    expect(error?.message).not.toMatch(/line \d|Row \d/)
  })

  it('without a row where a person has raised the error', async () => {
    const { error } = await run(
      csv,
      `[{sql: "SELECT CASE WHEN count(*) > 5 THEN error('too many') END AS e FROM stream"}]`,
    )
    expect(error?.message).toMatch(/^too many/)
  })
})
