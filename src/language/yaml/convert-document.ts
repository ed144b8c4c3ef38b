import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Alias,
  type Document,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Report } from '../diagnostic-collector.ts'
import { MAX_DEPTH, MAX_VALUES } from './scan-tokens.ts'
import { resolvePlain } from './plain-scalar.ts'
import { joinPath, type Span, type YamlEntry, type YamlNode } from './yaml-tree.ts'

export const MAX_ALIASES = 100

interface Conversion {
  text: string
  report: Report
  /** Anchors whose node is complete, with the number of nodes in it. */
  anchors: Map<string, { node: YamlNode; size: number; depth: number }>
  heights: WeakMap<YamlNode, number>
  /** Anchors around the node at hand: an alias to one of them would never end. */
  open: Set<string>
  aliases: number
  nodes: number
  complete: boolean
  stopped: boolean
}

/** The library's nodes as the language's own tree. `complete` is false where something had to be left out. */
export function convertDocument(
  text: string,
  document: Document.Parsed,
  report: Report,
): { root: YamlNode | null; complete: boolean } {
  const state: Conversion = {
    text,
    report,
    anchors: new Map(),
    heights: new WeakMap(),
    open: new Set(),
    aliases: 0,
    nodes: 0,
    complete: true,
    stopped: false,
  }
  if (document.directives.docStart !== null) checkDirectives(state)
  const contents: ParsedNode | null = document.contents
  if (contents === null) return { root: null, complete: state.complete }
  const root = convert(state, contents, '', null, 1)
  return { root: state.stopped ? null : root, complete: state.complete && root !== null }
}

function checkDirectives(state: Conversion): void {
  const match = /^%.*$/m.exec(state.text)
  if (!match || state.text.slice(0, match.index).includes('\n---')) return
  fail(state, {
    code: 'directive_not_allowed',
    message: 'Directives (lines that start with `%`) are not used here.',
    hint: 'Remove the line. Documents are always read as YAML 1.2.',
    path: '',
    at: { start: match.index, end: match.index + match[0].trimEnd().length },
  })
}

function fail(state: Conversion, finding: Parameters<Report>[0]): null {
  state.complete = false
  state.report(finding)
  return null
}

function convert(
  state: Conversion,
  node: ParsedNode,
  path: string,
  label: Span | null,
  depth: number,
): YamlNode | null {
  if (state.stopped) return null
  if (isAlias(node)) return convertAlias(state, node, path, depth)
  const span = spanOf(state, node, label)
  if (depth > MAX_DEPTH + 1)
    return stop(state, 'too_deep', `Nested more than ${MAX_DEPTH} levels deep.`, 'Take levels out.', span)
  if (++state.nodes > MAX_VALUES) {
    state.stopped = true
    state.complete = false
    reportTooManyValues(state.report, span)
    return null
  }
  if (node.tag !== undefined) return reportTag(state, span, path)
  const { anchor } = node
  const nodesBefore = state.nodes - 1
  if (anchor !== undefined) state.open.add(anchor)
  const converted = isMap(node)
    ? convertMap(state, node, path, span, label, depth)
    : isSeq(node)
      ? convertList(state, node, path, span, label, depth)
      : convertScalar(state, node, span, path)
  if (anchor !== undefined) {
    state.open.delete(anchor)
    if (converted)
      state.anchors.set(anchor, {
        node: converted,
        size: state.nodes - nodesBefore,
        depth: height(converted, state.heights),
      })
  }
  return converted
}

export function reportTooManyValues(report: Report, at: Span): void {
  report({
    code: 'too_many_values',
    message: `The document holds more than ${MAX_VALUES} values, an alias counted with all it repeats.`,
    hint: 'Move rows out of the YAML into a file or a table.',
    path: '',
    at,
  })
}

function stop(state: Conversion, code: 'too_deep' | 'too_many_aliases', message: string, hint: string, at: Span): null {
  state.stopped = true
  return fail(state, { code, message, hint, path: '', at })
}

/** Only a tag that is written stands on a node: `failsafe` implies none. */
function reportTag(state: Conversion, at: Span, path: string): null {
  return fail(state, {
    code: 'tag_not_allowed',
    message: 'Tags (`!…`) are not used here.',
    hint: 'Remove the tag; write text in quotes where it could be read as something else.',
    path,
    at,
  })
}

function spanOf(state: Conversion, node: ParsedNode, label: Span | null): Span {
  const start = node.range[0]
  let end = node.range[1]
  while (end > start && /\s/.test(state.text[end - 1] ?? '')) end--
  // A key without a value: what can be pointed at is the key.
  return end === start && label ? label : { start, end }
}

/** What to underline: the node where it stands on one line, else the key that leads to it. */
function markOf(state: Conversion, span: Span, label: Span | null): Span {
  const lineEnd = state.text.indexOf('\n', span.start)
  if (lineEnd === -1 || lineEnd >= span.end) return span
  if (label) return label
  return { start: span.start, end: state.text.slice(span.start, lineEnd).trimEnd().length + span.start }
}

function convertAlias(state: Conversion, alias: Alias.Parsed, path: string, depth: number): YamlNode | null {
  const at = { start: alias.range[0], end: alias.range[1] }
  if (++state.aliases > MAX_ALIASES) {
    return stop(
      state,
      'too_many_aliases',
      `The document uses more than ${MAX_ALIASES} aliases.`,
      'Write the values out.',
      at,
    )
  }
  const target = state.anchors.get(alias.source)
  if (!target) {
    const inside = state.open.has(alias.source)
    return fail(state, {
      code: inside ? 'alias_recursive' : 'alias_unknown',
      message: inside
        ? `\`*${alias.source}\` stands inside the value it refers to.`
        : `There is no anchor \`&${alias.source}\` before this alias.`,
      hint: inside
        ? 'Write the value out.'
        : `Put \`&${alias.source}\` before the value it should repeat, or quote the text if it was not meant as an alias.`,
      path,
      at,
    })
  }
  state.nodes += target.size
  if (state.nodes > MAX_VALUES) {
    state.stopped = true
    state.complete = false
    reportTooManyValues(state.report, at)
    return null
  }
  if (depth + target.depth > MAX_DEPTH + 1)
    return stop(
      state,
      'too_deep',
      `Nested more than ${MAX_DEPTH} levels deep once aliases are replaced.`,
      'Take levels out.',
      at,
    )
  return target.node
}

/** Levels below a node; remembered, since aliases make one node part of many. */
function height(node: YamlNode, known: WeakMap<YamlNode, number>): number {
  if (node.kind === 'scalar') return 0
  let highest = known.get(node)
  if (highest === undefined) {
    highest = 0
    for (const child of node.kind === 'map' ? node.entries.map((entry) => entry.value) : node.items) {
      highest = Math.max(highest, height(child, known) + 1)
    }
    known.set(node, highest)
  }
  return highest
}

function convertScalar(state: Conversion, node: Scalar.Parsed, span: Span, path: string): YamlNode | null {
  const source = typeof node.value === 'string' ? node.value : ''
  const mark = markOf(state, span, null)
  const style =
    node.type === 'PLAIN' ? 'plain' : node.type === 'BLOCK_LITERAL' || node.type === 'BLOCK_FOLDED' ? 'block' : 'quoted'
  const resolved = style === 'plain' ? resolvePlain(source) : { value: source, exact: true }
  if (!isSound(source)) return reportUnsound(state, mark, path)
  return { kind: 'scalar', ...span, ...resolved, style, mark }
}

/** Escapes in double quotes can make what no database, file or JSON text takes: NUL, and halves of characters. */
function isSound(value: string): boolean {
  return !value.includes('\u0000') && value.isWellFormed()
}

function reportUnsound(state: Conversion, at: Span, path: string): null {
  return fail(state, {
    code: 'invalid_character',
    message: 'An escape in this text makes a NUL or half of a character.',
    hint: 'Remove the escape.',
    path,
    at,
  })
}

function convertList(
  state: Conversion,
  node: YAMLSeq.Parsed,
  path: string,
  span: Span,
  label: Span | null,
  depth: number,
): YamlNode {
  const items: YamlNode[] = []
  node.items.forEach((item, index) => {
    // A list item `a: b` inside brackets is a pair; the parser wraps it into a map of its own.
    const converted = convert(state, item, joinPath(path, index), null, depth + 1)
    if (converted) items.push(converted)
  })
  return { kind: 'list', ...span, items, mark: markOf(state, span, label) }
}

function convertMap(
  state: Conversion,
  node: YAMLMap.Parsed,
  path: string,
  span: Span,
  label: Span | null,
  depth: number,
): YamlNode | null {
  if (state.text.startsWith('{{', span.start) && node.flow === true) return reportBareBraces(state, span, path)
  const entries: YamlEntry[] = []
  const seen = new Set<string>()
  for (const pair of node.items) {
    const key = readKey(state, pair, path)
    if (!key) continue
    if (seen.has(key.name)) {
      fail(state, {
        code: 'duplicate_key',
        message: `The key \`${key.name}\` stands here a second time.`,
        hint: 'Remove one of the two.',
        path: joinPath(path, key.name),
        at: key.span,
      })
      continue
    }
    seen.add(key.name)
    const written: ParsedNode | null = pair.value
    const value = written
      ? convert(state, written, joinPath(path, key.name), key.span, depth + 1)
      : ({ kind: 'scalar', ...key.span, value: null, exact: true, style: 'plain', mark: key.span } satisfies YamlNode)
    if (value) entries.push({ key: key.name, keySpan: key.span, value })
  }
  return { kind: 'map', ...span, entries, mark: label ?? entries[0]?.keySpan ?? markOf(state, span, null) }
}

function reportBareBraces(state: Conversion, span: Span, path: string): null {
  const written = state.text.slice(span.start, span.end)
  const inner = written.replaceAll(/^\{+|\}+$/g, '').trim()
  return fail(state, {
    code: 'bare_braces',
    message: '`{{ … }}` without a `$` is a YAML map, not an expression.',
    hint:
      inner.length > 0 && inner.length < 80 && !inner.includes('\n')
        ? `Write "\${{ ${inner} }}".`
        : 'Write "${{ … }}".',
    path,
    at: span,
  })
}

function readKey(
  state: Conversion,
  pair: Pair<ParsedNode, ParsedNode | null>,
  path: string,
): { name: string; span: Span } | null {
  const { key } = pair
  const span = { start: key.range[0], end: key.range[1] }
  if (state.text.startsWith('{{', span.start) && !isScalar(key)) return reportBareBraces(state, span, path)
  if (isScalar(key) && key.tag !== undefined) return reportTag(state, span, path)
  const name = isScalar(key) && typeof key.value === 'string' ? key.value : null
  if (name === '<<' && isScalar(key) && key.type === 'PLAIN') {
    return fail(state, {
      code: 'merge_key',
      message: 'The merge key `<<` belongs to YAML 1.1 and is not used here.',
      hint: 'Write the keys out, or use an alias for a whole value.',
      path,
      at: span,
    })
  }
  if (name !== null && !isSound(name)) return reportUnsound(state, span, path)
  if (name === '__proto__') {
    return fail(state, {
      code: 'reserved_key',
      message: '`__proto__` cannot be used as a key.',
      hint: 'Use another name.',
      path,
      at: span,
    })
  }
  const isText =
    name !== null && isScalar(key) && (key.type !== 'PLAIN' || typeof resolvePlain(name).value === 'string')
  if (isText && name !== '') return { name, span }
  const written = state.text.slice(span.start, span.end)
  return fail(state, {
    code: 'key_not_text',
    message: written === '' ? 'A key is missing before the `:`.' : 'A key must be text.',
    hint:
      written !== '' && written.length <= 60 && isScalar(key)
        ? `Write "${written}" in quotes.`
        : 'Write a name before the `:`.',
    path,
    at: span,
  })
}
