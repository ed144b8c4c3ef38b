/** How quotes and comments are written; the rest of SQL does not matter here. */
export type SqlDialect = 'duckdb' | 'sqlite' | 'postgres' | 'mysql'

export type SqlTokenKind =
  /** Text, quoted names, dollar quotes, comments: nothing inside is touched. */
  | 'quoted'
  | 'comment'
  | 'bind'
  /** `$1` */
  | 'positional'
  | 'word'
  | 'semicolon'
  | 'open'
  | 'close'
  | 'symbol'

export interface SqlToken {
  kind: SqlTokenKind
  start: number
  end: number
  /** false: a quote or comment that nothing ends. */
  closed: boolean
}

/**
 * Splits SQL into what is quoted and what is not, in one pass. `:name` is a bind unless it follows something it would belong to
 * (`a[i:j]`, `{k:v}`, `x::text`), so binds stand after a blank, a bracket or an operator.
 */
export function scanSql(sql: string, dialect: SqlDialect): SqlToken[] {
  const tokens: SqlToken[] = []
  let at = 0
  while (at < sql.length) {
    const token = nextToken(sql, at, dialect)
    if (token) tokens.push(token)
    at = token ? token.end : at + 1
  }
  return tokens
}

function nextToken(sql: string, at: number, dialect: SqlDialect): SqlToken | null {
  const character = sql[at] ?? ''
  if (isBlank(character, dialect)) return null
  const quoted = readQuoted(sql, at, character, dialect) ?? readComment(sql, at, dialect)
  if (quoted) return quoted
  if (isWordStart(character)) return { kind: 'word', start: at, end: endOfWord(sql, at), closed: true }
  if (/[0-9]/.test(character)) return { kind: 'symbol', start: at, end: endOfWord(sql, at, inNumber), closed: true }
  if (character === ':') return readColon(sql, at)
  if (character === '$' && /[0-9]/.test(sql[at + 1] ?? '')) {
    return { kind: 'positional', start: at, end: endOfNumber(sql, at + 1), closed: true }
  }
  if (character === '?' && (dialect === 'mysql' || dialect === 'sqlite')) {
    return { kind: 'positional', start: at, end: endOfNumber(sql, at + 1), closed: true }
  }
  const kind =
    character === ';'
      ? 'semicolon'
      : '([{'.includes(character)
        ? 'open'
        : ')]}'.includes(character)
          ? 'close'
          : 'symbol'
  return { kind, start: at, end: at + 1, closed: true }
}

function readColon(sql: string, at: number): SqlToken {
  const symbol = (length: number): SqlToken => ({ kind: 'symbol', start: at, end: at + length, closed: true })
  const next = sql[at + 1] ?? ''
  if (next === ':') return symbol(2)
  if (!/[A-Za-z_]/.test(next) || belongsToWhatIsBefore(sql[at - 1])) return symbol(1)
  return { kind: 'bind', start: at, end: endOfBind(sql, at + 1), closed: true }
}

function belongsToWhatIsBefore(before: string | undefined): boolean {
  return before !== undefined && /[\p{L}\p{N}_$)\]}'"`:]/u.test(before)
}

/** DuckDB takes the blanks of Unicode for blanks, SQLite byte order marks; elsewhere they belong to names. */
function isBlank(character: string, dialect: SqlDialect): boolean {
  if (dialect === 'duckdb') return /\s/.test(character)
  return /[ \t\n\r\f\v]/.test(character) || (dialect === 'sqlite' && character === '\ufeff')
}

/** Whatever is not ASCII belongs to names in every dialect: also signs and pictures. */
function isWordStart(character: string): boolean {
  return /[A-Za-z_\u0080-\uffff]/.test(character)
}

const inWord = /[\w$\u0080-\uffff]/
/** Also of tags of dollar quotes: a `$` begins or ends the quote. */
const inNumber = /[\w\u0080-\uffff]/

function endOfWord(sql: string, from: number, within = inWord): number {
  let at = from + 1
  while (at < sql.length && within.test(sql[at] ?? '')) at++
  return at
}

function endOfNumber(sql: string, from: number): number {
  let at = from
  while (at < sql.length && /[0-9]/.test(sql[at] ?? '')) at++
  return at
}

/** Bind names are identifiers of arguments: ASCII letters, digits and `_`. */
function endOfBind(sql: string, from: number): number {
  let at = from + 1
  while (at < sql.length && /[A-Za-z0-9_]/.test(sql[at] ?? '')) at++
  return at
}

function readQuoted(sql: string, at: number, character: string, dialect: SqlDialect): SqlToken | null {
  const mysql = dialect === 'mysql'
  // In MySQL a backslash escapes within both kinds of quotes, which are both text.
  if (character === "'" || character === '"') return closing(sql, at, at + 1, character, mysql)
  if ((character === 'E' || character === 'e') && sql[at + 1] === "'" && dialect !== 'sqlite' && !mysql) {
    return readEscaped(sql, at)
  }
  if ((dialect === 'sqlite' || mysql) && character === '`') return closing(sql, at, at + 1, '`', false)
  if (dialect === 'sqlite' && character === '[') {
    const end = sql.indexOf(']', at)
    return { kind: 'quoted', start: at, end: end === -1 ? sql.length : end + 1, closed: end !== -1 }
  }
  if (dialect !== 'sqlite' && !mysql && character === '$') return readDollarQuote(sql, at)
  return null
}

function closing(sql: string, start: number, from: number, quote: string, backslashes: boolean): SqlToken {
  for (let at = from; at < sql.length; at++) {
    if (backslashes && sql[at] === '\\') at++
    else if (sql[at] === quote) {
      if (sql[at + 1] !== quote) return { kind: 'quoted', start, end: at + 1, closed: true }
      at++
    }
  }
  return { kind: 'quoted', start, end: sql.length, closed: false }
}

/** `E'…'` goes on in the next text after a line break, with backslashes that escape there, too. */
function readEscaped(sql: string, start: number): SqlToken {
  let from = start + 2
  for (;;) {
    const token = closing(sql, start, from, "'", true)
    const next = token.closed ? continuedAt(sql, token.end) : null
    if (next === null) return token
    from = next + 1
  }
}

/** Where the text goes on: behind blanks and comments with a line break among them. */
function continuedAt(sql: string, from: number): number | null {
  let at = from
  let hasBreak = false
  for (;;) {
    const comment = sql.startsWith('--', at) ? readComment(sql, at, 'postgres') : null
    if (comment) at = comment.end
    else if (/\s/.test(sql[at] ?? '')) {
      hasBreak ||= /[\n\r]/.test(sql[at] ?? '')
      at++
    } else return hasBreak && sql[at] === "'" ? at : null
  }
}

function readDollarQuote(sql: string, at: number): SqlToken | null {
  const tagEnd = isWordStart(sql[at + 1] ?? '') ? endOfWord(sql, at + 1, inNumber) : at + 1
  if (sql[tagEnd] !== '$') return null
  const tag = sql.slice(at, tagEnd + 1)
  const end = sql.indexOf(tag, tagEnd + 1)
  return { kind: 'quoted', start: at, end: end === -1 ? sql.length : end + tag.length, closed: end !== -1 }
}

function readComment(sql: string, at: number, dialect: SqlDialect): SqlToken | null {
  const mysql = dialect === 'mysql'
  // In MySQL `--` needs a blank or a control character after it: `5--2` is a sum.
  // oxlint-disable-next-line no-control-regex -- these are what MySQL looks for
  const dashes = sql.startsWith('--', at) && (!mysql || /^([\0-\x20\x7f]|$)/.test(sql.slice(at + 2, at + 3)))
  if (dashes || (mysql && sql[at] === '#')) {
    // For PostgreSQL and DuckDB the line ends with a CR, too.
    const end = endOfLine(sql, at, mysql || dialect === 'sqlite' ? /\n/g : /[\n\r]/g)
    return { kind: 'comment', start: at, end, closed: true }
  }
  if (!sql.startsWith('/*', at)) return null
  if (dialect === 'sqlite' || mysql) {
    const end = sql.indexOf('*/', at + 2)
    return { kind: 'comment', start: at, end: end === -1 ? sql.length : end + 2, closed: end !== -1 }
  }
  return readNestedComment(sql, at)
}

function endOfLine(sql: string, from: number, ending: RegExp): number {
  ending.lastIndex = from
  return ending.exec(sql)?.index ?? sql.length
}

/** PostgreSQL's and DuckDB's comments nest. */
function readNestedComment(sql: string, start: number): SqlToken {
  let depth = 1
  let at = start + 2
  while (at < sql.length && depth > 0) {
    if (sql.startsWith('/*', at)) {
      depth++
      at += 2
    } else if (sql.startsWith('*/', at)) {
      depth--
      at += 2
    } else at++
  }
  return { kind: 'comment', start, end: at, closed: depth === 0 }
}
