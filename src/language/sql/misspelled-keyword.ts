import { nearest } from '../nearest.ts'
import type { SqlToken } from './scan-sql.ts'

/** Begin a part of a query. A misspelled one is read as an alias, so that databases complain about the word after it. */
const clauses = ['from', 'where', 'group', 'order', 'having', 'limit', 'join', 'union', 'qualify'] as const

/** Words of a query that are no names: what stands before or after one of them may stand there. */
const keywords = new Set(
  `all analyze and anti any array as asc asof at between both by case cast collate cross cube date default desc describe distinct
  else end escape except exclude exists false fetch filter first following for from full generated glob group grouping groups having
  ignore ilike in inner intersect interval into is isnull join lambda last lateral leading left like limit map materialized
  natural next not notnull null nulls offset on only or order ordinality outer over overlaps partition pivot positional preceding
  qualify range recursive repeatable replace respect returning right rollup row rows sample select semi sets similar some struct
  summarize symmetric table tablesample ties time timestamp to trailing true try_cast unbounded union unique unpivot using
  values when where window with within without zone`.split(/\s+/),
)

export interface Misspelled {
  token: SqlToken
  keyword: string
}

/**
 * A name between two values, with no comma, operator or keyword on either side, that is nearly a keyword: `SELECT * FORM stream`.
 * No query has such a name, whatever its tables and columns are called.
 */
export function misspelledKeyword(sql: string, code: readonly SqlToken[]): Misspelled | null {
  const words = code.map((token) => (token.kind === 'word' ? sql.slice(token.start, token.end).toLowerCase() : null))
  const isName = (at: number) => words[at] !== null && words[at] !== undefined && !keywords.has(words[at])
  const isNumber = (at: number) => /^[0-9]/.test(sql.slice(code[at]?.start, code[at]?.end))
  const isValue = (at: number) => isName(at) || isNumber(at) || code[at]?.kind === 'quoted' || code[at]?.kind === 'bind'
  const isStar = (at: number) => code[at]?.kind === 'symbol' && sql[code[at].start] === '*' && !endsValue(at - 1)
  function endsValue(at: number): boolean {
    return isValue(at) || code[at]?.kind === 'close' || isStar(at)
  }
  for (const [at, token] of code.entries()) {
    if (!isName(at) || !endsValue(at - 1)) continue
    const keyword = nearest(words[at] ?? '', clauses)
    if (keyword === null) continue
    const withBy = words[at + 1] === 'by' && (keyword === 'group' || keyword === 'order')
    if (withBy || isValue(at + 1)) return { token, keyword: keyword.toUpperCase() }
  }
  return null
}
