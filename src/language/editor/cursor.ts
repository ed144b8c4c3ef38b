import { MAX_DEPTH } from '../yaml/scan-tokens.ts'
import type { Segment } from './schema-walk.ts'

/** Where the cursor stands in half-written YAML, told by indentation and brackets alone: no parser has to accept the text. */
export interface Cursor {
  /** Path of the map, list or value at hand. In a value: of that value. At a key: of the map it would belong to. */
  path: Segment[]
  position: 'key' | 'value'
  /** What is written of the key or value, from `from` to the cursor. */
  prefix: string
  from: number
  /** Column of the key at hand, for the indentation of what is put below it. */
  column: number
  /** Inside `{ }` or `[ ]`. */
  flow: boolean
  /** The value is a list item without a key: `- |`. */
  item: boolean
  keysAt: (path: readonly Segment[]) => string[]
}

interface Level {
  column: number
  segment: Segment
}

interface Scan {
  levels: Level[]
  keys: Map<string, Set<string>>
  /** The lines of a block scalar: all that are indented deeper than this column. */
  blockColumn: number | null
}

const pathKey = (path: readonly Segment[]): string => JSON.stringify(path)

export function findCursor(text: string, offset: number): Cursor {
  const scan: Scan = { levels: [], keys: new Map(), blockColumn: null }
  const keysAt = (path: readonly Segment[]): string[] => [...(scan.keys.get(pathKey(path)) ?? [])]
  let found: Omit<Cursor, 'keysAt'> | null = null
  let start = 0
  while (start <= text.length) {
    const end = lineEnd(text, start)
    if (found === null && offset <= end) {
      const cursorEnd = Math.max(offset, start)
      found = cursorOnLine(text, start, cursorEnd, scan)
      // What follows the cursor on its line still counts as a sibling, but not the half-written key itself.
      start = end + 1
      continue
    }
    start = scanLine(text, start, end, scan, offset, (flow) => (found ??= flow)) + 1
  }
  return {
    ...(found ?? { path: [], position: 'key', prefix: '', from: offset, column: 0, flow: false, item: false }),
    keysAt,
  }
}

function lineEnd(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/** Takes in one line before or after the cursor's; returns where it (or the bracket that starts on it) ends. */
function scanLine(
  text: string,
  start: number,
  end: number,
  scan: Scan,
  offset: number,
  inFlow: (cursor: Omit<Cursor, 'keysAt'>) => void,
): number {
  const line = text.slice(start, end)
  const indent = line.length - line.trimStart().length
  if (line.trim() === '' || line.trimStart().startsWith('#')) return end
  if (scan.blockColumn !== null) {
    if (indent > scan.blockColumn) return end
    scan.blockColumn = null
  }
  const { rest, column } = openLevels(line, scan)
  const key = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#:[\]{},"'][^#]*?))\s*:(?=\s|$)/.exec(rest)
  let value = rest
  let valueAt = column
  if (key) {
    openKey(key[1] ?? key[2] ?? key[3] ?? '', column, scan)
    value = rest.slice(key[0].length).trimStart()
    valueAt = column + rest.length - value.length
  }
  if (/^[|>][-+0-9]*\s*(#.*)?$/.test(value)) scan.blockColumn = key ? column : (scan.levels.at(-1)?.column ?? 0)
  if (!/^[[{]/.test(value)) return end
  const flow = readFlow(text, start + valueAt, offset, currentPath(scan), scan)
  if (flow.cursor) inFlow({ ...flow.cursor, column })
  return lineEnd(text, Math.max(flow.end, start))
}

/** Closes the levels that the line leaves, opens its list items, and gives what follows them. */
function openLevels(line: string, scan: Scan): { rest: string; column: number } {
  let column = line.length - line.trimStart().length
  let rest = line.slice(column)
  while (/^-(\s|$)/.test(rest)) {
    openItem(column, scan)
    const after = rest.slice(1)
    const blanks = after.length - after.trimStart().length
    column += 1 + blanks
    rest = after.slice(blanks)
  }
  closeDownTo(column, scan)
  return { rest, column }
}

function closeDownTo(column: number, scan: Scan): void {
  // A key at this column ends; a list item at this column ends, too, but not the item whose content starts here.
  while ((scan.levels.at(-1)?.column ?? -1) >= column) scan.levels.pop()
}

function openItem(column: number, scan: Scan): void {
  let index = 0
  for (let top = scan.levels.at(-1); top && top.column >= column; top = scan.levels.at(-1)) {
    if (top.column === column && typeof top.segment === 'string') break
    if (top.column === column && typeof top.segment === 'number') index = top.segment + 1
    scan.levels.pop()
  }
  scan.levels.push({ column, segment: index })
}

function openKey(name: string, column: number, scan: Scan): void {
  noteKey(scan, currentPath(scan), name)
  scan.levels.push({ column, segment: name })
}

function noteKey(scan: Scan, path: readonly Segment[], name: string): void {
  const keys = scan.keys.get(pathKey(path)) ?? new Set()
  keys.add(name)
  scan.keys.set(pathKey(path), keys)
}

function currentPath(scan: Scan): Segment[] {
  return scan.levels.map((level) => level.segment)
}

function cursorOnLine(text: string, start: number, offset: number, scan: Scan): Omit<Cursor, 'keysAt'> {
  const before = text.slice(start, offset)
  const indent = before.length - before.trimStart().length
  if (scan.blockColumn !== null && (indent > scan.blockColumn || before.trim() === '')) {
    return {
      path: currentPath(scan),
      position: 'value',
      prefix: before.trimStart(),
      from: start + indent,
      column: indent,
      flow: false,
      item: false,
    }
  }
  scan.blockColumn = null
  const dashes = /^\s*-(\s|$)/.test(before)
  const { rest, column } = openLevels(before, scan)
  const key = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#:[\]{},"'][^#]*?))\s*:\s+/.exec(
    `${rest}${rest.endsWith(':') ? ' ' : ''}`,
  )
  if (key && key[0].length <= rest.length) {
    openKey(key[1] ?? key[2] ?? key[3] ?? '', column, scan)
    const value = rest.slice(key[0].length)
    const from = start + column + key[0].length
    if (/^[[{]/.test(value)) return { ...flowCursor(text, from, offset, currentPath(scan), scan), column }
    return { path: currentPath(scan), position: 'value', prefix: value, from, column, flow: false, item: false }
  }
  const from = start + column
  if (/^[[{]/.test(rest)) return { ...flowCursor(text, from, offset, currentPath(scan), scan), column }
  return { path: currentPath(scan), position: 'key', prefix: rest, from, column, flow: false, item: dashes }
}

function flowCursor(text: string, from: number, offset: number, path: Segment[], scan: Scan): Omit<Cursor, 'keysAt'> {
  const { cursor } = readFlow(text, from, offset, path, scan)
  return cursor ?? { path, position: 'value', prefix: '', from: offset, column: 0, flow: true, item: false }
}

interface FlowLevel {
  path: Segment[]
  map: boolean
  /** Of a list. */
  index: number
  /** Of a map: the key whose value is being written. */
  key: string | null
  /** Where the key or value at hand starts. */
  partAt: number
}

/** Reads a bracketed value up to its end, its line's indentation notwithstanding, and finds the cursor in it. */
function readFlow(
  text: string,
  from: number,
  offset: number,
  path: Segment[],
  scan: Scan,
): { end: number; cursor: Omit<Cursor, 'keysAt'> | null } {
  const stack: FlowLevel[] = []
  let outer = path
  let cursor: Omit<Cursor, 'keysAt'> | null = null
  for (let at = from; at <= text.length; at++) {
    const top = stack.at(-1)
    if (at === offset && top && cursor === null) cursor = cursorInFlow(text, offset, top)
    const character = text[at]
    if (character === undefined) return { end: at, cursor }
    if (character === '"' || character === "'") {
      const close = text.indexOf(character, at + 1)
      const quoteEnd = close === -1 || close > lineEnd(text, at) ? lineEnd(text, at) : close
      if (offset > at && offset <= quoteEnd && top && cursor === null) cursor = cursorInFlow(text, offset, top)
      at = quoteEnd
    } else if (character === '{' || character === '[') {
      if (text.startsWith('{{', at) && text[at - 1] === '$') continue
      // Deeper ones are refused as a document, and a path of its own for each of a million would fill the memory.
      if (stack.length > MAX_DEPTH) return { end: text.length, cursor }
      stack.push({ path: outer, map: character === '{', index: 0, key: null, partAt: at + 1 })
      outer = character === '[' ? [...outer, 0] : outer
    } else if (character === '}' || character === ']') {
      if (top) closePart(text, top, at, scan)
      stack.pop()
      outer = stack.at(-1) ? partPath(stack.at(-1)!) : path // the stack was just found not empty
      if (stack.length === 0) return { end: at + 1, cursor }
    } else if (top && character === ',') {
      closePart(text, top, at, scan)
      top.index++
      top.key = null
      top.partAt = at + 1
      outer = partPath(top)
    } else if (top?.map && character === ':' && top.key === null && /[\s,}\]]|$/.test(text[at + 1] ?? '')) {
      top.key = unquote(text.slice(top.partAt, at))
      noteKey(scan, top.path, top.key)
      top.partAt = at + 1
      outer = partPath(top)
    } else if (character === '\n' && looksLikeBlock(text, at + 1)) return { end: at, cursor }
  }
  return { end: text.length, cursor }
}

/** An unclosed bracket must not swallow the document: a line that starts in the first column with a key ends it. */
function looksLikeBlock(text: string, from: number): boolean {
  return /^[A-Za-z_][\w-]*:(\s|$)/.test(text.slice(from, lineEnd(text, from)))
}

function partPath(level: FlowLevel): Segment[] {
  if (!level.map) return [...level.path, level.index]
  return level.key === null ? level.path : [...level.path, level.key]
}

function closePart(text: string, level: FlowLevel, at: number, scan: Scan): void {
  const word = level.map && level.key === null ? unquote(text.slice(level.partAt, at)) : ''
  if (word !== '') noteKey(scan, level.path, word)
}

function unquote(text: string): string {
  const trimmed = text.trim()
  return /^(["']).*\1$/s.test(trimmed) ? trimmed.slice(1, -1) : trimmed
}

function cursorInFlow(text: string, offset: number, level: FlowLevel): Omit<Cursor, 'keysAt'> {
  const written = text.slice(level.partAt, offset)
  const prefix = written.trimStart()
  const position = level.map && level.key === null ? 'key' : 'value'
  return { path: partPath(level), position, prefix, from: offset - prefix.length, column: 0, flow: true, item: false }
}
