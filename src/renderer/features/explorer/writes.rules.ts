/** Which statements write, and which results are rows of one table. Pure. */
import type { Connector } from '../../../contract/connectors.ts'
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
  const all = queryOf(connector.type, resource)
  const rest = statement.trim().slice(all.length)
  return (
    statement.trim().startsWith(all) &&
    /^(\s*;?|\s+(where|order|limit)\b(?![^]*\b(union|intersect|except)\b)[^]*)$/i.test(rest)
  )
}
