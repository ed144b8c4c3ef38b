/** Languages inside the YAML of tasks and templates: SQL in the dialect of its connector, and expressions. */
import { type Language, LanguageSupport, foldNodeProp, indentNodeProp } from '@codemirror/language'
import { yamlLanguage } from '@codemirror/lang-yaml'
import { type Input, type NestedParse, type Parser, type SyntaxNode, parseMixed } from '@lezer/common'
import { type Segment, alternatives, schemasAt } from '../../../language/editor/schema-walk.ts'
import { kindDefinitions } from '../../../language/task/kinds/kind-registry.ts'
import { schemaOfKind } from '../../../language/task/task-schema.ts'
import { jsonata } from './jsonata-language.ts'
import { sqlDialects } from './sql-dialects.ts'
import { isMap } from './sql-place.ts'

type Dialect = keyof typeof sqlDialects

/** SQL is indented and folded as the YAML around it. */
const inYaml = {
  props: [
    indentNodeProp.add({ Statement: (context) => context.continue() }),
    foldNodeProp.add({ Statement: () => null }),
  ],
}
const parserOf = (name: Dialect) => sqlDialects[name].language.parser.configure(inYaml)
const parsers: Readonly<Record<Dialect, Parser>> = {
  postgres: parserOf('postgres'),
  mysql: parserOf('mysql'),
  sqlite: parserOf('sqlite'),
  duckdb: parserOf('duckdb'),
}

const isDialect = (type: string): type is Dialect => Object.hasOwn(sqlDialects, type)
const unquoted = (text: string) => text.replace(/^(["'])(.*)\1$/s, '$2')

/** What of a document decides about its parts; the same for all of them. */
interface Outline {
  kind: string
  /** Slot → the one type of its connector. */
  dialects: ReadonlyMap<string, Dialect>
}
const outlines = new WeakMap<Input, Outline>()

function* pairs(mapping: SyntaxNode | null, input: Input): Generator<[string, SyntaxNode]> {
  for (let pair = mapping?.getChild('Pair') ?? null; pair; pair = pair.nextSibling) {
    const key = pair.getChild('Key')
    const value = pair.lastChild
    if (key && value && value.from >= key.to) yield [unquoted(input.read(key.from, key.to)), value]
  }
}

const isMapping = ({ name }: SyntaxNode) => name === 'BlockMapping' || name === 'FlowMapping'

function outlineOf(node: SyntaxNode, input: Input): Outline {
  const known = outlines.get(input)
  if (known) return known
  let top: SyntaxNode | null = null
  for (let at: SyntaxNode | null = node; at; at = at.parent) if (isMapping(at)) top = at
  let kind = ''
  const dialects = new Map<string, Dialect>()
  for (const [key, value] of pairs(top, input)) {
    if (key === 'kind') kind = unquoted(input.read(value.from, value.to))
    if (key !== 'connectors' || !isMapping(value)) continue
    for (const [slot, connector] of pairs(value, input)) {
      if (!isMapping(connector)) continue
      for (const [field, type] of pairs(connector, input)) {
        const text = unquoted(input.read(type.from, type.to))
        if (field === 'type' && isDialect(text)) dialects.set(slot, text)
      }
    }
  }
  const outline = { kind, dialects }
  outlines.set(input, outline)
  return outline
}

/** Of a value, from the top; items of lists are all alike. */
function pathOf(node: SyntaxNode, input: Input): Segment[] {
  const path: Segment[] = []
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (at.name === 'Item') path.unshift(0)
    const key = at.name === 'Pair' ? at.getChild('Key') : null
    if (key) path.unshift(unquoted(input.read(key.from, key.to)))
  }
  return path
}

const found = new Map<string, 'sql' | 'jsonata' | null>()
const mostFound = 2000
const noKeys = () => []

/** What the schema of a document says about texts at a path. */
function languageAt(kind: string, path: readonly Segment[]): 'sql' | 'jsonata' | null {
  // Dashboards have no SQL but their queries, and jobs have none.
  if (kind === 'dashboard') return path.at(-1) === 'query' ? 'sql' : null
  if (kind === 'job') return null
  const name = `${kind} ${path.join(' ')}`
  const known = found.get(name)
  if (known !== undefined) return known
  const task = kindDefinitions.find((one) => one.kind === kind)?.kind ?? 'pipeline'
  const forms = schemasAt(schemaOfKind(task), path, noKeys).flatMap(alternatives)
  const language = isMap(path) ? 'jsonata' : forms.some((form) => form['x-language']) ? 'sql' : null
  if (found.size >= mostFound) found.clear()
  found.set(name, language)
  return language
}

/** Steps run in DuckDB; all else in what its slot is bound to. */
function dialectAt(node: SyntaxNode, path: readonly Segment[], input: Input, outline: Outline): Dialect {
  if (path[0] === 'steps') return 'duckdb'
  for (let at: SyntaxNode | null = node; at; at = at.parent) {
    if (!isMapping(at)) continue
    for (const [key, value] of pairs(at, input))
      if (key === 'connector') return outline.dialects.get(unquoted(input.read(value.from, value.to))) ?? 'postgres'
  }
  return 'postgres'
}

interface Range {
  from: number
  to: number
}
const expressions = /\$\$\{\{|\$\{\{([^}]*(?:\}(?!\})[^}]*)*)\}\}/g

/** Where `${{ … }}` stand in a text; the `whole` of them, or what is in them. */
function expressionsIn(text: string, from: number, whole: boolean): Range[] {
  const ranges: Range[] = []
  for (const { 0: all, 1: inner, index } of text.matchAll(expressions)) {
    if (inner === undefined) continue
    const start = from + index
    ranges.push(whole ? { from: start, to: start + all.length } : { from: start + 3, to: start + all.length - 2 })
  }
  return ranges.filter((range) => range.from < range.to)
}

/** What is left of a range beside the others, which lie in it in their order. */
function beside({ from, to }: Range, others: readonly Range[]): Range[] {
  const starts = [from, ...others.map((other) => other.to)]
  const ends = [...others.map((other) => other.from), to]
  return starts.flatMap((start, index) => {
    const end = ends[index] ?? to
    return start < end ? [{ from: start, to: end }] : []
  })
}

const values: ReadonlySet<string> = new Set(['Literal', 'QuotedLiteral', 'BlockLiteralContent'])

/** The language of a value of the YAML, and which parts of it are in it. */
function embeddedIn(node: SyntaxNode, input: Input): NestedParse | null {
  if (!values.has(node.name) || node.parent?.name === 'Key') return null
  const quoted = node.name === 'QuotedLiteral' && node.to - node.from >= 2 ? 1 : 0
  const range = { from: node.from + quoted, to: node.to - quoted }
  if (range.from >= range.to) return null
  const outline = outlineOf(node, input)
  const path = pathOf(node, input)
  const language = languageAt(outline.kind, path)
  // Overlays: for indentation and folding the value stays what it is in the YAML.
  if (language === 'jsonata') return { parser: jsonata.parser, overlay: [range] }
  const text = input.read(range.from, range.to)
  if (language === 'sql') {
    const overlay = beside(range, expressionsIn(text, range.from, true))
    return overlay.length > 0 ? { parser: parsers[dialectAt(node, path, input, outline)], overlay } : null
  }
  const overlay = expressionsIn(text, range.from, false)
  return overlay.length > 0 ? { parser: jsonata.parser, overlay } : null
}

const language: Language = yamlLanguage.configure({ wrap: parseMixed((node, input) => embeddedIn(node.node, input)) })

/** YAML of tasks, job templates, and dashboard templates. */
export const documentYaml = new LanguageSupport(language)
