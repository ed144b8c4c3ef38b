/** Values as lines of a tree: one line for a value, and lines for what is in it where it is open. Pure. */
import { WrittenNumber, entriesOf, isBranch } from './exact-json.ts'

/** Keys and numbers that lead from an item to a value. */
export type JsonPath = readonly (string | number)[]
export const pathId = (path: JsonPath): string => JSON.stringify(path)

export interface JsonLine {
  path: JsonPath
  value: unknown
  /** How many values are in it; null: it holds none itself. */
  size: number | null
  open: boolean
}

/** Numbers of MongoDB's Extended JSON. */
const wrappedNumbers: ReadonlySet<string> = new Set(['$numberInt', '$numberLong', '$numberDouble', '$numberDecimal'])
const wrappers: ReadonlySet<string> = new Set([
  ...wrappedNumbers,
  '$oid',
  '$date',
  '$binary',
  '$uuid',
  '$symbol',
  '$code',
  '$timestamp',
  '$regularExpression',
  '$minKey',
  '$maxKey',
  '$undefined',
])

/** The one key of a value that Extended JSON writes as an object. */
function wrapperOf(value: object): [string, unknown] | undefined {
  const entries = Array.isArray(value) ? [] : entriesOf(value)
  const [[key, inner] = [0, undefined]] = entries
  return entries.length === 1 && typeof key === 'string' && wrappers.has(key) ? [key, inner] : undefined
}

/** How many values are in it; null: it is one itself. */
export const sizeOf = (value: unknown): number | null =>
  isBranch(value) && !wrapperOf(value) ? entriesOf(value).length : null

/** The lines of an item; `open`: what is open in it, see `pathId`. */
export function linesOf(item: unknown, open: ReadonlySet<string>): JsonLine[] {
  const lines: JsonLine[] = []
  const add = (value: unknown, path: JsonPath) => {
    const size = sizeOf(value)
    const isOpen = size !== null && size > 0 && open.has(pathId(path))
    lines.push({ path, value, size, open: isOpen })
    // Only a branch has a size.
    if (isOpen) for (const [key, inner] of entriesOf(value as object)) add(inner, [...path, key])
  }
  add(item, [])
  return lines
}

export interface LeafText {
  kind: 'number' | 'string' | 'boolean' | 'null' | 'object'
  text: string
}
/** Longer texts are shown in part. */
const mostLeaf = 400

export function leafText(value: unknown): LeafText {
  if (value instanceof WrittenNumber) return { kind: 'number', text: value.text }
  if (typeof value === 'string') {
    const shown = value.length > mostLeaf ? `${value.slice(0, mostLeaf)}…` : value
    return { kind: 'string', text: JSON.stringify(shown) }
  }
  if (isBranch(value)) {
    const [key = '', inner] = wrapperOf(value) ?? []
    if (wrappedNumbers.has(key) && typeof inner === 'string') return { kind: 'number', text: inner }
    return { kind: 'object', text: JSON.stringify(value) }
  }
  if (typeof value === 'number' || typeof value === 'boolean')
    return { kind: typeof value === 'number' ? 'number' : 'boolean', text: String(value) }
  return { kind: 'null', text: 'null' }
}

/** The beginning of what is in a value. */
export function previewOf(value: unknown, most = 160): string {
  let text = ''
  const write = (one: unknown): void => {
    if (text.length > most) return
    if (sizeOf(one) === null) {
      text += leafText(one).text
      return
    }
    const entries = entriesOf(one as object) // it has a size
    const isList = Array.isArray(one)
    text += isList ? '[' : '{'
    for (const [at, [key, inner]] of entries.entries()) {
      if (text.length > most) break
      text += `${at > 0 ? ', ' : ''}${isList ? '' : `${key}: `}`
      write(inner)
    }
    text += isList ? ']' : '}'
  }
  write(value)
  return text.length > most ? `${text.slice(0, most)}…` : text
}

/** The path as JSONata takes it: the items are the input. */
export function pathText(item: number | null, path: JsonPath): string {
  const start = item === null ? '$' : `$[${item}]`
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return `${text}.${/^[A-Za-z_]\w*$/.test(key) ? key : `\`${key}\``}`
  }, start)
}

/** Lines of items that are open, by the number of the item: beside their first one. */
export type OpenLines = readonly { item: number; more: number }[]

/** Which item a line of the whole tree belongs to, and which of the item's lines it is. `open` is in order. */
export function itemAt(line: number, open: OpenLines): { item: number; line: number } {
  let before = 0
  for (const { item, more } of open) {
    const start = item + before
    if (line < start) break
    if (line <= start + more) return { item, line: line - start }
    before += more
  }
  return { item: line - before, line: 0 }
}

/** The line where an item begins. */
export const lineOf = (item: number, open: OpenLines): number =>
  open.reduce((line, one) => (one.item < item ? line + one.more : line), item)
