/** A part of a document that is changed by itself: one of its entries, or an entry of one that is a list or a record. */
import { readYaml } from './read-yaml.ts'
import { type YamlEntry, type YamlMap, type YamlNode, entryOf, joinPath } from './yaml-tree.ts'

/** Entries whose own entries stand for themselves. */
const records: ReadonlySet<string> = new Set(['args', 'connectors', 'data', 'filters', 'inputs', 'parameters', 'tasks'])

interface Place {
  key: string
  /** Of an item or an entry in it. */
  within: number | string | null
}

function placeOf(path: string): Place | null {
  const found = /^([A-Za-z_][\w-]*)(?:\[(\d{1,6})\]|\.([A-Za-z_][\w-]*)|\[("(?:[^"\\]|\\.)*")\])?$/.exec(path)
  if (!found) return null
  const [, key = '', index, name, quoted] = found
  try {
    // A string in quotes, by the expression above.
    const within = index !== undefined ? Number(index) : (name ?? (quoted ? (JSON.parse(quoted) as string) : null))
    return { key, within }
  } catch {
    return null
  }
}

const rootOf = (text: string): YamlMap | null => {
  const { root, wellFormed } = readYaml(text, () => {})
  return wellFormed && root?.kind === 'map' ? root : null
}

/** The path of the part that a 1-based line belongs to, such as `source`, `steps[2]`, or `tasks.load`; null: of none. */
export function partAt(text: string, line: number): string | null {
  const { root } = readYaml(text, () => {})
  if (root?.kind !== 'map') return null
  const lines = text.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  const end = start + (lines[line - 1]?.length ?? 0)
  const lastBefore = <T>(all: readonly T[], startOf: (one: T) => number): T | undefined => {
    const on = all.filter((one) => startOf(one) >= start && startOf(one) <= end)
    // Several on one line: none of them is meant.
    return on.length > 1 ? undefined : all.findLast((one) => startOf(one) <= end)
  }
  const entry = lastBefore(root.entries, ({ keySpan }) => keySpan.start)
  if (!entry || entry.key === 'etl' || entry.key === 'kind') return null
  const { key, value } = entry
  if (value.kind === 'list') {
    const item = lastBefore(value.items, (one) => one.start)
    return item ? joinPath(key, value.items.indexOf(item)) : key
  }
  if (value.kind === 'map' && records.has(key)) {
    const inner = lastBefore(value.entries, ({ keySpan }) => keySpan.start)
    return inner ? joinPath(key, inner.key) : key
  }
  return key
}

/** Whether a text has the part, or could be given it: a missing entry of the document itself. */
export function hasPart(text: string, path: string): boolean {
  const place = placeOf(path)
  const root = rootOf(text)
  return place !== null && root !== null && (place.within === null || partIn(root, place) !== null)
}

/** What stands at a place: complete entries, or items that follow each other. */
interface Part {
  start: number
  end: number
  /** Of items: how many come after them. */
  after: number
}

/** `after`: of items, how many are to come after the part; by default all but one. */
function partIn(root: YamlMap, { key, within }: Place, after?: number): Part | null {
  const entry = entryOf(root, key)
  if (!entry) return null
  const whole = ({ keySpan, value }: YamlEntry): Part => ({ start: keySpan.start, end: value.end, after: 0 })
  if (within === null) return whole(entry)
  const { value } = entry
  if (typeof within === 'string') {
    const inner = value.kind === 'map' ? entryOf(value, within) : undefined
    return inner ? whole(inner) : null
  }
  if (value.kind !== 'list') return null
  const behind = after ?? value.items.length - within - 1
  const [first, last] = [value.items[within], value.items[value.items.length - behind - 1]]
  return first && last && behind >= 0 && last.end >= first.end
    ? { start: first.start, end: last.end, after: behind }
    : null
}

/** The values of a document, whatever it looks like; those of `left` are left out. */
function valuesOf(text: string, root: YamlNode, left?: Part): string {
  const isLeft = (start: number, end: number) => left !== undefined && start >= left.start && end <= left.end
  const plain = (node: YamlNode): unknown => {
    if (node.kind === 'list') return node.items.filter(({ start, end }) => !isLeft(start, end)).map(plain)
    if (node.kind === 'map')
      return Object.fromEntries(
        node.entries
          .filter(({ keySpan, value }) => !isLeft(keySpan.start, value.end))
          .toSorted((a, b) => (a.key < b.key ? -1 : 1))
          .map(({ key, value }) => [`$${key}`, plain(value)]),
      )
    return node.exact ? node.value : text.slice(node.start, node.end)
  }
  return JSON.stringify(plain(root))
}

/**
 * `base` with the part as `changed` has it; what surrounds it stays letter for letter. An item can become several.
 * null: `changed` differs in something else, too, or has no such part.
 */
export function withPartOf(base: string, path: string, changed: string): string | null {
  const place = placeOf(path)
  const [before, after] = [rootOf(base), rootOf(changed)]
  // What is wrong with it is for the checks of its language.
  if (!place || !before || !after) return changed
  const old = partIn(before, place)
  const next = partIn(after, place, typeof place.within === 'number' ? old?.after : undefined)
  if (!next || valuesOf(base, before, old ?? undefined) !== valuesOf(changed, after, next)) return null
  const written = changed.slice(next.start, next.end).trimEnd()
  const columnOf = (text: string, at: number) => at - text.lastIndexOf('\n', at - 1) - 1
  const indented = (column: number) => {
    const shift = column - columnOf(changed, next.start)
    return written.replaceAll(
      /\n( *)(?=[^\n])/g,
      (_, blanks: string) => `\n${' '.repeat(Math.max(0, blanks.length + shift))}`,
    )
  }
  let fitted: string
  if (old) {
    const end = old.start + base.slice(old.start, old.end).trimEnd().length
    fitted = base.slice(0, old.start) + indented(columnOf(base, old.start)) + base.slice(end)
  } else {
    const at = placeFor(base, before, after, place.key)
    fitted = `${base.slice(0, at)}${written}\n${base.slice(at)}`
  }
  const root = rootOf(fitted)
  // Another style of writing may not fit in: the text as it was written says the same.
  return root && valuesOf(fitted, root) === valuesOf(changed, after) ? fitted : changed
}

/** The beginning of the line where an entry that `before` lacks belongs: below the one that precedes it in `after`. */
function placeFor(base: string, before: YamlMap, after: YamlMap, key: string): number {
  const index = after.entries.findIndex((entry) => entry.key === key)
  const previous = after.entries.slice(0, index).findLast((entry) => entryOf(before, entry.key))
  const found = previous && entryOf(before, previous.key)
  if (!found) return before.entries[0]?.keySpan.start ?? 0
  const end = found.keySpan.start + base.slice(found.keySpan.start, found.value.end).trimEnd().length
  const lineEnd = base.indexOf('\n', end)
  return lineEnd === -1 ? base.length : lineEnd + 1
}
