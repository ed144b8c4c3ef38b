import type { Column } from '../../contract/common.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'
import { createNumbering } from '../../language/numbering.ts'

/** Names of columns; `nested`: with those of the fields inside of them, as `address.city`. */
export function columnNames(columns: readonly Column[], nested: boolean): string[] {
  return columns.flatMap(({ name, type }) => [name, ...(nested ? fieldNames(name, type) : [])])
}

/** Names in which no two are the same but for case: a second `a` is `a_1`, as DuckDB calls it in CSV. Empty ones stay. */
export function distinctNames(written: readonly string[]): string[] {
  const taken = new Set(written.map((column) => column.toLowerCase()))
  const seen = new Set<string>()
  const numbered = createNumbering((name) => taken.has(name.toLowerCase()), 1)
  return written.map((column) => {
    const isFirst = column === '' || !seen.has(column.toLowerCase())
    seen.add(column.toLowerCase())
    if (isFirst) return column
    const free = numbered(column)
    taken.add(free.toLowerCase())
    return free
  })
}

/** What was renamed; null: nothing. `place`: the file, and its sheet or line. Columns without a name count with `empty` only. */
export function renamedColumns(
  place: Message,
  written: readonly string[],
  names: readonly string[],
  { empty = false } = {},
): Message | null {
  const renamed = written.flatMap((column, at) => {
    const name = names[at]
    const isRenamed = name !== undefined && name !== column && (column === '' ? empty : name.startsWith(`${column}_`))
    return isRenamed
      ? [
          column === ''
            ? runMessage('column_named', { number: at + 1, name })
            : runMessage('column_renamed', { written: column, number: at + 1, name }),
        ]
      : []
  })
  if (renamed.length === 0) return null
  const more = renamed.length > 20 ? [runMessage('and_others')] : []
  return runMessage('columns_renamed', { place, renamed: [...renamed.slice(0, 20), ...more] })
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
