import type { Column } from '../../contract/common.ts'

/** Names of columns; `nested`: with those of the fields inside of them, as `address.city`. */
export function columnNames(columns: readonly Column[], nested: boolean): string[] {
  return columns.flatMap(({ name, type }) => [name, ...(nested ? fieldNames(name, type) : [])])
}

/** The fields of the structures in one of DuckDB's types, such as `STRUCT(city VARCHAR, "zip code" INTEGER)[]`. */
function fieldNames(column: string, type: string): string[] {
  const found: string[] = []
  // What is open: a structure with the path of its current field, or other parentheses.
  const open: { path: string; field: string | null; isStruct: boolean }[] = []
  for (const [token] of type.matchAll(/"(?:[^"]|"")*"|[A-Za-z_]\w*\(|[(),]|[^\s"(),]+/g)) {
    const last = open.at(-1)
    if (token.endsWith('(')) {
      open.push({ path: pathOf(last, column), field: null, isStruct: token.endsWith('STRUCT(') })
    } else if (token === ')') open.pop()
    else if (token === ',') {
      if (last) last.field = null
    } else if (last?.isStruct === true && last.field === null) {
      last.field = token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token
      found.push(pathOf(last, column))
    }
  }
  return found
}

function pathOf(place: { path: string; field: string | null } | undefined, column: string): string {
  if (!place) return column
  return place.field === null ? place.path : `${place.path}.${place.field}`
}
