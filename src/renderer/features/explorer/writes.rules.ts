/** Which statements write, and which results are rows of one table. Pure. */
import type { Connector } from '../../../contract/connectors.ts'
import { dialectOf, tableSql } from '../../../language/query/table-sql.ts'
import { type QueryLanguage, isSql, languageOf, queryOf } from './statements.rules.ts'

const changeable: ReadonlySet<string> = new Set(['postgres', 'mysql', 'sqlite', 'duckdb', 'mongodb'])

export const isChangeable = ({ type, config }: Connector): boolean =>
  changeable.has(type) && config['read_only'] !== true

/** A statement that goes to the review instead of being run. */
export function writes(text: string, language: QueryLanguage): boolean {
  if (isSql(language)) return /^(\s|--.*\n|\/\*[^]*?\*\/)*(insert|update|delete)\b/i.test(text)
  return language === 'mongodb' && /^\s*\{\s*"(insert|update|delete)"\s*:/.test(text)
}

/** Whether each row of the result is a row of the resource, with all of its columns. */
export function isWholeRows(connector: Connector, resource: string, statement: string): boolean {
  const language = languageOf(connector.type)
  if (language === 'mongodb') {
    try {
      const asked = JSON.parse(statement) as Record<string, unknown>
      return asked['find'] === resource && !('projection' in asked)
    } catch {
      return false
    }
  }
  return readsAll(statement.trim(), queryOf(connector.type, resource))
}

/** The same, also for what the builder writes, which quotes every name. */
export function hasRowsOf(connector: Connector, resource: string, statement: string): boolean {
  const dialect = dialectOf(connector.type)
  const quoted = dialect && `SELECT *\nFROM ${tableSql(connector.type, resource, dialect)}`
  return isWholeRows(connector, resource, statement) || (quoted !== null && readsAll(statement.trim(), quoted))
}

function readsAll(statement: string, all: string): boolean {
  return (
    statement.startsWith(all) &&
    /^(\s*;?|\s+(where|order|limit)\b(?![^]*\b(union|intersect|except)\b)[^]*)$/i.test(statement.slice(all.length))
  )
}
