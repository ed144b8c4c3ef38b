import type { Message } from '../../language/message.ts'
import type { Column } from '../../contract/common.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import { isMinusZero } from '../engine/changes.ts'
import { name, text } from '../engine/sql-text.ts'

/** What a type of DuckDB is made of, read from its name. */
export type TypeParts =
  | { kind: 'scalar' }
  | { kind: 'list'; item: string }
  | { kind: 'map'; key: string; value: string }
  | { kind: 'struct'; fields: { name: string; type: string }[] }

/** Unions and what else has parts count as scalars. */
export function partsOf(type: string): TypeParts {
  const list = /^(.*)\[\d*\]$/s.exec(type)
  if (list) return { kind: 'list', item: list[1] ?? '' }
  const inner = /^(?:STRUCT|MAP)\((.*)\)$/s.exec(type)?.[1]
  if (inner === undefined) return { kind: 'scalar' }
  const parts = split(inner)
  if (type.startsWith('MAP')) return { kind: 'map', key: parts[0] ?? '', value: parts[1] ?? '' }
  return {
    kind: 'struct',
    fields: parts.map((part) => {
      const [whole, quoted, plain] = /^(?:"((?:[^"]|"")*)"|(\S+)) /.exec(part) ?? ['', '', '']
      return { name: quoted?.replaceAll('""', '"') ?? plain ?? '', type: part.slice(whole.length) }
    }),
  }
}

/**
 * SQL: whether the test is true of a value, or of any value inside of it; null where no type in there has a test. `test`: SQL over a
 * scalar of a type.
 */
export function anyInside(
  type: string,
  value: string,
  test: (type: string, value: string) => string | null,
  depth = 0,
): string | null {
  const parts = partsOf(type)
  const item = `item_${depth}`
  const among = (list: string, inner: string | null): string | null =>
    inner === null ? null : `len(list_filter(${list}, lambda ${item}: coalesce(${inner}, false))) > 0`
  switch (parts.kind) {
    case 'scalar':
      return test(type, value)
    case 'list':
      return among(`CAST(${value} AS ${parts.item}[])`, anyInside(parts.item, item, test, depth + 1))
    case 'map':
      return among(`map_values(${value})`, anyInside(parts.value, item, test, depth + 1))
    case 'struct': {
      const fields = parts.fields.flatMap(
        (field) => anyInside(field.type, `struct_extract(${value}, ${text(field.name)})`, test, depth) ?? [],
      )
      return fields.length === 0 ? null : `(${fields.map((field) => `coalesce(${field}, false)`).join(' OR ')})`
    }
  }
}

/** -0.0, also inside of lists and objects; no test where there is no floating point. */
export function minusZeroInside({ name: column, type }: Column, change: Message): ChangeTest[] {
  const when = anyInside(type, name(column), (of, value) =>
    of === 'DOUBLE' || of === 'FLOAT' ? isMinusZero(value) : null,
  )
  return when === null ? [] : [{ column, change, when }]
}

/** At commas that are in no brackets and no quotes. */
function split(types: string): string[] {
  const parts: string[] = []
  let depth = 0
  let from = 0
  for (let at = 0; at < types.length; at++) {
    const character = types[at]
    if (character === '"' || character === "'") at = types.indexOf(character, at + 1)
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === ',' && depth === 0) {
      parts.push(types.slice(from, at).trim())
      from = at + 1
    }
  }
  return [...parts, types.slice(from).trim()]
}
