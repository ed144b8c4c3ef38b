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
