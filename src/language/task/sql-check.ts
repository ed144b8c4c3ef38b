import { suggest } from '../nearest.ts'
import { locateInScalar } from '../shape/locate.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import { misspelledKeyword } from '../sql/misspelled-keyword.ts'
import { scanSql, type SqlToken } from '../sql/scan-sql.ts'
import { tablesRead } from '../sql/tables-read.ts'
import type { YamlScalar } from '../yaml/yaml-tree.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

/** `expression`: scalar SQL; `statement`: whatever the database does. Else the words a query may start with. */
export type SqlForm = 'expression' | 'statement' | readonly string[]

/** Where one begins and ends is the task's own part. */
const transactionWords = new Set(['begin', 'start', 'commit', 'end', 'rollback', 'abort', 'savepoint', 'release'])
/** Bodies of these hold statements of their own, each with its `;`. */
const withBody = /^create\b[^;(]*?\b(trigger|procedure|function|event|package)\b/i

export const MAX_SQL = 100_000
const MAX_BINDS_REPORTED = 20
const MAX_TABLES_REPORTED = 20

/** The checks of one SQL text; holds what all of them need. */
export class SqlCheck {
  private readonly node: YamlScalar
  private readonly sql: string
  private readonly path: string
  private readonly context: ReadContext
  private readonly tokens: SqlToken[]
  private usable = true

  constructor(node: YamlScalar, sql: string, path: string, context: ReadContext) {
    this.node = node
    this.sql = sql
    this.path = path
    this.context = context
    this.tokens = sql.length <= MAX_SQL ? scanSql(sql, context.dialect) : []
  }

  read(form: SqlForm, ofPipeline: boolean): string | undefined {
    if (this.sql.trim() === '' || this.sql.length > MAX_SQL) {
      const empty = this.sql.length <= MAX_SQL
      this.fail(
        'wrong_length',
        empty ? msg('sql_empty') : msg('sql_too_long', { limit: MAX_SQL }),
        empty ? msg('write_or_remove_key') : msg('shorten'),
        0,
        0,
      )
      return undefined
    }
    if (!this.refuseExpressions()) return undefined
    this.checkClosed()
    const code = this.tokens.filter((token) => token.kind !== 'comment')
    const end = this.checkOneStatement(code, form)
    this.checkStart(code, form)
    if (form !== 'statement') this.checkKeywords(code)
    if (ofPipeline) this.checkTables(code, form)
    this.checkBinds()
    if (!this.usable) return undefined
    if (form !== 'statement') this.keep(form === 'expression')
    const sql = this.sql.slice(0, end).trim()
    // What is put after it must not become part of a closing line comment.
    return this.tokens.findLast((token) => token.start < end)?.kind === 'comment' ? `${sql}\n` : sql
  }

  /** For DuckDB's own parser, which only executors have. */
  private keep(expression: boolean): void {
    const { node, sql, path, context } = this
    if (context.dialect !== 'duckdb') return
    context.sqlParts?.push({
      sql,
      expression,
      path,
      span: (start, end) => locateInScalar(context.text, node, start, end),
    })
  }

  private fail(
    code: Parameters<ReadContext['report']>[0]['code'],
    message: Message,
    hint: Message,
    start: number,
    end: number,
  ): void {
    this.usable = false
    this.context.report({
      code,
      message,
      hint,
      path: this.path,
      at: locateInScalar(this.context.text, this.node, start, end),
    })
  }

  private refuseExpressions(): boolean {
    const match =
      /\$\{\{\s*(?:args\.)?([A-Za-z_]\w*)?[^}]*(?:\}\})?|\{\{\s*(?:args|run|state|outputs|tasks|parameters)\.(\w+)\s*\}\}/.exec(
        this.sql,
      )
    if (!match) return true
    const name = match[1] ?? match[2]
    this.fail(
      'expression_in_sql',
      msg('expression_in_sql'),
      name === undefined
        ? msg('bind_argument')
        : this.context.binds.includes(name)
          ? msg('bind_name', { name })
          : msg('bind_param', { name }),
      match.index,
      match.index + match[0].length,
    )
    return false
  }

  private checkClosed(): void {
    const partners: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
    const open: SqlToken[] = []
    for (const token of this.tokens) {
      const what = this.sql[token.start] ?? ''
      if (!token.closed) this.unclosed(token, token.kind === 'comment' ? msg('comment_open') : msg('quote_open'))
      else if (token.kind === 'open') open.push(token)
      else if (token.kind === 'close') {
        const opener = open.pop()
        if (opener && this.sql[opener.start] === partners[what]) continue
        this.unclosed(token, msg('bracket_unopened', { bracket: what, partner: partners[what] ?? '' }))
        return
      }
    }
    const [left] = open
    if (left && this.usable) this.unclosed(left, msg('bracket_open', { bracket: this.sql[left.start] ?? '' }))
  }

  private unclosed(token: SqlToken, message: Message): void {
    this.fail('sql_unclosed', message, msg('close_sql'), token.start, Math.min(token.end, token.start + 20))
  }

  /** Offset where the statement ends. */
  private checkOneStatement(code: SqlToken[], form: SqlForm): number {
    const expression = form === 'expression'
    if (form === 'statement' && withBody.test(this.sql.slice(code[0]?.start ?? 0))) return this.sql.length
    const index = code.findIndex((token) => token.kind === 'semicolon')
    const semicolon = code[index]
    if (!semicolon) return this.sql.length
    const further = code.slice(index + 1).find((token) => token.kind !== 'semicolon')
    if (further || expression) {
      const at = further ?? semicolon
      this.fail(
        'sql_several_statements',
        expression ? msg('sql_expression_with_semicolon') : msg('one_statement_only'),
        expression
          ? msg('remove_semicolon')
          : form === 'statement'
            ? msg('write_statement_list')
            : msg('remove_rest_or_add_step'),
        at.start,
        at.end,
      )
    }
    return semicolon.start
  }

  private checkStart(code: SqlToken[], form: SqlForm): void {
    const first = code[0]
    if (!first || !this.usable) return
    const word = this.sql.slice(first.start, first.end)
    const lower = word.toLowerCase()
    if (form === 'expression') {
      if (lower !== 'select' && lower !== 'where' && lower !== 'from' && lower !== 'with') return
      const hint: Message = lower === 'where' ? msg('remove_where') : msg('use_sql_step')
      this.fail('sql_not_an_expression', msg('sql_not_an_expression', { word }), hint, first.start, first.end)
      return
    }
    if (form === 'statement') {
      if (!transactionWords.has(lower)) return
      const hint: Message = msg('remove_transaction')
      this.fail('sql_transaction', msg('sql_transaction', { word }), hint, first.start, first.end)
      return
    }
    if (form.includes(lower) || word === '(') return
    this.fail(
      'sql_not_a_query',
      msg('sql_not_a_query', { word: word.slice(0, 40) }),
      msg('write_select'),
      first.start,
      first.end,
    )
  }

  private checkKeywords(code: SqlToken[]): void {
    if (!this.usable || this.context.dialect !== 'duckdb') return
    const found = misspelledKeyword(this.sql, code)
    if (!found) return
    const { start, end } = found.token
    this.fail(
      'sql_misspelled_keyword',
      msg('sql_misspelled_keyword', { word: this.sql.slice(start, end) }),
      msg('did_you_mean', { near: found.keyword }),
      start,
      end,
    )
  }

  /** The database says the same of each, but only when the step's turn comes. */
  private checkTables(code: SqlToken[], form: SqlForm): void {
    if (!this.usable) return
    const known = form === 'expression' ? [] : ['stream', ...this.context.inputs]
    const isKnown = (table: string): boolean => known.some((one) => one.toLowerCase() === table.toLowerCase())
    const unknown = tablesRead(this.sql, code).filter(({ name }) => !isKnown(name))
    for (const { name, token } of unknown.slice(0, MAX_TABLES_REPORTED)) {
      const hint = form === 'expression' ? msg('expression_reads_no_table') : suggest(name, known, 'tables')
      this.fail('sql_unknown_table', msg('sql_unknown_table', { table: name }), hint, token.start, token.end)
    }
  }

  /** Each name is reported once. */
  private checkBinds(): void {
    const reported = new Set<string>()
    for (const token of this.tokens) {
      if (token.kind !== 'positional' && token.kind !== 'bind') continue
      if (reported.size >= MAX_BINDS_REPORTED) return
      const written = this.sql.slice(token.start, token.end)
      if (reported.has(written)) continue
      if (token.kind === 'positional') {
        reported.add(written)
        this.fail(
          'positional_bind',
          msg('positional_bind', { parameter: written }),
          msg('write_bind'),
          token.start,
          token.end,
        )
      }
      const name = written.slice(1)
      if (token.kind !== 'bind' || this.context.params.has(name)) continue
      if (this.context.binds.includes(name)) this.context.used.arguments.add(name)
      else {
        reported.add(written)
        this.unknownBind(name, token)
      }
    }
  }

  private unknownBind(name: string, token: SqlToken): void {
    const { binds } = this.context
    const hint: Message = this.context.dashboard
      ? msg('add_under_params', { name })
      : binds.length === 0
        ? msg('add_under_args_or_blank', { name })
        : suggest(
            `:${name}`,
            binds.map((bind) => `:${bind}`),
            'names',
          )
    this.fail('unknown_bind', msg('unknown_bind', { name }), hint, token.start, token.end)
  }
}
