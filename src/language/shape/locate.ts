import type { Span, YamlScalar } from '../yaml/yaml-tree.ts'

/**
 * Where a part of a scalar's value stands in the source. Quotes, escapes and folding make the two differ, so the part is looked
 * up as the same occurrence of the same characters; where that is not certain it is the whole scalar.
 */
export function locateInScalar(text: string, node: YamlScalar, start: number, end: number): Span {
  if (typeof node.value !== 'string' || end <= start) return node.mark
  const { value } = node
  const source = text.slice(node.start, node.end)
  // The header of a block scalar (`|2-`) is no part of its value; a quote is.
  const from = node.style === 'block' ? source.indexOf('\n') + 1 : 0
  const part = value.slice(start, end)
  if (part.includes('\n')) return locateFirstLine(text, node, start, part)
  const before = occurrences(value, part, start)
  const found = nthIndex(source, part, before.until, from)
  if (found === -1 || occurrences(source.slice(from), part, Infinity).all !== before.all) return node.mark
  return { start: node.start + found, end: node.start + found + part.length }
}

function locateFirstLine(text: string, node: YamlScalar, start: number, part: string): Span {
  const line = part.slice(0, part.indexOf('\n')).trimEnd()
  return line === '' ? node.mark : locateInScalar(text, node, start, start + line.length)
}

function occurrences(text: string, part: string, limit: number): { until: number; all: number } {
  let until = 0
  let all = 0
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    if (at < limit) until++
    all++
  }
  return { until, all }
}

function nthIndex(text: string, part: string, n: number, from: number): number {
  let at = text.indexOf(part, from)
  for (let index = 0; index < n && at !== -1; index++) at = text.indexOf(part, at + 1)
  return at
}
