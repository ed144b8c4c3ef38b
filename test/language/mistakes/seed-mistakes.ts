import type { Diagnostic } from '../../../src/language/diagnostics.ts'
import { alternatives, schemasAt, type Segment } from '../../../src/language/editor/schema-walk.ts'
import { keysOf } from '../../../src/language/editor/find-node.ts'
import { findBinds } from '../../../src/language/sql-binds.ts'
import type { JsonSchema } from '../../../src/language/shape/json-schema.ts'
import { readYaml } from '../../../src/language/yaml/read-yaml.ts'
import { entryOf, type YamlMap, type YamlNode, type YamlScalar } from '../../../src/language/yaml/yaml-tree.ts'
import { parseTask } from '../../../src/language/task/parse-task.ts'
import { schemaOfKind } from '../../../src/language/task/task-schema.ts'
import { jobSchema } from '../../../src/language/job/job-schema.ts'

/** One mistake in a text that was right, and where it is. */
export interface Mistake {
  className: string
  text: string
  /** Offsets in the new text: what is to be underlined, or (`line`) a place on the line that is to be named. */
  start: number
  end: number
  line?: true
}

interface Found {
  path: Segment[]
  node: YamlNode
  parent: YamlMap | null
  key: { name: string; start: number; end: number } | null
}

/** Every mistake of every class that the text has room for, in the order of the text. */
export function mistakesIn(text: string, language: 'task' | 'job'): Mistake[] {
  const { root } = readYaml(text, () => {})
  if (root?.kind !== 'map') return []
  const schema: JsonSchema = language === 'job' ? jobSchema : schemaOfKind(parseTask(text).kind)
  const schemaAt = (path: readonly Segment[]): JsonSchema[] =>
    schemasAt(schema, path, (at) => keysOf(root, at)).flatMap(alternatives)
  const found = walk(root, [], null, null)
  return [
    ...found.flatMap((one) => [...keyMistakes(text, one, schemaAt), ...valueMistakes(text, one, schemaAt)]),
    ...lineMistakes(text, root),
  ].filter(({ text: changed }) => changed !== text)
}

function walk(node: YamlNode, path: Segment[], parent: YamlMap | null, key: Found['key']): Found[] {
  const own: Found = { path, node, parent, key }
  if (node.kind === 'list') return [own, ...node.items.flatMap((item, index) => walk(item, [...path, index], null, null))]
  if (node.kind === 'map')
    return [
      own,
      ...node.entries.flatMap(({ key: name, keySpan, value }) =>
        walk(value, [...path, name], node, { name, ...keySpan }),
      ),
    ]
  return [own]
}

const replace = (text: string, start: number, end: number, by: string): string =>
  text.slice(0, start) + by + text.slice(end)

/** As fingers do it: two neighbors swapped, or a letter lost where that changes nothing. */
function typo(word: string): string {
  for (let at = Math.floor(word.length / 2); at < word.length - 1; at++) {
    if (word[at] !== word[at + 1]) return word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
  }
  return word.length > 1 ? `${word[1]}${word[0]}${word.slice(2)}` : `${word}x`
}

function keyMistakes(text: string, { path, node, key, parent }: Found, schemaAt: (path: Segment[]) => JsonSchema[]): Mistake[] {
  if (!key || !parent) return []
  const around = schemaAt(path.slice(0, -1))
  const fixed = around.some((schema) => schema.properties && Object.hasOwn(schema.properties, key.name))
  const made: Mistake[] = []
  if (fixed && text.slice(key.start, key.end) === key.name) {
    const wrong = typo(key.name)
    if (!around.some((schema) => schema.properties && Object.hasOwn(schema.properties, wrong)))
      made.push({ className: 'typo in a key', text: replace(text, key.start, key.end, wrong), start: key.start, end: key.start + wrong.length })
  }
  const lineStart = text.lastIndexOf('\n', key.start) + 1
  const lineEnd = text.indexOf('\n', node.end) === -1 ? text.length : text.indexOf('\n', node.end)
  const ownLines = text.slice(lineStart, key.start).trim() === '' && text.slice(node.end, lineEnd).trim() === ''
  if (ownLines && node.start > key.start && text.slice(lineStart, lineEnd).trim() !== '') {
    const entry = text.slice(lineStart, lineEnd)
    const at = lineEnd + 1 + (key.start - lineStart)
    if (node.kind === 'scalar' && !entry.includes('&'))
      made.push({ className: 'a key twice', text: replace(text, lineEnd, lineEnd, `\n${entry}`), start: at, end: at + (key.end - key.start) })
    const isRequired = around.length > 0 && around.every((schema) => schema.required?.includes(key.name))
    const grand = parent.mark
    if (isRequired && parent.entries.length > 1 && parent.entries[0]?.key !== key.name && !entry.includes('&')) {
      made.push({ className: 'a key is missing', text: replace(text, lineStart, lineEnd + 1, ''), start: grand.start, end: grand.end })
    }
  }
  return made
}

function valueMistakes(text: string, { path, node, key }: Found, schemaAt: (path: Segment[]) => JsonSchema[]): Mistake[] {
  if (node.kind !== 'scalar' || node.start === node.end || (key && node.start === key.start)) return []
  const schemas = schemaAt(path)
  const source = text.slice(node.start, node.end)
  const oneLine = !source.includes('\n')
  const made: Mistake[] = []
  const swap = (className: string, by: string): void => {
    made.push({ className, text: replace(text, node.start, node.end, by), start: node.start, end: node.start + by.length })
  }
  if (oneLine && schemas.some((schema) => schema.enum) && typeof node.value === 'string' && node.style === 'plain')
    swap('typo in a value', typo(source))
  if (oneLine && schemas.length > 0 && schemas.every((schema) => schema['x-complete'] === 'slot' || schema['x-complete'] === 'connector') && node.style === 'plain')
    swap('a slot that is not there', typo(source))
  if (oneLine && schemas.some((schema) => schema['x-complete'] === 'task-key') && node.style === 'plain')
    swap('a task that is not there', typo(source))
  const types = new Set(schemas.map((schema) => schema.type))
  if (oneLine && schemas.length > 0 && (types.has('integer') || types.has('number')) && types.size === 1) swap('wrong type', 'many')
  if (oneLine && types.has('boolean') && types.size === 1) swap('wrong type', 'maybe')
  if (oneLine && schemas.length > 0 && schemas.every((schema) => schema.enum || (schema.type === 'string' && !schema['x-language']))) swap('wrong type', '[1]')
  const limit = schemas.find((schema) => schema.maximum !== undefined)?.maximum
  if (oneLine && limit !== undefined && types.size === 1) swap('out of range', String(limit + 1))
  if (node.style === 'quoted' && oneLine && source.length > 2) {
    made.push({ className: 'quote not closed', text: replace(text, node.end - 1, node.end, ''), start: node.start, end: node.start + 1, line: true })
  }
  if (typeof node.value === 'string') made.push(...expressionMistakes(text, node), ...bindMistakes(text, node, schemas))
  return made
}

function expressionMistakes(text: string, node: YamlScalar): Mistake[] {
  const made: Mistake[] = []
  const quote = text[node.start] === '"' ? "'" : '"'
  for (const match of text.slice(node.start, node.end).matchAll(/\$\{\{\s*([^{}'"]*?)\s*\}\}/g)) {
    const at = node.start + match.index
    const end = at + match[0].length
    const inner = match[1] ?? ''
    const add = (className: string, by: string, part: string): void => {
      const start = at + by.indexOf(part)
      made.push({ className, text: replace(text, at, end, by), start, end: start + part.length })
    }
    const escaped = text[at - 1] === '$'
    if (escaped || inner === '') continue
    add('wrong arity', `\${{ $substring(${inner}) }}`, '$substring')
    add('wrong arity', `\${{ $append(${inner}) }}`, '$append')
    add('unknown function', `\${{ $uppercas(${inner}) }}`, '$uppercas')
    add('operator of another language', `\${{ ${inner} == 1 }}`, '==')
    add('operator of another language', `\${{ ${inner} = 1 && ${inner} = 2 }}`, '&&')
    add('constant that fails', `\${{ ${inner} & (1 + ${quote}a${quote}) }}`, '+')
    add('braces without $', `{{ ${inner} }} \${{ ${inner} }}`, `{{ ${inner} }}`)
    made.push({ className: 'expression not closed', text: replace(text, at, end, `\${{ ${inner} }`), start: at, end: at + 3 })
    const reference = /^(args|parameters|run|job|each)\.([a-z_]+)$/i.exec(inner)
    if (reference) {
      const wrong = `${reference[1]}.${typo(reference[2] ?? '')}`
      add('wrong reference', `\${{ ${wrong} }}`, wrong)
      // The same characters before it, as the beginning of a right one.
      const twice = `\${{ [${inner}, ${wrong}] }}`
      made.push({ className: 'wrong reference', text: replace(text, at, end, twice), start: at + twice.lastIndexOf(wrong), end: at + twice.lastIndexOf(wrong) + wrong.length })
    }
  }
  return made
}

function bindMistakes(text: string, node: YamlScalar, schemas: readonly JsonSchema[]): Mistake[] {
  if (!schemas.some((schema) => schema['x-language'])) return []
  const source = text.slice(node.start, node.end)
  return findBinds(source).map(({ name, start, end }) => {
    const wrong = `:${typo(name)}`
    return {
      className: 'a bind that is not there',
      text: replace(text, node.start + start, node.start + end, wrong),
      start: node.start + start,
      end: node.start + start + wrong.length,
    }
  })
}

/** What belongs to lines rather than to values. */
function lineMistakes(text: string, root: YamlMap): Mistake[] {
  const made: Mistake[] = []
  const inBlock = new Set<number>()
  for (const { node } of walk(root, [], null, null)) {
    if (node.kind !== 'scalar' || !text.slice(node.start, node.end).includes('\n')) continue
    for (let at = text.indexOf('\n', node.start) + 1; at > 0 && at < node.end; at = text.indexOf('\n', at) + 1) inBlock.add(at)
  }
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
    const line = text.slice(at, end)
    const indent = /^ */.exec(line)?.[0].length ?? 0
    const add = (className: string, by: string): void => {
      made.push({ className, text: replace(text, at, end, by), start: at, end: at + by.length, line: true })
    }
    if (!inBlock.has(at) && line.trim() !== '' && !line.trim().startsWith('#')) {
      if (indent >= 2) {
        add('tab as indent', `\t${line.slice(2)}`)
      }
      const pair = /^( *(?:- )?)([A-Za-z_]+): (\S.*)$/.exec(line)
      if (pair && !/[|>&*]/.test(pair[3] ?? '')) {
        add('colon is missing', `${pair[1]}${pair[2]} ${pair[3]}`)
        if (/^[[{]/.test(pair[3] ?? '') && /[\]}]$/.test(line)) add('bracket not closed', line.slice(0, -1))
        if (/^[A-Za-z]/.test(pair[3] ?? '')) add('text that YAML does not take', `${pair[1]}${pair[2]}: @${pair[3]}`)
      }
    }
    at = end + 1
  }
  const first = entryOf(root, 'name')
  if (first) {
    const at = text.indexOf('\n', first.value.end) + 1
    const next = /^([a-z_]+):/.exec(text.slice(at))
    if (at > 0 && next) made.push({ className: 'wrong indent', text: replace(text, at, at, ' '), start: at, end: at + 1 + next[0].length, line: true })
  }
  return made
}

export interface Judgement {
  exact: boolean
  /** Findings elsewhere that the mistake brought. */
  followUps: Diagnostic[]
}

/** `before`: what was said about the text without the mistake. */
export function judge(mistake: Mistake, before: readonly Diagnostic[], after: readonly Diagnostic[]): Judgement {
  const place = placeOf(mistake.text, mistake)
  const isThere = (one: Diagnostic): boolean =>
    mistake.line
      ? one.line === place.line
      : one.line === place.line && one.column === place.column && (one.end_line > one.line || one.end_column === place.endColumn)
  const known = new Set(before.map(identity))
  const fresh = after.filter((one) => !known.has(identity(one)))
  return {
    exact: fresh.some((one) => one.severity === 'error' && isThere(one)),
    followUps: fresh.filter((one) => !isThere(one)),
  }
}

const identity = ({ code, message, path }: Diagnostic): string => `${code} ${path} ${message}`

function placeOf(text: string, { start, end }: Mistake): { line: number; column: number; endColumn: number } {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  return { line: text.slice(0, start).split('\n').length, column: start - lineStart + 1, endColumn: end - lineStart + 1 }
}
