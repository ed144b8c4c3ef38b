/** JSON of which no digit is lost. Pure. */

/** A number that JavaScript would write in another way: what stands in the text. */
export class WrittenNumber {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** What the engine tells a reviver of the text; the types do not know it yet. */
type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown
const exact: Reviver = (_, value, context) =>
  typeof value === 'number' && context?.source !== undefined && context.source !== JSON.stringify(value)
    ? new WrittenNumber(context.source)
    : value

/** Throws where the text is no JSON. */
export const parseExact = (json: string): unknown => JSON.parse(json, exact)

/** Something with values inside. Rows are maps, so that their columns keep their order whatever their names. */
export const isBranch = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof WrittenNumber)

export function entriesOf(value: object): [string | number, unknown][] {
  if (value instanceof Map) return [...(value as Map<string, unknown>)]
  return Array.isArray(value) ? value.map((inner, at): [number, unknown] => [at, inner]) : Object.entries(value)
}

/** The value as JSON, with the digits as they stood. */
export function writeExact(value: unknown, indent = '', step = '  '): string {
  if (value instanceof WrittenNumber) return value.text
  if (!isBranch(value)) return JSON.stringify(value) ?? 'null'
  const entries = entriesOf(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  if (entries.length === 0) return open + close
  const inner = indent + step
  const lines = entries.map(([key, one]) => {
    const text = writeExact(one, inner, step)
    return isList ? inner + text : `${inner}${JSON.stringify(String(key))}: ${text}`
  })
  return `${open}\n${lines.join(',\n')}\n${indent}${close}`
}
