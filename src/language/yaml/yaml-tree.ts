import type { Message } from '../message.ts'
import { msg } from '../messages.ts'
/** A YAML document as plain data with places: what every reader of the language walks. Aliases are already replaced. */

/** Offsets in UTF-16 code units, end exclusive. */
export interface Span {
  start: number
  end: number
}

export type ScalarValue = null | boolean | number | string

export interface YamlScalar extends Span {
  kind: 'scalar'
  value: ScalarValue
  style: 'plain' | 'quoted' | 'block'
  /** false: a whole number that JavaScript cannot hold exactly, so `value` is only near it. */
  exact: boolean
  /** What to underline when the node as a whole is at fault. */
  mark: Span
}

export interface YamlEntry {
  key: string
  keySpan: Span
  value: YamlNode
  /** Instead of `key`, which is what was meant. */
  written?: string
}

export interface YamlMap extends Span {
  kind: 'map'
  entries: YamlEntry[]
  mark: Span
}

export interface YamlList extends Span {
  kind: 'list'
  items: YamlNode[]
  mark: Span
}

export type YamlNode = YamlScalar | YamlMap | YamlList

export function entryOf(map: YamlMap, key: string): YamlEntry | undefined {
  return map.entries.find((entry) => entry.key === key)
}

/** How a node is called in a message: "a list", "text", "nothing". */
export function describeNode(node: YamlNode): Message {
  if (node.kind === 'map') return msg('a_map')
  if (node.kind === 'list') return msg('a_list')
  if (node.value === null) return msg('nothing')
  if (typeof node.value === 'string') return msg('text')
  if (typeof node.value === 'number') return msg('a_number')
  return msg('true_or_false')
}

/** A path's next part: `.name`, `["odd name"]` or `[3]`. */
export function joinPath(path: string, part: string | number): string {
  if (typeof part === 'number') return `${path}[${part}]`
  if (!/^[A-Za-z_][\w-]*$/.test(part)) return `${path}[${JSON.stringify(part)}]`
  return path === '' ? part : `${path}.${part}`
}
