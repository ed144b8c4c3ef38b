import { suggest } from '../nearest.ts'
import { locateInScalar } from '../shape/locate.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import { misspelledKeyword } from '../sql/misspelled-keyword.ts'
import { scanSql, type SqlToken } from '../sql/scan-sql.ts'
import { tablesRead } from '../sql/tables-read.ts'
import type { YamlScalar } from '../yaml/yaml-tree.ts'

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
        empty ? 'The SQL is empty.' : `The SQL is longer than ${MAX_SQL} characters.`,
        empty ? 'Write it, or remove the key.' : 'Make it shorter.',
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
    message: string,
    hint: string,
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
      'Expressions do not stand inside SQL: values are bound, never spliced in.',
      name === undefined
        ? 'Write `:name` for an argument.'
        : `Write \`:${name}\`${this.context.binds.includes(name) ? '' : ', with its value under `params`'}.`,
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
      if (!token.closed)
        this.unclosed(token, `The ${token.kind === 'comment' ? 'comment' : 'quote'} that starts here is not closed.`)
      else if (token.kind === 'open') open.push(token)
      else if (token.kind === 'close') {
        const opener = open.pop()
        if (opener && this.sql[opener.start] === partners[what]) continue
        this.unclosed(token, `This \`${what}\` has no \`${partners[what] ?? ''}\` before it.`)
        return
      }
    }
    const [left] = open
    if (left && this.usable) this.unclosed(left, `This \`${this.sql[left.start] ?? ''}\` is not closed.`)
  }

  private unclosed(token: SqlToken, message: string): void {
    this.fail(
      'sql_unclosed',
      message,
      'Close it; a quote inside text is written twice.',
      token.start,
      Math.min(token.end, token.start + 20),
    )
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
        expression ? 'An SQL expression has no `;`.' : 'Only one statement can stand here.',
        expression
          ? 'Remove the `;`.'
          : form === 'statement'
            ? 'Write a list with one statement per item.'
            : 'Remove what follows the `;`, or make a step of it.',
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
      const hint =
        lower === 'where' ? 'Leave `WHERE` out.' : 'Use a `sql` step for a query, or put a subquery in brackets.'
      this.fail(
        'sql_not_an_expression',
        `\`${word}\` starts a clause, but one value is wanted here.`,
        hint,
        first.start,
        first.end,
      )
      return
    }
    if (form === 'statement') {
      if (!transactionWords.has(lower)) return
      const hint =
        'Remove it. Statements run in one transaction; kind `sql` has `transaction: false` for those that cannot.'
      this.fail(
        'sql_transaction',
        `\`${word}\` isn’t allowed: the task manages transactions.`,
        hint,
        first.start,
        first.end,
      )
      return
    }
    if (form.includes(lower) || word === '(') return
    this.fail(
      'sql_not_a_query',
      `\`${word.slice(0, 40)}\` does not start a query; only reading is allowed here.`,
      'Write one `SELECT`. Its target is set in another key.',
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
      `\`${this.sql.slice(start, end)}\` is not a keyword of SQL.`,
      `Did you mean \`${found.keyword}\`?`,
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
      const hint =
        form === 'expression'
          ? 'An expression sees the columns of one row. Use a `sql` step to read tables.'
          : suggest(name, known, 'tables')
      this.fail('sql_unknown_table', `There is no table \`${name}\` here.`, hint, token.start, token.end)
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
          `\`${written}\` is a positional parameter; values are bound by name here.`,
          'Write `:name`.',
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
    const hint =
      binds.length === 0
        ? `Add \`${name}\` under \`args\`; if a \`:\` is meant, put a blank after it.`
        : suggest(name, binds, 'names').replaceAll(/`(\w+)`/g, '`:$1`')
    this.fail(
      'unknown_bind',
      `\`:${name}\` is neither an argument nor one of \`params\`.`,
      hint,
      token.start,
      token.end,
    )
  }
}
