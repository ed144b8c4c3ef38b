import { scanSql, type SqlToken } from '../../language/sql/scan-sql.ts'

interface TableEdit {
  /** New types, by the column's name in lower case. */
  types?: ReadonlyMap<string, string>
  /** Columns behind the last one; as SQL. */
  add?: readonly string[]
}

/** A `CREATE TABLE` in two parts: what stands before its columns, and the rest. */
export interface CreateTable {
  head: string
  body: string
}

/**
 * The same statement with other types of some columns, or with more columns. All else (checks, keys, defaults, collations, options) is as
 * it was written. Pure.
 */
export function editCreateTable(
  sql: string,
  dialect: 'sqlite' | 'duckdb',
  { types, add = [] }: TableEdit,
): CreateTable {
  const tokens = scanSql(sql, dialect).filter(({ kind }) => kind !== 'comment')
  const open = tokens.findIndex((token) => sql[token.start] === '(')
  const items = itemsOf(sql, tokens.slice(open + 1))
  const columns = items.filter((item) => !tableConstraint.test(wordOf(sql, item[0])))
  const changes: { from: number; to: number; text: string }[] = []
  for (const [column, ...rest] of columns) {
    const type = column && types?.get(unquoted(wordOf(sql, column)).toLowerCase())
    if (type === undefined || !column) continue
    const next = rest.findIndex((token) => columnConstraint.test(wordOf(sql, token)))
    const end = (next === -1 ? rest : rest.slice(0, next)).at(-1)?.end ?? column.end
    changes.push({ from: column.end, to: end, text: ` ${type}` })
  }
  const last = columns.at(-1)?.at(-1)?.end
  if (last !== undefined && add.length > 0)
    changes.push({ from: last, to: last, text: add.map((one) => `, ${one}`).join('') })
  const start = tokens[open]?.start ?? sql.length
  let body = ''
  let at = start
  for (const { from, to, text } of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    body += sql.slice(at, from) + text
    at = to
  }
  return { head: sql.slice(0, start), body: body + sql.slice(at) }
}

/** What the outermost brackets hold, parted by commas. */
function itemsOf(sql: string, tokens: readonly SqlToken[]): SqlToken[][] {
  const items: SqlToken[][] = [[]]
  let depth = 1
  for (const token of tokens) {
    if (token.kind === 'open') depth++
    if (token.kind === 'close') depth--
    if (depth === 0) break
    if (depth === 1 && sql[token.start] === ',') items.push([])
    else items.at(-1)?.push(token)
  }
  return items
}

const tableConstraint = /^(CONSTRAINT|PRIMARY|UNIQUE|CHECK|FOREIGN)$/i
const columnConstraint = /^(CONSTRAINT|PRIMARY|NOT|NULL|UNIQUE|CHECK|DEFAULT|COLLATE|REFERENCES|GENERATED|AS|USING)$/i

function wordOf(sql: string, token: SqlToken | undefined): string {
  return token ? sql.slice(token.start, token.end) : ''
}

function unquoted(word: string): string {
  const quote = word[0] ?? ''
  if (quote === '[') return word.slice(1, -1)
  return '"`\''.includes(quote) ? word.slice(1, -1).replaceAll(quote + quote, quote) : word
}
