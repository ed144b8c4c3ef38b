import { type SqlDialect, type SqlToken, scanSql } from './scan-sql.ts'

/** A table that a statement names. */
export interface TableReference {
  access: 'read' | 'write'
  /** Without quotes; what stands before the dots first. */
  path: string[]
  /** Made for this connection alone. */
  temporary: boolean
  token: SqlToken
}

export interface StatementTables {
  tables: TableReference[]
  /** It also reads or writes what its text doesn't name: a function that makes rows, a procedure, a file. */
  hidden: boolean
}

const queryStarts = new Set(['select', 'with', 'from', 'values', 'table', 'pivot', 'unpivot', 'summarize', 'describe'])
/** A table follows the first word of the query. */
const tableStarts = new Set(['table', 'pivot', 'unpivot', 'summarize', 'describe'])
const clauseStarts = new Set(
  'select where group order having limit offset qualify window union intersect except using sample values'.split(' '),
)
/** Statements that change rows, and those that make or empty a table. */
const writingVerbs = new Set(['insert', 'replace', 'merge', 'update', 'delete', 'create', 'truncate', 'refresh'])
/** Between the verb and the table. */
const beforeTable = new Set(
  'only if not exists table view materialized concurrently low_priority ignore or rollback abort fail'.split(' '),
)
/** Between CREATE and TABLE or VIEW. */
const beforeTableKind = new Set(
  'or replace materialized unlogged external recursive temp temporary local global'.split(' '),
)
/** They move no rows from one table to another. */
const harmlessVerbs = new Set(
  'drop alter analyze vacuum set reset begin start commit end rollback savepoint release grant revoke comment pragma use explain lock unlock reindex optimize show checkpoint cluster'.split(
    ' ',
  ),
)
/** Table functions that make rows out of their arguments alone. */
const harmlessFunctions = new Set(
  'unnest range generate_series json_each json_tree repeat values json_table jsonb_array_elements json_array_elements jsonb_array_elements_text json_array_elements_text jsonb_each json_each_text jsonb_to_recordset json_to_recordset regexp_split_to_table string_to_table generate_subscripts'.split(
    ' ',
  ),
)

type Verb = 'query' | 'insert' | 'merge' | 'update' | 'delete' | 'create' | 'other'

/** What brackets hold, and where in it we are. */
interface Level {
  verb: Verb
  isQuery: boolean
  inFrom: boolean
  /** A table comes next, and what becomes of it. */
  expects: 'read' | 'write' | null
}

/**
 * The tables that one statement names: behind FROM, JOIN or a comma between them, and behind INTO, UPDATE and the like. What it makes in
 * WITH isn't among them. No database is asked: what its text doesn't say is `hidden`.
 */
export function tableReferences(sql: string, dialect: SqlDialect): StatementTables {
  const code = scanSql(sql, dialect).filter((token) => token.kind !== 'comment')
  const { tables, hidden } = referencesIn(sql, code, dialect)
  const [first] = code
  const verb = sql.slice(first?.start, first?.end).toLowerCase()
  const known = queryStarts.has(verb) || writingVerbs.has(verb) || harmlessVerbs.has(verb) || verb === '('
  return { tables, hidden: hidden || (first !== undefined && !known) }
}

/** As `tableReferences`, of the tokens of any SQL, without comments. */
export function referencesIn(sql: string, code: readonly SqlToken[], dialect: SqlDialect): StatementTables {
  const textOf = (at: number): string => sql.slice(code[at]?.start, code[at]?.end)
  const wordAt = (at: number): string => (code[at]?.kind === 'word' ? textOf(at).toLowerCase() : '')
  const queries = queryPlaces()
  const isQueryAt = (at: number): boolean => queries.has(at)
  const made = new Set(commonTables())
  const tables: TableReference[] = []
  let hidden = false
  const top = levelAt(0)
  const levels = [top]
  const temporary = top.verb === 'create' && code.slice(0, 5).some((_, at) => /^temp(orary)?$/.test(wordAt(at)))
  for (let at = 0; at < code.length; at++) {
    const level = levels.at(-1) ?? top
    const word = wordAt(at)
    const kind = code[at]?.kind
    if (kind === 'open') {
      const inner = levelAt(at + 1)
      // Brackets around joined tables.
      const isJoin = level.expects === 'read' && !inner.isQuery
      levels.push(isJoin ? { verb: 'query', isQuery: false, inFrom: true, expects: 'read' } : inner)
      level.expects = null
    } else if (kind === 'close') {
      if (levels.length > 1) levels.pop()
    } else if (startsVerb(at, level)) begin(level, verbOf(at))
    else if (word === 'into' && (level.verb === 'insert' || level.verb === 'merge')) level.expects = 'write'
    else if (word === 'as' && level.verb === 'create' && level.expects === null) Object.assign(level, query())
    else if (word === 'from' && level.verb === 'delete' && !level.inFrom)
      Object.assign(level, { inFrom: true, expects: 'write' })
    else if (word === 'using' && (level.verb === 'delete' || level.verb === 'merge') && !isColumnList(at + 1))
      Object.assign(level, { inFrom: true, expects: 'read' })
    else if (word === 'from' && level.isQuery && !isDistinctFrom(at))
      Object.assign(level, { inFrom: true, expects: 'read' })
    else if (word === 'set' && level.verb === 'update') Object.assign(level, { inFrom: false, expects: null })
    else if (level.verb === 'insert' && level.expects === null && queryStarts.has(word)) {
      Object.assign(level, query())
      at--
    } else if (clauseStarts.has(word)) Object.assign(level, { inFrom: level.inFrom && word === 'using', expects: null })
    else if ((word === 'join' || word === 'straight_join' || textOf(at) === ',') && level.inFrom) level.expects = 'read'
    else if (
      level.expects === 'write' &&
      (beforeTable.has(word) || beforeTableKind.has(word)) &&
      textOf(at + 1) !== '.'
    )
      continue
    else if (level.expects !== null && word !== 'lateral' && word !== 'only' && !(at === 0 && level === top)) {
      // `alias: table`
      if (textOf(at) === ':' || textOf(at + 1) === ':') continue
      at = named(at, level)
    }
  }
  return { tables, hidden }

  /** Where a query begins, brackets around it included. */
  function queryPlaces(): Set<number> {
    const found = new Set<number>()
    for (let at = code.length - 1; at >= 0; at--) {
      if (queryStarts.has(wordAt(at)) || (textOf(at) === '(' && found.has(at + 1))) found.add(at)
    }
    return found
  }

  /** Takes the name that begins here; where it ends. */
  function named(at: number, level: Level): number {
    const access = level.expects ?? 'read'
    level.expects = null
    if (access === 'write' && level.verb === 'update') Object.assign(level, { isQuery: true, inFrom: true })
    const path: string[] = []
    let last = at
    for (;;) {
      const name = nameAt(last)
      if (name === null) {
        // A file in quotes, or what a database alone understands.
        hidden ||= textOf(last) !== '('
        return last
      }
      path.push(name)
      if (textOf(last + 1) !== '.') break
      last += 2
    }
    if (access === 'read' && textOf(last + 1) === '(')
      hidden ||= !harmlessFunctions.has((path.at(-1) ?? '').toLowerCase())
    else if (path.length > 1 || access === 'write' || !made.has(path[0]?.toLowerCase() ?? '')) {
      const token = code[at]
      if (token) tables.push({ access, path, temporary: temporary && access === 'write', token })
    }
    return last
  }

  /** A name as the database understands it: PostgreSQL lowers what is not in quotes. */
  function nameAt(at: number): string | null {
    const text = textOf(at)
    if (code[at]?.kind === 'word') return dialect === 'postgres' ? text.toLowerCase() : text
    if (text.startsWith('"') && dialect !== 'mysql') return text.slice(1, -1).replaceAll('""', '"')
    if (text.startsWith('`') && code[at]?.kind === 'quoted') return text.slice(1, -1).replaceAll('``', '`')
    return text.startsWith('[') && code[at]?.kind === 'quoted' ? text.slice(1, -1) : null
  }

  function query(): Partial<Level> {
    return { verb: 'query', isQuery: true, inFrom: false, expects: null }
  }

  function levelAt(at: number): Level {
    const isQuery = isQueryAt(at)
    const verb = isQuery ? 'query' : verbOf(at)
    return { verb, isQuery, inFrom: false, expects: at === 0 && tableStarts.has(wordAt(0)) ? 'read' : null }
  }

  /** At the start of a statement, or behind its WITH. */
  function startsVerb(at: number, level: Level): boolean {
    const word = wordAt(at)
    if (!writingVerbs.has(word) || textOf(at + 1) === '(' || textOf(at + 1) === '.') return false
    if (at === 0 || code[at - 1]?.kind === 'open') return !level.isQuery && verbOf(at) !== 'other'
    return code[at - 1]?.kind === 'close' && level.isQuery && !level.inFrom && word !== 'replace'
  }

  function begin(level: Level, verb: Verb): void {
    const expects = verb === 'update' || verb === 'create' ? 'write' : null
    Object.assign(level, { verb, isQuery: false, inFrom: false, expects })
  }

  function verbOf(at: number): Verb {
    const word = wordAt(at)
    if (word === 'insert' || word === 'replace') return 'insert'
    if (word === 'merge' || word === 'update' || word === 'delete') return word
    // Emptied or filled from itself: like one that is made.
    if (word === 'truncate' || word === 'refresh') return 'create'
    return word === 'create' && makesTable(at) ? 'create' : 'other'
  }

  /** Not an index, a function or anything else that holds no rows. */
  function makesTable(at: number): boolean {
    for (let next = at + 1; next < at + 6; next++) {
      const word = wordAt(next)
      if (word === 'table' || word === 'view') return true
      if (!beforeTableKind.has(word)) return false
    }
    return false
  }

  function isColumnList(at: number): boolean {
    return textOf(at) === '(' && !isQueryAt(at)
  }

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
      let before = at - 1
      if (code[before]?.kind === 'close') {
        while (before > 0 && code[before]?.kind !== 'open') before--
        before--
      }
      const name = nameAt(before)
      if (name !== null) yield name.toLowerCase()
    }
  }
}
