import { scanSql, type SqlDialect, type SqlToken } from '../../language/sql/scan-sql.ts'
import type { Binds } from '../../language/task/task.types.ts'
import { EngineError } from '../engine/errors.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'

/** What a query that only reads is made of, as far as its text says it. */
export interface SqlOutline {
  /** Unquoted words in lower case, in order. */
  words: string[]
  /** Names before a bracket or last after a dot, quoted or not, in lower case: calls of functions, and more. */
  called: string[]
  comments: string[]
}

export function outlineOf(sql: string, dialect: SqlDialect): SqlOutline {
  const tokens = scanSql(sql, dialect)
  const written = (token: SqlToken): string => sql.slice(token.start, token.end)
  const code = tokens.filter(({ kind }) => kind !== 'comment')
  return {
    words: code.filter(({ kind }) => kind === 'word').map((token) => written(token).toLowerCase()),
    called: code.flatMap((token, at) => {
      const next = code[at + 1]
      const isName = token.kind === 'word' || (token.kind === 'quoted' && /^["`[]/.test(written(token)))
      const before = code[at - 1]
      const isCalled = next?.kind === 'open' && written(next) === '('
      // PostgreSQL calls f in `(x).f`, too.
      const isSelected = before !== undefined && written(before) === '.' && !(next && written(next) === '.')
      return isName && (isCalled || isSelected) ? [nameOf(written(token)).toLowerCase()] : []
    }),
    comments: tokens.filter(({ kind }) => kind === 'comment').map(written),
  }
}

function nameOf(written: string): string {
  const quote = written[0] ?? ''
  if (quote === '[') return written.slice(1, -1)
  return quote === '"' || quote === '`' ? written.slice(1, -1).replaceAll(quote + quote, quote) : written
}

/** Refuses a statement that begins with another word. */
export function mustBeginWith(allowed: readonly string[], { words }: SqlOutline): void {
  if (allowed.includes(words[0] ?? '')) return
  throw notAllowed(runMessage('query_begins_with', { allowed: allowed.map((word) => word.toUpperCase()) }))
}

export function refuseCalls(closed: RegExp, { called }: SqlOutline): void {
  const found = called.find((name) => closed.test(name))
  if (found !== undefined) throw notAllowed(runMessage('function_refused_in_query', { name: found }))
}

export function notAllowed(message: Message): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', message, {
    hint: runMessage('queries_only_read_use_task'),
  })
}

/** Every `:name` of a query must have a value; NULL is one. */
export function mustHaveValues(names: readonly string[], parameters: Binds): void {
  const missing = names.find((name) => !Object.hasOwn(parameters, name))
  if (missing === undefined) return
  throw new EngineError('SQL_INVALID', runMessage('bind_without_value', { name: missing }), {
    hint: runMessage('bind_without_value_fix'),
  })
}
