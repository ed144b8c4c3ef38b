/** What is shown of a failed query. Pure. */
import type { ErrorDetail } from '../../../contract/errors.ts'
import { nearest } from '../../../language/nearest.ts'
import { scanSql, type SqlDialect } from '../../../language/sql/scan-sql.ts'

type Range = { from: number; to: number }
type Mistake = Range & { message: string }
type Detail = Pick<ErrorDetail, 'message' | 'params' | 'line' | 'column'>
type Failed = { message: string; details: readonly Detail[] }

/** Where the connected system says what is wrong: that alone, as it stands beside its connector, and what to do. null: it doesn’t. */
export function causeOf({ message, details }: Failed): { cause: string; advice: string } | null {
  const [detail] = details
  const cause = detail?.params['cause']
  if (!detail || typeof cause !== 'string' || !message.startsWith(detail.message)) return null
  return { cause, advice: message.slice(detail.message.length).replace(/^[.\s]+/, '') }
}

/** What systems name where they can’t read on; what is there several times could be any of them. */
const unreadable = /near ["'](.+?)["'](?: at line|:|$)/m
/** How they name what isn’t there, the nearest first: it isn’t, wherever the query names it. */
const missing = [/["']([^"']+)["']/, /no such \w+: (\S+)/, /(?:name|column|function) ([\w.]+)/i]

/** What the system can't find: a column, by its own words. */
const missingColumn = /\bcolumns?\b/i

/** The columns of each table that the query names, what was probably meant first. Empty where no column is missing. */
export function columnsInstead(
  { cause, query }: { cause: string; query: string },
  schema: Readonly<Record<string, readonly string[]>>,
): { table: string; columns: string[] }[] {
  const place = missingColumn.test(cause) ? placeOf(cause, query) : null
  if (!place) return []
  return Object.entries(schema).flatMap(([table, columns]) => {
    const meant = nearest(query.slice(place.from, place.to), columns)
    const others = columns.filter((column) => column !== meant)
    return columns.length === 0 ? [] : [{ table, columns: meant === null ? others : [meant, ...others] }]
  })
}

/** Where in the query the word is that the system names, from 0. null: it names none, or it could be several. */
export function placeOf(cause: string, query: string, dialect: SqlDialect = 'duckdb'): Range | null {
  const near = unreadable.exec(cause)?.[1]
  const word = near ?? missing.map((pattern) => pattern.exec(cause)?.[1]).find((found) => found !== undefined)
  if (word === undefined) return null
  const escaped = (word.split('.').at(-1) || word).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const found = [...query.matchAll(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g'))]
  const [first, second] = near === undefined ? found.filter(({ index }) => isRead(query, index, dialect)) : found
  if (!first || (near !== undefined && second)) return null
  return { from: first.index, to: first.index + first[0].length }
}

/** Not in a text or a comment, and not a name that is given there. */
function isRead(query: string, at: number, dialect: SqlDialect): boolean {
  const token = scanSql(query, dialect).find(({ end }) => end > at)
  const isText = token?.kind === 'comment' || (token?.kind === 'quoted' && query[token.start] === "'")
  return !isText && !/\bas\s+["`]?$/i.test(query.slice(0, at))
}

/** The word at a place that is counted from 1; behind the end it is the last one. */
function wordAt(query: string, line: number, column: number): Range {
  const lines = query.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, column - 1)
  const from = start < query.trimEnd().length ? start : Math.max(0, query.trimEnd().search(/\S+$/))
  const [word = ''] = /^["`]?[\p{L}\p{N}_]+["`]?|^./su.exec(query.slice(from)) ?? []
  return { from, to: from + word.length }
}

/** What of the editor’s text was run, and where it begins there. */
export interface Ran {
  text: string
  from: number
}

/** Where in the editor’s text the mistake is, with what the system says; null where nothing tells a place. */
export function mistakeOf(error: Error & Partial<Failed>, ran: Ran, dialect?: SqlDialect): Mistake | null {
  const { message, details = [] } = error
  const said = causeOf({ message, details })?.cause
  const { line, column, message: told } = details.find((detail) => detail.line !== undefined) ?? {}
  const isExact = line !== undefined && column !== undefined
  const place = isExact ? wordAt(ran.text, line, column) : said === undefined ? null : placeOf(said, ran.text, dialect)
  return place && { from: ran.from + place.from, to: ran.from + place.to, message: said ?? told ?? message }
}
