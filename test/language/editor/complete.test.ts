import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completeTask, type CompletionContext } from '../../../src/language/complete.ts'
import { sources } from '../../../src/language/task/sources/source-registry.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { fixtures } from '../fixtures/fixtures.ts'

const head = `etl: 1
kind: pipeline
name: x
connectors:
  lake: {type: file}
  db:
    types: [sqlite]
    access: write
args:
  since: {type: datetime, description: From when on}
  day: {type: date}
`

/** Completes at `|`; gives labels, or what the text is after the first one is taken. */
function at(marked: string, context?: CompletionContext): ReturnType<typeof completeTask> {
  const offset = marked.lastIndexOf('¦')
  return completeTask(marked.replace('¦', ''), offset, context)
}
const labels = (marked: string, context?: CompletionContext): string[] => at(marked, context).map((one) => one.label)
function accept(marked: string, label: string, context?: CompletionContext): string {
  const text = marked.replace('¦', '')
  const chosen = at(marked, context).find((one) => one.label === label)
  return chosen ? text.slice(0, chosen.from) + chosen.insert + text.slice(chosen.to) : `no ${label}`
}

describe('completeTask', () => {
  it('starts an empty document', () => {
    expect(labels('¦').slice(0, 3)).toEqual(['etl', 'kind', 'name'])
    expect(labels('etl: 1\nki¦')).toEqual(['kind'])
    expect(labels('etl: 1\nkind: ¦')).toEqual(['pipeline', 'sql', 'http', 'script', 'command'])
    expect(labels('etl: ¦')).toEqual(['1'])
  })

  it('offers no key that is already there, before or after', () => {
    const offered = labels('etl: 1\nname: x\n¦\nkind: pipeline\ntags: []\n')
    expect(offered).toContain('source')
    for (const there of ['etl', 'name', 'kind', 'tags']) expect(offered).not.toContain(there)
  })

  it('knows the kinds of a source, and once one is chosen only its keys', () => {
    expect(labels(`${head}source:\n  ¦`)).toEqual(['connector', ...sources.map((source) => source.kind)])
    expect(labels(`${head}target:\n  table: t\n  ¦`)).toEqual(['connector', 'mode', 'key', 'batch', 'schema'])
    expect(labels(`${head}target:\n  file: {path: a.csv}\n  ¦`)).toEqual(['connector', 'mode'])
  })

  it('offers only the keys of the kind of task that is written', () => {
    expect(labels('etl: 1\nkind: script\nname: x\n¦')).toContain('script')
    expect(labels('etl: 1\nkind: script\nname: x\n¦')).not.toContain('source')
    expect(labels('etl: 1\nkind: sql\nname: x\nsql:\n  ¦')).toEqual([
      'connector',
      'statements',
      'transaction',
      'create_as',
      'query',
      'params',
    ])
    expect(labels('etl: 1\nkind: http\nname: x\nhttp:\n  method: P¦')).toEqual(['POST', 'PUT', 'PATCH'])
  })

  it('knows state, inputs and hooks', () => {
    expect(labels(`${head}state:\n  cursor:\n    ¦`)).toEqual(['field', 'type', 'initial', 'lag'])
    expect(labels(`${head}inputs:\n  countries:\n    ¦`)).toContain('inline')
    expect(labels(`${head}inputs: {rates: {inline: {rows: []}}}\nsteps:\n  - lookup: {input: ¦`)).toEqual(['rates'])
    expect(labels(`${head}hooks:\n  ¦`)).toEqual(['before', 'after', 'on_error'])
    expect(labels(`${head}hooks:\n  before:\n    - connector: ¦`)).toEqual(['db'])
  })

  it('offers in an expression what is there at its place', () => {
    const source = 'source: {inline: {rows: [{a: "${{ ¦ }}"}]}}'
    const roots = (marked: string): string[] =>
      at(marked)
        .filter((one) => one.kind === 'field')
        .map((one) => one.label)
    expect(roots(`${head}${source}`)).toEqual(['args', 'run'])
    expect(roots(`${head}state: {cursor: {field: a, type: integer}}\n${source}`)).toEqual(['args', 'run', 'state'])
    expect(roots('kind: http\nhttp: {success: "${{ ¦ }}"}')).toEqual(['args', 'run', 'response'])
    expect(roots('kind: script\noutputs: {a: "${{ ¦ }}"}')).toEqual(['args', 'run', 'result'])
    const hook = (phase: string): string => `${head}hooks: {${phase}: [{http: {path: "\${{ ¦ }}"}}]}`
    expect(roots(hook('on_error'))).toEqual(['args', 'run', 'error'])
    expect(labels(hook('after').replace('¦', 'run.¦'))).toContain('item_count')
    expect(labels(hook('before').replace('¦', 'run.¦'))).not.toContain('item_count')
  })

  it('offers slots that fit, with what they are', () => {
    expect(labels(`${head}source:\n  files: {glob: a.csv}\n  connector: ¦`)).toEqual(['lake'])
    expect(labels(`${head}target:\n  table: t\n  connector: ¦`)).toEqual(['db'])
    expect(at(`${head}target:\n  table: t\n  connector: d¦`)[0]?.detail).toBe('sqlite, write')
  })

  it('offers the user’s connectors as slots', () => {
    const context = {
      connectors: [
        { name: 'my lake', type: 'file' },
        { name: '2nd', type: 'sqlite' },
      ],
    }
    expect(accept('connectors:\n  ¦', 'my_lake', context)).toBe('connectors:\n  my_lake: {type: file}')
    expect(labels('connectors:\n  my_lake: {type: file}\n  ¦', context)).toEqual(['_2nd'])
  })

  it('offers steps with or without the dash, and none beside another', () => {
    expect(labels(`${head}steps:\n  ¦`)).toContain('- filter')
    expect(labels(`${head}steps:\n  - fi¦`)).toEqual(['filter'])
    expect(accept(`${head}steps:\n  - dr¦`, 'drop')).toBe(`${head}steps:\n  - drop: [`)
    expect(accept(`${head}steps:\n  - ca¦`, 'cast')).toBe(`${head}steps:\n  - cast:\n      `)
    expect(labels(`${head}steps:\n  - filter: a > 1\n    ¦`)).toEqual([])
  })

  it('works inside brackets, closed or not', () => {
    expect(labels(`${head}source:\n  files: {glob: a.csv, for¦}`)).toEqual(['format'])
    expect(labels(`${head}source:\n  files: {glob: a.csv, format: ¦}`)).toEqual([
      'csv',
      'jsonl',
      'json',
      'parquet',
      'xlsx',
    ])
    expect(labels(`${head}source:\n  files: {glob: a.csv, format: ¦\nsteps: []`)).toEqual([
      'csv',
      'jsonl',
      'json',
      'parquet',
      'xlsx',
    ])
    expect(labels(`${head}steps:\n  - expect: [{name: a, not_null: a}, {name: b, on_fail: qu¦`)).toEqual(['quarantine'])
    expect(labels(`${head}steps:\n  - cast: {a: dat¦`)).toEqual(['date', 'datetime'])
  })

  it('offers the values of a choice, true and false, and types', () => {
    expect(labels(`${head}target:\n  table: t\n  mode: ¦`)).toEqual(['append', 'replace', 'upsert', 'delete_insert'])
    expect(labels(`${head}source:\n  files:\n    union_by_name: ¦`)).toEqual(['true', 'false'])
    expect(labels('args:\n  a:\n    type: d¦')).toEqual(['date', 'datetime', 'duration'])
    expect(labels('connectors:\n  a:\n    types: [sq¦')).toEqual(['sqlite'])
  })

  it('offers arguments and parameters after a colon in SQL', () => {
    expect(labels(`${head}steps:\n  - filter: a > :¦`)).toEqual([':since', ':day'])
    expect(accept(`${head}steps:\n  - filter: a > :s¦`, ':since')).toBe(`${head}steps:\n  - filter: a > :since`)
    expect(labels(`${head}steps:\n  - filter:\n      where: a > :¦\n      params: {least: 5}\n`)).toEqual([
      ':least',
      ':since',
      ':day',
    ])
    expect(labels(`${head}steps:\n  - sql: |\n      SELECT *\n      FROM stream WHERE a > :¦\n  - drop: [a]`)).toEqual([
      ':since',
      ':day',
    ])
    expect(labels(`${head}steps:\n  - filter: a::¦`)).toEqual([])
    expect(at(`${head}steps:\n  - filter: a > :si¦`)[0]?.documentation).toBe('From when on')
  })

  it('offers names, fields and functions inside an expression', () => {
    expect(labels(`${head}source:\n  files: {glob: "\${{ ¦`).slice(0, 2)).toEqual(['args', 'run'])
    expect(labels(`${head}source:\n  files: {glob: "\${{ args.¦ }}"}`)).toEqual(['since', 'day'])
    expect(labels(`${head}source:\n  files: {glob: "\${{ $sub¦`)).toContain('$substring')
    expect(labels(`${head}source:\n  files: {glob: "\${{ run.¦`)).not.toContain('item_count')
    expect(labels(`${head}outputs:\n  rows: "\${{ run.¦`)).toContain('item_count')
    expect(labels('args:\n  a: {type: date, default: "${{ ¦').slice(0, 2)).toEqual(['run', '$string'])
    expect(labels(`${head}source:\n  files: {glob: "\${{ args.day }} ¦`)).not.toContain('args')
  })

  it('offers columns that a preview found', () => {
    const context = { columns: ['id', 'my col'] }
    expect(labels(`${head}steps:\n  - select: [¦`, context)).toEqual(['id', 'my col'])
    expect(labels(`${head}steps:\n  - cast:\n      i¦`, context)).toContain('id')
    expect(labels(`${head}steps:\n  - drop:\n      - ¦`, context)).toEqual(['id', 'my col'])
  })

  it('gives what is accepted: taking a choice leaves no complaint about it', () => {
    const document = `${head}source: {connector: lake, files: {glob: "\${{ args.day }}.csv"}}\nsteps:\n  - filter: a > :since\ntarget:\n  connector: db\n  table: t\n  mode: ¦\n`
    for (const label of ['append', 'replace']) expect(parseTask(accept(document, label)).diagnostics).toEqual([])
  })

  it('never throws at any offset of any document, and replaces only what is before the cursor', () => {
    const texts = fixtures()
      .map((fixture) => fixture.text)
      .filter((text) => text.length < 5_000)
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.nat(5_000), (text, place) => {
        const offset = place % (text.length + 1)
        const half = text.slice(0, offset)
        for (const source of [text, half]) {
          for (const one of completeTask(source, offset)) {
            expect(one.from).toBeLessThanOrEqual(offset)
            expect(one.to).toBe(offset)
            expect(one.insert).not.toBe('')
          }
        }
      }),
      { numRuns: 600 },
    )
  })
})
