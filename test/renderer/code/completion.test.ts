import { CompletionContext, type CompletionSource } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { DuckDBInstance } from '@duckdb/node-api'
import { describe, expect, it } from 'vitest'
import type { TaskPreview } from '../../../src/contract/task-preview.ts'
import { columnsAt } from '../../../src/renderer/features/tasks/use-editor-knowledge.ts'
import type { EditorKnowledge } from '../../../src/renderer/ui/code/editor-knowledge.ts'
import { hoverAt } from '../../../src/renderer/ui/code/sql-hover.ts'
import { placeAt, slotAt, sqlFunctions } from '../../../src/renderer/ui/code/sql-place.ts'
import { columnText, taskCompletion } from '../../../src/renderer/ui/code/task-completion.ts'

const knowledge: EditorKnowledge = {
  connectors: [],
  columnsAt: (path) =>
    path[0] === 'steps'
      ? [
          { name: 'temp_max', type: 'DOUBLE' },
          { name: 'US Gross', type: 'BIGINT' },
        ]
      : [],
  resources: async (slot) => (slot === 'files' ? [{ name: 'weather.csv', kind: 'file' }] : []),
}

const yaml = (steps: string) => `etl: 1
kind: pipeline
name: x
connectors:
  files: {type: file, access: read}
source:
  connector: files
  files: {glob: w.csv}
inputs:
  rates: {inline: {rows: [{a: 1}]}}
steps:
${steps}`

/** Completes at the `¦` of a text. */
async function complete(marked: string) {
  const offset = marked.indexOf('¦')
  const doc = marked.replace('¦', '')
  const state = EditorState.create({ doc, extensions: taskCompletion(() => knowledge) })
  const [source] = state.languageDataAt<CompletionSource>('autocomplete', offset)
  return (await source?.(new CompletionContext(state, offset, false))) ?? null
}
const labels = async (marked: string) => (await complete(marked))?.options.map((one) => one.label) ?? []

describe('completion', () => {
  it('offers columns with their types, functions and inputs inside SQL of a step', async () => {
    const found = await complete(yaml('  - filter: te¦'))
    expect(found?.options.find((one) => one.label === 'temp_max')?.detail).toBe('double')
    expect(found?.options.map((one) => one.label)).toEqual(expect.arrayContaining(['date_trunc', 'rates']))
    expect(await labels(yaml('  - filter: us¦'))).toContain('US Gross')
    expect(await labels(yaml('  - filter: coal¦'))).toEqual(['COALESCE'])
    expect(await labels(yaml('  - filter: tmx¦'))).toEqual([])
  })
  it('does so in the lines of a block, too', async () => {
    expect(await labels(yaml('  - sql: |\n      SELECT a\n      FROM str¦'))).toContain('stream')
  })
  it('offers columns where they are named, with their types', async () => {
    const found = await complete(yaml('  - select: [te¦]'))
    expect(found?.options).toEqual([expect.objectContaining({ label: 'temp_max', detail: 'double' })])
  })
  it('offers columns and functions of JSONata in map', async () => {
    expect(await labels(yaml('  - map: \'{"a": temp¦\''))).toEqual(['temp_max'])
    expect(await labels(yaml('  - map: \'{"a": $lower¦\''))).toEqual(['$lowercase'])
  })
  it('offers the files behind the bound connector', async () => {
    expect(await labels(yaml('').replace('w.csv', 'w¦'))).toContain('weather.csv')
  })
  it('leaves expressions and binds to the language', async () => {
    expect(await labels(yaml('  - filter: "x = ${{ ru¦'))).toContain('run')
    expect(await labels(yaml('  - filter: a = 1¦'))).toEqual([])
  })
})

describe('a place in the text', () => {
  it('knows whose SQL it is', () => {
    const text = 'kind: sql\nsql:\n  connector: db\n  create_as: t\n  query: SELECT a'
    expect(placeAt(text, text.length).sql).toBe('other')
    expect(slotAt(text, ['sql', 'query'])).toBe('db')
    expect(slotAt(text, ['name'])).toBeNull()
  })
  it('gets the columns of the stage before', () => {
    const stage = (index: number, name: string) => ({ index, columns: [{ name, type: 'X' }] })
    // Only what is asked of a stage.
    const stages = [stage(0, 'a'), stage(1, 'b')] as TaskPreview['stages']
    const names = (path: (string | number)[]) => columnsAt(stages, path).map((one) => one.name)
    expect(names(['source', 'sql'])).toEqual(['a'])
    expect(names(['state', 'cursor', 'field'])).toEqual(['a'])
    expect(names(['steps', 0, 'select'])).toEqual(['a'])
    expect(names(['steps', 1, 'select'])).toEqual(['b'])
    expect(names(['steps', 7])).toEqual(['b'])
    expect(names(['target', 'key'])).toEqual(['b'])
    expect(names(['name'])).toEqual([])
  })
})

it('names of columns are quoted so that SQL and YAML both read on', () => {
  expect(columnText('temp_max', '', 'duckdb')).toBe('temp_max')
  expect(columnText('US Gross', 'a + ', 'duckdb')).toBe('"US Gross"')
  expect(columnText('US Gross', '', 'duckdb')).toBe('("US Gross")')
  expect(columnText('US Gross', '"a + ', 'duckdb')).toBe('\\"US Gross\\"')
  expect(columnText('say "hi"', 'a + ', 'duckdb')).toBe('"say ""hi"""')
  expect(columnText('US Gross', '', 'jsonata')).toBe('`US Gross`')
})

it('hover tells of columns and functions in SQL', async () => {
  const text = yaml('  - filter: lower(temp_max) > 1')
  const at = (word: string) => hoverAt(text, text.indexOf(word) + 2, knowledge)
  expect((await at('lower('))?.markdown).toContain('lower(string)')
  expect((await at('temp_max)'))?.markdown).toContain('double')
  expect((await at('filter:'))?.markdown).toContain('filter')
})

it('every function that is offered is one of DuckDB', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const rows = await connection.runAndReadAll('SELECT DISTINCT function_name FROM duckdb_functions()')
  const known = new Set(rows.getColumns()[0]?.map(String))
  connection.closeSync()
  instance.closeSync()
  const offered = (await sqlFunctions()).map((one) => one.name)
  expect(offered.filter((name) => !known.has(name))).toEqual([])
  expect(offered.length).toBeGreaterThan(400)
})
