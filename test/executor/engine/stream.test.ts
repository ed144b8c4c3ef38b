import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ProfileNode } from '../../../src/executor/engine/profile.ts'
import { readCounts, type OpenCount } from '../../../src/executor/engine/stream.ts'
import { fileConnector, flow, runTask, temporaryFolder } from './run-task.ts'

const node = (name: string, rows: number, ...children: ProfileNode[]): ProfileNode => ({
  operator_name: name,
  operator_cardinality: rows,
  children,
})
const root = (child: ProfileNode): ProfileNode => ({ children: [child] })
const open = (...kinds: OpenCount['kind'][]): OpenCount[] => kinds.map((kind, stage) => ({ kind, stage, sql: '' }))

describe('counts from a profile', () => {
  it('are read one filter a stage', () => {
    const plan = root(
      node('COPY_TO_FILE', 1, node('FILTER', 10, node('PROJECTION', 40, node('FILTER', 40, node('READ_CSV', 100))))),
    )
    expect(readCounts(open('scan', 'filter', 'filter'), plan, 10)).toEqual(
      new Map([
        [0, 100],
        [1, 40],
        [2, 10],
      ]),
    )
  })

  it('are read around a query of the user’s, whatever it does inside', () => {
    const inside = node('HASH_GROUP_BY', 7, node('FILTER', 30, node('FILTER', 40, node('READ_CSV', 100))))
    const plan = root(node('COPY_TO_FILE', 1, node('FILTER', 3, node('PROJECTION', 7, inside))))
    expect(readCounts(open('scan', 'filter', 'query', 'filter'), plan, 3)).toEqual(
      new Map([
        [0, 100],
        [1, 40],
        [2, 7],
        [3, 3],
      ]),
    )
  })

  it.each([
    ['filters were merged', root(node('FILTER', 10, node('READ_CSV', 100)))],
    ['a filter went into the reader', root(node('READ_PARQUET', 10))],
    [
      'the plan branches',
      root(node('FILTER', 10, node('FILTER', 40, node('HASH_JOIN', 40, node('READ_CSV', 100), node('READ_CSV', 5))))),
    ],
    ['it says another result than came out', root(node('FILTER', 11, node('FILTER', 40, node('READ_CSV', 100))))],
    ['it is empty', {}],
  ])('are not believed when %s', (_why, plan) => {
    expect(readCounts(open('scan', 'filter', 'filter'), plan, 10)).toBeNull()
  })
})

describe('counts of the steps after rejected rows', () => {
  it.each([
    ['expect', 'expect: [{name: small, check: "b < 7", on_fail: quarantine}]', '{glob: a.csv}'],
    ['cast', 'cast: {columns: {c: integer}, on_error: quarantine}', '{glob: a.csv}'],
    ['source', null, '{glob: a.csv, columns: {c: integer}, on_error: quarantine}'],
  ])('are those of each step, after the quarantine of %s', async (key, rejecting, files) => {
    const folder = temporaryFolder()
    const rows = Array.from({ length: 10 }, (_, a) => `${a},${a},${a < 7 ? a : 'x'}\n`)
    writeFileSync(join(folder, 'a.csv'), `a,b,c\n${rows.join('')}`)
    const run = await runTask(
      `etl: 1
kind: pipeline
name: counted
connectors: {files: {type: file, access: read_write}}
source: {connector: files, files: ${files}}
steps:${rejecting === null ? '' : `\n  - ${rejecting}`}
  - filter: "a % 2 = 0"
  - derive: {d: "a * 2"}
  - sql: "SELECT * FROM stream WHERE d > 0"
target: {connector: files, file: {path: out.jsonl}}
`,
      { files: fileConnector(folder) },
    )
    const first = rejecting === null ? '' : 'source 10→10 | '
    expect(flow(run)).toBe(`${first}${key} 10→7 -3 | filter 7→4 | derive 4→4 | sql 4→3 | target 3→3`)
  })
})
