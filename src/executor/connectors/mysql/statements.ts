import { compileBinds } from '../../../language/sql-binds.ts'
import { scanSql } from '../../../language/sql/scan-sql.ts'
import { EngineError } from '../../engine/errors.ts'
import { openMysql, type MysqlField, type MysqlValue } from './client.ts'
import { numberOf } from './errors.ts'
import { bindValue, jsonOf } from './values.ts'
import type { OpenStatements, StatementResult } from '../statements.types.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** The server commits before and after each of these, whatever was begun. */
const committing: ReadonlySet<string> = new Set([
  'create',
  'alter',
  'drop',
  'rename',
  'truncate',
  'grant',
  'revoke',
  'analyze',
  'optimize',
  'repair',
  'lock',
])
const changing: ReadonlySet<string> = new Set([
  'insert',
  'update',
  'delete',
  'replace',
  'with',
  'create',
  'call',
  'load',
])
/** “This command is not supported in the prepared statement protocol yet.” */
const notPrepared = 1295

export const openMysqlStatements: OpenStatements = async (connector, { signal }) => {
  const session = await openMysql(connector, signal)
  let begun = false
  /** A statement of the transaction has committed by itself. */
  let committed = false
  let done = 0
  return {
    async begin() {
      await session.run('START TRANSACTION')
      begun = true
      committed = false
      done = 0
    },
    async commit() {
      await session.run('COMMIT')
      begun = false
    },
    async rollback() {
      begun = false
      await session.run('ROLLBACK').catch(() => undefined) // closing rolls back, too
    },
    async run(statement, params) {
      const { sql, names } = compileBinds(statement, 'mysql')
      const words = wordsOf(statement)
      if (begun) {
        const commits = commitsByItself(words)
        if (committed || (commits && done > 0)) throw cannotTakeBack()
        committed = commits
        done++
      }
      const values = names.map((bind) => bindValue(params[bind] ?? null))
      let fields: MysqlField[] = []
      let first: MysqlValue[] | null = null
      try {
        const changed = await session.each(sql, values, {
          // A procedure may return several lots of rows: the first row of all is kept.
          fields(found) {
            if (!first) fields = found
          },
          row: (row) => void (first ??= row),
        })
        return resultOf(words[0] ?? '', changed?.affectedRows ?? null, first, fields)
      } catch (error) {
        const plain = values.length === 0 && error instanceof EngineError && numberOf(error.cause) === notPrepared
        if (!plain) throw error
        const { affectedRows } = await session.run(sql)
        return resultOf(words[0] ?? '', affectedRows, null, [])
      }
    },
    close: async () => session.close(),
  }
}

function resultOf(
  word: string,
  changed: number | null,
  first: MysqlValue[] | null,
  fields: readonly MysqlField[],
): StatementResult {
  return {
    changed: changing.has(word) && changed !== null ? changed : null,
    first: first && Object.fromEntries(fields.map((field, at) => [field.name, jsonOf(first[at] ?? null, field)])),
  }
}

function commitsByItself([first = '', second = '']: readonly string[]): boolean {
  const temporary = (first === 'create' || first === 'drop') && second === 'temporary'
  return committing.has(first) && !temporary
}

/** “All or nothing” would not be true any more. One statement alone is all or nothing by itself. */
function cannotTakeBack(): EngineError {
  return new EngineError('SQL_NOT_ALLOWED', runMessage('mysql_commits_itself'), {
    hint: runMessage('mysql_commits_itself_fix'),
  })
}

function wordsOf(statement: string): string[] {
  return scanSql(statement, 'mysql')
    .filter((token) => token.kind === 'word')
    .slice(0, 2)
    .map(({ start, end }) => statement.slice(start, end).toLowerCase())
}
