/** What a written statement touches, as a query that counts it: the statement itself is not run for that. Pure. */
import type { Message } from '../../../contract/messages.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { type SqlDialect, type SqlToken, scanSql } from '../../../language/sql/scan-sql.ts'

export type RawWrite =
  /** `count`: SQL that gives the number, or the number where the statement itself says it. `target`: the table, as written. */
  { sql: string; count: string | number; target: string } | { refused: Message }

interface Word {
  text: string
  token: SqlToken
}

const verbs: ReadonlySet<string> = new Set(['insert', 'update', 'delete'])
const writing = new Set(['insert', 'update', 'delete', 'merge', 'truncate', 'drop', 'alter', 'create'])

export function rawWrite(text: string, dialect: SqlDialect): RawWrite {
  const scanned = scanSql(text, dialect)
  if (dialect === 'mysql' && scanned.some((token) => token.kind === 'comment' && /^\/\*M?!/.test(at(text, token))))
    return { refused: runMessage('executed_comments_refused') }
  const code = scanned.filter(({ kind }) => kind !== 'comment')
  if (code.at(-1)?.kind === 'semicolon') code.pop()
  const last = code.at(-1)
  if (!last || code.some(({ kind }) => kind === 'semicolon')) return { refused: runMessage('single_statement_only') }
  const sql = text.slice(0, last.end)
  const top = topWords(sql, code)
  const first = top[0]?.text
  const verb = top.find((word, index) => verbs.has(word.text) && (index === 0 || first === 'with'))
  if (!verb || (first !== 'with' && first !== verb.text)) return { refused: runMessage('change_begins_with') }
  const before = code.filter((token) => token.end <= verb.token.start)
  if (before.some((token) => token.kind === 'word' && writing.has(at(sql, token).toLowerCase())))
    return { refused: runMessage('change_not_countable', { part: 'WITH' }) }
  const words = top.slice(top.indexOf(verb))
  const returning = words.find((word) => word.text === 'returning')
  const end = returning?.token.start ?? sql.length
  const inside = words.filter((word) => word.token.start < end)
  const parts: Parts = { sql, prefix: sql.slice(0, verb.token.start), words: inside, code, end, dialect }
  const counted = verb.text === 'insert' ? countInsert(parts) : countTouched(parts, verb.text)
  if (typeof counted === 'object') return { refused: counted }
  const place = verb.text === 'update' ? verb : words[1]
  return { sql, count: counted, target: nameAfter(sql, code, place?.token.end ?? 0) }
}

/** `schema.table` after INTO, FROM, or UPDATE. */
function nameAfter(sql: string, code: readonly SqlToken[], start: number): string {
  const [first, dot, second] = code.filter((token) => token.start >= start)
  const end = dot && second && at(sql, dot) === '.' ? second.end : first?.end
  return sql.slice(start, end).trim()
}

interface Parts {
  sql: string
  /** What stands before the verb: WITH. */
  prefix: string
  /** Words outside of brackets, from the verb on. */
  words: Word[]
  code: SqlToken[]
  end: number
  dialect: SqlDialect
}

const at = (sql: string, token: SqlToken): string => sql.slice(token.start, token.end)

function topWords(sql: string, code: readonly SqlToken[]): Word[] {
  let depth = 0
  const words: Word[] = []
  for (const token of code) {
    if (token.kind === 'open') depth++
    else if (token.kind === 'close') depth--
    else if (token.kind === 'word' && depth === 0) words.push({ text: at(sql, token).toLowerCase(), token })
  }
  return words
}

const refused = (part: string): Message => runMessage('change_not_countable', { part })

function countTouched({ sql, prefix, words, end, dialect }: Parts, verb: string): string | Message {
  const isDelete = verb === 'delete'
  const [, second] = words
  if (isDelete && second?.text !== 'from') return refused(`DELETE ${second?.text.toUpperCase() ?? ''}`.trim())
  if (!isDelete && second && /^(or|ignore|low_priority)$/.test(second.text)) {
    return refused(`UPDATE ${second.text.toUpperCase()}`)
  }
  const set = isDelete ? second : words.find((word) => word.text === 'set')
  if (!set) return runMessage('change_begins_with')
  const after = words.slice(words.indexOf(set) + 1)
  // `IS DISTINCT FROM` begins no list of tables.
  const others = after.find(
    (word, index) => word.text === (isDelete ? 'using' : 'from') && after[index - 1]?.text !== 'distinct',
  )
  const where = after.find((word) => word.text === 'where')
  const limits = after.find((word) => /^(order|limit)$/.test(word.text))
  const starts = [others, where, limits].flatMap((word) => (word ? [word.token.start] : []))
  const stop = (from: number): number => Math.min(end, ...starts.filter((start) => start > from))
  const verbEnd = words[0]?.token.end ?? 0
  const target = isDelete ? sql.slice(set.token.end, stop(set.token.end)) : sql.slice(verbEnd, set.token.start)
  const targetEnd = isDelete ? stop(set.token.end) : set.token.start
  const joined = words.some(({ text, token }) => text === 'join' && token.start < targetEnd)
  if (joined || /,/.test(target.replace(/"[^"]*"|`[^`]*`/g, ''))) return refused('JOIN')
  if (others && (dialect === 'mysql' || limits)) return refused(others.text.toUpperCase())
  const condition = where ? sql.slice(where.token.end, stop(where.token.end)) : null
  if (!others) {
    const rest = [where, limits].flatMap((word) => (word ? [sql.slice(word.token.start, stop(word.token.start))] : []))
    // ORDER BY and LIMIT are two words of one end.
    const tail = limits ? sql.slice(limits.token.start, end) : ''
    return `${prefix}SELECT count(*) FROM (SELECT 1 AS one FROM ${target}\n${where ? rest[0] : ''}\n${tail}\n) AS counted`
  }
  const list = sql.slice(others.token.end, stop(others.token.end))
  return `${prefix}SELECT count(*) FROM ${target}\nWHERE EXISTS (SELECT 1 FROM ${list}\n${condition === null ? '' : `WHERE ${condition}`}\n)`
}

function countInsert({ sql, prefix, words, code, end }: Parts): string | number | Message {
  const [, into] = words
  if (into?.text !== 'into') return refused(`INSERT ${into?.text.toUpperCase() ?? ''}`.trim())
  const conflict = words.findIndex(
    (word, index) => word.text === 'on' && /^(conflict|duplicate)$/.test(words[index + 1]?.text ?? ''),
  )
  if (conflict >= 0) return refused(`ON ${words[conflict + 1]?.text.toUpperCase() ?? ''}`)
  const start = words.slice(2).find((word) => /^(values?|select|table|with|default|set)$/.test(word.text))
  if (!start) return refused('INSERT')
  if (start.text === 'default' || start.text === 'set') return 1
  if (!start.text.startsWith('value'))
    return `${prefix}SELECT count(*) FROM (${sql.slice(start.token.start, end)}\n) AS counted`
  return countRows(code.filter((token) => token.start >= start.token.end && token.end <= end))
}

/** Rows of `VALUES (…), (…)`. */
function countRows(code: readonly SqlToken[]): number | Message {
  let depth = 0
  let rows = 0
  for (const token of code) {
    if (token.kind === 'open') rows += depth++ === 0 ? 1 : 0
    else if (token.kind === 'close') depth--
    else if (depth === 0 && token.kind === 'word' && rows > 0) return refused('VALUES')
  }
  return rows
}
