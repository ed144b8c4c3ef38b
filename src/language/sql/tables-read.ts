import type { SqlToken } from './scan-sql.ts'

const queryStarts = new Set(['select', 'with', 'from', 'values', 'table', 'pivot', 'unpivot', 'summarize', 'describe'])
/** A table follows the first word of the query. */
const tableStarts = new Set(['table', 'pivot', 'unpivot', 'summarize', 'describe'])
const clauseStarts = new Set(
  'select where group order having limit offset qualify window union intersect except using sample values'.split(' '),
)

/** What brackets hold, and where in it we are. */
interface Level {
  isQuery: boolean
  inFrom: boolean
  /** A table comes next. */
  expects: boolean
}

/**
 * Tables that DuckDB's SQL reads by a plain name, behind FROM, JOIN or a comma between them, without those that it makes in WITH. What
 * is qualified, a function or a file is left to the database.
 */
export function tablesRead(sql: string, code: readonly SqlToken[]): { name: string; token: SqlToken }[] {
  const textOf = (at: number): string => sql.slice(code[at]?.start, code[at]?.end)
  const wordAt = (at: number): string => (code[at]?.kind === 'word' ? textOf(at).toLowerCase() : '')
  const nameAt = (at: number): string | null =>
    code[at]?.kind === 'word'
      ? textOf(at)
      : textOf(at).startsWith('"')
        ? textOf(at).slice(1, -1).replaceAll('""', '"')
        : null
  const isQueryAt = (at: number): boolean => queryStarts.has(wordAt(at)) || (textOf(at) === '(' && isQueryAt(at + 1))
  const made = new Set(commonTables())
  const found: { name: string; token: SqlToken }[] = []
  const top: Level = { isQuery: isQueryAt(0), inFrom: false, expects: tableStarts.has(wordAt(0)) }
  const levels = [top]
  for (const [at, token] of code.entries()) {
    const level = levels.at(-1) ?? top
    const word = wordAt(at)
    if (token.kind === 'open') {
      const isQuery = isQueryAt(at + 1)
      // Brackets around joined tables.
      const isJoin = level.expects && !isQuery
      levels.push({ isQuery, inFrom: isJoin, expects: isJoin })
      level.expects = false
    } else if (token.kind === 'close') {
      if (levels.length > 1) levels.pop()
    } else if (word === 'from' && level.isQuery && !isDistinctFrom(at))
      Object.assign(level, { inFrom: true, expects: true })
    else if (clauseStarts.has(word)) Object.assign(level, { inFrom: level.inFrom && word === 'using', expects: false })
    else if ((word === 'join' || textOf(at) === ',') && level.inFrom) level.expects = true
    else if (level.expects && word !== 'lateral' && !(at === 0 && level === top)) {
      // `alias: table`
      if (textOf(at) === ':' || textOf(at + 1) === ':') continue
      level.expects = false
      const name = nameAt(at)
      if (name !== null && !['.', '('].includes(textOf(at + 1)) && !made.has(name.toLowerCase()))
        found.push({ name, token })
    }
  }
  return found

  function isDistinctFrom(at: number): boolean {
    return wordAt(at - 1) === 'distinct' && ['is', 'not'].includes(wordAt(at - 2))
  }

  /** `name AS (`, `name (a, b) AS MATERIALIZED (` */
  function* commonTables(): Generator<string> {
    for (const at of code.keys()) {
      if (wordAt(at) !== 'as') continue
      let body = at + 1
      while (['not', 'materialized'].includes(wordAt(body))) body++
      if (textOf(body) !== '(') continue
      let named = at - 1
      if (code[named]?.kind === 'close') {
        while (named > 0 && code[named]?.kind !== 'open') named--
        named--
      }
      const name = nameAt(named)
      if (name !== null) yield name.toLowerCase()
    }
  }
}
