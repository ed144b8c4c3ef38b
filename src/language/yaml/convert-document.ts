import {
  isAlias,
  isMap,
  isSeq,
  type Alias,
  type Document,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Report } from '../diagnostic-collector.ts'
import {
  cutByComma,
  fail,
  isSound,
  reportBareBraces,
  reportCutByComma,
  reportTag,
  reportTooManyValues,
  reportUnsound,
  stop,
  type Conversion,
} from './conversion.ts'
import { indexLines } from './line-index.ts'
import { readKey } from './read-key.ts'
import { MAX_DEPTH, MAX_VALUES } from './scan-tokens.ts'
import { resolvePlain } from './plain-scalar.ts'
import { joinPath, type Span, type YamlEntry, type YamlNode } from './yaml-tree.ts'
import { msg } from '../messages.ts'

export const MAX_ALIASES = 100

/** The library's nodes as the language's own tree. `complete` is false where something had to be left out. */
export function convertDocument(
  text: string,
  document: Document.Parsed,
  report: Report,
): { root: YamlNode | null; complete: boolean } {
  const state: Conversion = {
    text,
    position: indexLines(text),
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
    message: msg('directive_not_allowed'),
    hint: msg('remove_directive'),
    path: '',
    at: { start: match.index, end: match.index + match[0].trimEnd().length },
  })
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
    return stop(state, 'too_deep', msg('nested_beyond', { limit: MAX_DEPTH }), msg('remove_some_levels'), span)
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
    return stop(state, 'too_many_aliases', msg('too_many_aliases', { limit: MAX_ALIASES }), msg('write_values_out'), at)
  }
  const target = state.anchors.get(alias.source)
  if (!target) {
    const inside = state.open.has(alias.source)
    return fail(state, {
      code: inside ? 'alias_recursive' : 'alias_unknown',
      message: inside ? msg('alias_recursive', { name: alias.source }) : msg('alias_unknown', { name: alias.source }),
      hint: inside ? msg('write_value_out') : msg('define_anchor_or_quote', { name: alias.source }),
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
    return stop(state, 'too_deep', msg('aliases_nested_beyond', { limit: MAX_DEPTH }), msg('remove_some_levels'), at)
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
  const seen = new Map<string, Span>()
  for (const pair of node.items) {
    const cut = node.flow === true ? cutByComma(state.text, pair.key.range, entries.at(-1)) : null
    if (cut) {
      reportCutByComma(state, cut, joinPath(path, entries.at(-1)?.key ?? ''))
      entries.pop()
      continue
    }
    const key = readKey(state, pair, path)
    if (!key) continue
    const first = seen.get(key.name)
    if (first) {
      fail(state, {
        code: 'duplicate_key',
        message: msg('duplicate_key', { name: key.name, first: state.position(first.start).line }),
        hint: msg('remove_one'),
        path: joinPath(path, key.name),
        at: key.span,
      })
      continue
    }
    seen.set(key.name, key.span)
    const written: ParsedNode | null = pair.value
    const value = written
      ? convert(state, written, joinPath(path, key.name), key.span, depth + 1)
      : ({ kind: 'scalar', ...key.span, value: null, exact: true, style: 'plain', mark: key.span } satisfies YamlNode)
    if (value) entries.push({ key: key.name, keySpan: key.span, value })
  }
  return { kind: 'map', ...span, entries, mark: label ?? entries[0]?.keySpan ?? markOf(state, span, null) }
}
