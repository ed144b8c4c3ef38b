import type { Hover } from './hover.types.ts'
import type { JsonSchema } from '../shape/json-schema.ts'
import { entryOf, type Span, type YamlNode, type YamlScalar } from '../yaml/yaml-tree.ts'
import { alternatives, type Segment } from './schema-walk.ts'

export interface Found {
  path: Segment[]
  /** The cursor is on this key … */
  key?: Span
  /** … or in this value. */
  scalar?: YamlScalar
}

function within(span: Span, offset: number): boolean {
  return offset >= span.start && offset <= span.end
}

export function find(node: YamlNode, offset: number, path: Segment[]): Found | null {
  if (node.kind === 'scalar') return within(node, offset) ? { path, scalar: node } : null
  if (node.kind === 'list') {
    for (const [index, item] of node.items.entries()) {
      const found = within(item, offset) ? find(item, offset, [...path, index]) : null
      if (found) return found
    }
    return null
  }
  for (const entry of node.entries) {
    if (within(entry.keySpan, offset)) return { path: [...path, entry.key], key: entry.keySpan }
    const found = within(entry.value, offset) ? find(entry.value, offset, [...path, entry.key]) : null
    if (found) return found
  }
  return null
}

export function keysOf(root: YamlNode, path: readonly Segment[]): string[] {
  let node: YamlNode | undefined = root
  for (const segment of path) {
    if (node?.kind === 'list' && typeof segment === 'number') node = node.items[segment]
    else if (node?.kind === 'map' && typeof segment === 'string') node = entryOf(node, segment)?.value
    else return []
  }
  return node?.kind === 'map' ? node.entries.map((entry) => entry.key) : []
}

export function hoverValue(scalar: YamlScalar, schemas: JsonSchema[], name: string): Hover | null {
  for (const form of schemas.flatMap(alternatives)) {
    const index = form.enum?.indexOf(scalar.value) ?? -1
    const meaning = form['x-enum-descriptions']?.[index]
    if (meaning)
      return { markdown: `**${name}: ${String(scalar.value)}** — ${meaning}`, from: scalar.start, to: scalar.end }
  }
  return null
}
