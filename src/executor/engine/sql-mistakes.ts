import type { DuckDBConnection } from '@duckdb/node-api'
import { collectDiagnostics } from '../../language/diagnostic-collector.ts'
import type { Diagnostic } from '../../language/diagnostics.ts'
import type { SqlPart } from '../../language/shape/shape.types.ts'
import { msg } from '../../language/messages.ts'
import { findBinds } from '../../language/sql-binds.ts'
import { openInstance } from './duckdb-instance.ts'
import { text } from './sql-text.ts'

/** Of an instance of its own, without tables: all it does is read SQL. It stays for the life of the worker. */
let parser: Promise<DuckDBConnection> | null = null
const connect = async () => (await openInstance()).connect()

/** What DuckDB's own parser cannot read, each with its place in the YAML. Nothing is looked up and nothing runs. */
export async function sqlMistakes(yaml: string, parts: readonly SqlPart[]): Promise<Diagnostic[]> {
  const found = collectDiagnostics(yaml)
  for (const part of parts) {
    const mistake = await mistakeIn(part.sql, part.expression)
    if (mistake === null) continue
    const { at, message } = mistake
    found.report({
      code: 'sql_syntax',
      message: msg('sql_syntax', { message }),
      hint: msg('check_word'),
      path: part.path,
      at: part.span(at, endOfWord(part.sql, at)),
    })
  }
  return found.list()
}

/** The first thing that DuckDB’s own parser can’t read, and its offset; null: it reads all. */
export async function mistakeIn(sql: string, isExpression = false): Promise<{ at: number; message: string } | null> {
  const before = isExpression ? 'SELECT ' : ''
  parser ??= connect()
  const answer = await (await parser).runAndReadAll(`SELECT json_serialize_sql(${text(before + withDollars(sql))})`)
  // DuckDB's own format of an answer.
  const tree = JSON.parse(String(answer.getRows()[0]?.[0])) as Record<
    'error_type' | 'error_message' | 'position',
    string
  >
  // What is no SELECT, such as PIVOT, is read by it as well, but has no tree.
  if (tree.error_type !== 'parser') return null
  return { at: offsetOf(sql, Number(tree.position ?? 0) - before.length), message: tree.error_message }
}

/** `$name` is what DuckDB reads where tasks have `:name`, and no longer: places stay what they are. */
function withDollars(sql: string): string {
  let written = sql
  for (const { start } of findBinds(sql)) written = `${written.slice(0, start)}$${written.slice(start + 1)}`
  return written
}

/** DuckDB counts characters, JavaScript halves of some of them. At the end of the text it is the last word. */
function offsetOf(sql: string, position: number): number {
  const at = [...sql].slice(0, Math.max(0, position)).join('').length
  return at < sql.length ? at : Math.max(0, sql.trimEnd().search(/\S+$/))
}

const endOfWord = (sql: string, at: number): number =>
  at + (/^[\p{L}\p{N}_]+|^./su.exec(sql.slice(at))?.[0].length ?? 0)
