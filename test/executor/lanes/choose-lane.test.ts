import { describe, expect, it } from 'vitest'
import { chooseLane } from '../../../src/executor/lanes/choose-lane.ts'
import { throughSteps } from '../../../src/executor/lanes/direct.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import type { PipelineTask } from '../../../src/language/task/kinds/task-document.types.ts'

function taskOf(parts: { source?: string; steps?: string; target?: string; more?: string }): PipelineTask {
  const yaml = `etl: 1
kind: pipeline
name: t
connectors: {a: {types: [sqlite, postgres, mysql], access: read_write}, b: {types: [sqlite, postgres, mysql], access: read_write}, m: {type: mongodb, access: read_write}, f: {type: file, access: read_write}}
${parts.more ?? ''}
source: ${parts.source ?? '{connector: a, sql: {table: s}}'}
steps: ${parts.steps ?? '[]'}
target: ${parts.target ?? '{connector: b, table: t}'}
`
  const { task, diagnostics } = parseTask(yaml)
  if (task?.kind !== 'pipeline') throw new Error(JSON.stringify(diagnostics))
  return task
}

const bound =
  (types: Record<string, string>, same = false) =>
  (slot: string) => ({ id: same ? 1 : slot.charCodeAt(0), type: types[slot] ?? 'file' })

const postgres = { a: 'postgres', b: 'postgres' }

describe('the lane of a task', () => {
  it.each([
    ['pushdown', {}, bound(postgres, true)],
    ['pushdown', {}, bound({ a: 'sqlite', b: 'sqlite' }, true)],
    ['pushdown', { steps: '[{select: [x]}, {rename: {x: y}}, {drop: [y]}]' }, bound(postgres, true)],
    ['bytes', {}, bound(postgres)],
    ['bytes', { source: '{connector: a, sql: {query: "SELECT 1 AS x"}}' }, bound(postgres)],
    ['columnar', { steps: '[{filter: "x > 1"}]' }, bound(postgres, true)],
    ['columnar', { steps: '[{cast: {x: integer}}]' }, bound(postgres)],
    ['columnar', { source: '{connector: a, sql: {table: s, partition: {column: id, parts: 2}}}' }, bound(postgres)],
    ['columnar', { more: 'state: {cursor: {field: id, type: integer}}' }, bound(postgres, true)],
    ['columnar', { target: '{connector: f, file: {path: o.csv}}' }, bound(postgres)],
    ['columnar', { source: '{inline: {rows: [{x: 1}]}}' }, bound(postgres)],
    ['arrays', {}, bound({ a: 'sqlite', b: 'postgres' })],
    ['arrays', {}, bound({ a: 'mysql', b: 'mysql' }, true)],
    ['objects', { steps: `[{map: '{"x": x}'}]` }, bound(postgres, true)],
    ['objects', { target: '{connector: m, collection: c}' }, bound(postgres)],
    ['columnar', {}, () => undefined],
  ] as const)('is %s for %j', (lane, parts, connector) => {
    expect(chooseLane(taskOf(parts), connector).lane).toBe(lane)
  })

  it('is one that looks at the rows when the direct one does not suit', () => {
    expect(chooseLane(taskOf({}), bound(postgres), false).lane).toBe('columnar')
  })
})

describe('the steps of a direct lane', () => {
  const columns = ['id', 'Name', 'left'].map((name) => ({ name, type: 'x' }))

  it('give each column of the source its name at the target', () => {
    const { steps } = taskOf({ steps: '[{select: [name, ID]}, {rename: {id: key, name: id}}, {drop: [key]}]' })
    expect(throughSteps(columns, steps)).toEqual([{ from: 'Name', at: 1, to: 'id' }])
  })

  it('refuse what the steps themselves refuse', () => {
    const steps = (list: string) => taskOf({ steps: list }).steps
    expect(() => throughSteps(columns, steps('[{drop: [id, name, left]}]'))).toThrow('No column would be left')
    expect(() => throughSteps(columns, steps('[{rename: {id: left}}]'))).toThrow('two columns')
    expect(() => throughSteps(columns, steps('[{select: [nowhere]}]'))).toThrow('no column `nowhere`')
  })
})
