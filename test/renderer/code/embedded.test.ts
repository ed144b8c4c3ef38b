import { ensureSyntaxTree, getIndentation } from '@codemirror/language'
import { yaml } from '@codemirror/lang-yaml'
import { EditorState, type Extension } from '@codemirror/state'
import { highlightTree, tagHighlighter, tags } from '@lezer/highlight'
import { describe, expect, it } from 'vitest'
import { documentYaml } from '../../../src/renderer/ui/code/embedded.ts'

const words = tagHighlighter([
  { tag: tags.keyword, class: 'keyword' },
  { tag: tags.string, class: 'string' },
  { tag: tags.content, class: 'content' },
  { tag: [tags.bool, tags.null], class: 'constant' },
  { tag: tags.number, class: 'number' },
  { tag: tags.comment, class: 'comment' },
  { tag: tags.regexp, class: 'pattern' },
  { tag: tags.special(tags.variableName), class: 'variable' },
  { tag: tags.function(tags.variableName), class: 'function' },
  { tag: tags.special(tags.string), class: 'quoted-name' },
])

function stateOf(doc: string, language: Extension = documentYaml): EditorState {
  const state = EditorState.create({ doc, extensions: [language] })
  ensureSyntaxTree(state, doc.length, 10_000)
  return state
}

/** `word:look` of each word with a look. */
function looks(doc: string): string[] {
  const tree = ensureSyntaxTree(stateOf(doc), doc.length, 10_000)!
  const found: string[] = []
  highlightTree(tree, words, (from, to, look) => found.push(`${doc.slice(from, to)}:${look}`))
  return found
}

const task = (body: string, type = 'postgres') => `etl: 1
kind: pipeline
name: x
connectors:
  db: {type: ${type}, access: read}
${body}`

describe('SQL in the YAML of a task', () => {
  it('is SQL in a block, in quotes, plain, and in maps of expressions', () => {
    const doc = task(`source:
  connector: db
  sql:
    query: |
      -- all
      SELECT a FROM orders
      WHERE day = 'x' AND n > 2
steps:
  - filter: "a IS NOT NULL"
  - derive: {b: CASE WHEN a THEN 1 END}
`)
    const found = looks(doc)
    for (const look of [
      '-- all:comment',
      'SELECT:keyword',
      'WHERE:keyword',
      "'x':string",
      '2:number',
      'NOT:keyword',
      'CASE:keyword',
    ])
      expect(found).toContain(look)
    expect(found.filter((one) => one.startsWith('"a'))).toEqual([])
  })
  it('is nothing but text elsewhere, also in keys that read like it', () => {
    const found = looks(task(`description: SELECT a FROM b\nSELECT: 1\n`))
    expect(found.filter((one) => one.endsWith(':keyword'))).toEqual([])
  })
  it('is read in the dialect of its connector, and in DuckDB’s in steps', () => {
    const source = (type: string) =>
      task('source:\n  connector: db\n  sql: {query: "SELECT `a` FROM b QUALIFY"}\n', type)
    expect(looks(source('mysql'))).toContain('`a`:quoted-name')
    expect(looks(source('postgres'))).not.toContain('`a`:quoted-name')
    expect(looks(source('duckdb'))).toContain('QUALIFY:keyword')
    expect(looks(source('sqlite'))).not.toContain('QUALIFY:keyword')
    expect(looks(task('steps:\n  - sql: SELECT * FROM stream QUALIFY\n'))).toContain('QUALIFY:keyword')
  })
  it('leaves expressions out, and goes on behind them', () => {
    const found = looks(
      task('source:\n  connector: db\n  sql:\n    query: SELECT ${{ args.select }} FROM "${{ args.t }}" WHERE\n'),
    )
    expect(found.filter((one) => one.endsWith(':keyword'))).toEqual(['SELECT:keyword', 'FROM:keyword', 'WHERE:keyword'])
  })
  it('is the query of a dashboard’s data, and nothing in a job', () => {
    const dashboard = 'etl: 1\nkind: dashboard\ndata:\n  days: {connector: db, query: SELECT 1}\n'
    expect(looks(dashboard)).toContain('SELECT:keyword')
    expect(looks('kind: job\ntasks:\n  a: {task: x, query: SELECT 1}\n')).not.toContain('SELECT:keyword')
  })
  it('keeps the indentation of its block when a line is added', () => {
    const doc = task('steps:\n  - sql: |\n      SELECT a,\n        b\n')
    const after = (state: EditorState, text: string) => getIndentation(state, doc.indexOf(text) + text.length)
    expect(after(stateOf(doc), 'SELECT a,')).toBe(6)
    for (const text of ['sql: |', 'SELECT a,', '        b'])
      expect([text, after(stateOf(doc), text)]).toEqual([text, after(stateOf(doc, yaml()), text)])
  })
  it('is read again where it is edited', () => {
    const doc = task('steps:\n  - filter: a\n')
    const state = stateOf(doc)
    const edited = state.update({ changes: { from: doc.length - 1, insert: ' IS NULL' } }).state
    const tree = ensureSyntaxTree(edited, edited.doc.length, 10_000)!
    const found: string[] = []
    highlightTree(tree, words, (from, to, look) => found.push(`${edited.doc.sliceString(from, to)}:${look}`))
    expect(found).toContain('IS:keyword')
  })
})

describe('JSONata in the YAML', () => {
  it('is that of `map`, over lines, with strings, patterns, and comments', () => {
    const found = looks(
      task(`steps:
  - map: |
      { /* two
        lines */ "total": $sum(items.price) / 2,
        "name": $replace(name, /[^a-z]+/i, '') & null, "ok": a and $x = "it\\"s" }
  - map: {expression: "$count(a) > 1 or true", timeout: 5s}
`),
    )
    for (const look of [
      '"total":string',
      '$sum:function',
      '2:number',
      '/[^a-z]+/i:pattern',
      'null:constant',
      'and:keyword',
      '$x:variable',
      '"it\\"s":string',
      '$count:function',
      'or:keyword',
      'true:constant',
    ])
      expect(found).toContain(look)
    expect(found.filter((one) => one.endsWith(':comment')).map((one) => one.trim())).toEqual([
      '/* two:comment',
      'lines */:comment',
    ])
  })
  it('is what stands in `${{ }}`, several times in one text, and not where that is escaped', () => {
    const job = 'kind: job\ntasks:\n  a:\n    when: "${{ x and 1 }} ${{ y or 2 }} $${{ z in 3 }}"\n'
    expect(looks(job).filter((one) => /keyword|number/.test(one))).toEqual([
      'and:keyword',
      '1:number',
      'or:keyword',
      '2:number',
    ])
  })
  it('has slashes that divide and slashes that begin a pattern', () => {
    expect(looks(task('steps:\n  - map: (a) / b / c\n'))).not.toContain('/ b /:pattern')
    expect(looks(task('steps:\n  - map: $match(a, /b c/)\n'))).toContain('/b c/:pattern')
  })
})
