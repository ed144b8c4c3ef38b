/** Queries that the Explorer writes itself, and what it knows of the language of a connector. Pure. */
import type { Connector } from '../../../contract/connectors.ts'
import { type Role, atLeast } from '../../../contract/roles.ts'
import { findPathBinds } from '../../../language/path-binds.ts'
import { findBinds } from '../../../language/sql-binds.ts'
import { findFilterBinds } from '../../../language/task/odata-filter.ts'
import { dialectOf, identifier, tableSql } from '../../../language/query/table-sql.ts'
import { isDate } from '../../../language/query/value-kinds.ts'
import type { SqlStyle } from '../../ui/grid/cell.rules.ts'
import type { Ran } from './query-failure.rules.ts'

export type QueryLanguage = SqlStyle | 'mongodb' | 'odata' | 'http'

/** null: nothing can be asked of connectors of this type. */
export function languageOf(connectorType: string): QueryLanguage | null {
  if (connectorType === 'mongodb' || connectorType === 'odata' || connectorType === 'http') return connectorType
  return dialectOf(connectorType)
}

/** Whether somebody may write queries; if not, there is the builder. */
export const mayWrite = ({ viewer_raw }: Pick<Connector, 'viewer_raw'>, role: Role): boolean =>
  viewer_raw || atLeast(role, 'editor')

export const isSql = (language: QueryLanguage): language is SqlStyle =>
  language !== 'mongodb' && language !== 'odata' && language !== 'http'

const bare = /^[a-z_][a-z0-9_]*$/

/** A resource as its system’s own language names it; `name` is as the list of resources has it. */
export function tableOf(type: string, name: string): string {
  const dialect = dialectOf(type) ?? 'duckdb'
  return tableSql(type, name, dialect, (part) =>
    bare.test(part) && !reserved.has(part) ? part : identifier(part, dialect),
  )
}

/** Names that a table may well have. */
const reserved = new Set(
  'all analyze and any as asc between by case check column create cross default desc distinct do else end except false fetch for foreign from full grant group having if in index inner intersect into is join key keys left like limit lock natural not null offset on or order outer primary range read references release rename replace right row rows select set show some table then to trigger true union unique update use user using values when where window with write'.split(
    ' ',
  ),
)

/** All of a resource. */
export function queryOf(type: string, name: string): string {
  const language = languageOf(type)
  if (language === 'mongodb') return JSON.stringify({ find: name, filter: {} }, null, 2)
  if (language === 'odata') return name
  if (language === 'http') return name.startsWith('/') ? name : `/${name}`
  return `SELECT * FROM ${tableOf(type, name)}`
}

/** Names of `:name` in a query, each once. */
export function parametersOf(text: string, language: QueryLanguage): string[] {
  return [...new Set(bindsOf(text, language).map(({ name }) => name))]
}

function bindsOf(text: string, language: QueryLanguage): { name: string }[] {
  if (isSql(language)) return findBinds(text, language)
  if (language === 'http') return findPathBinds(text.split('\n')[0] ?? '')
  if (language === 'odata') return findFilterBinds(/[?&](?:\$|%24)filter=(.*)/is.exec(text)?.[1] ?? '')
  return []
}

export const parameterKinds = ['string', 'number', 'boolean', 'date', 'null'] as const
export type ParameterKind = (typeof parameterKinds)[number]

export type ParameterValue = string | number | boolean | null
export type ParameterValues = Readonly<Record<string, ParameterValue>>

/** As the fields of a preset's parameters hold them. */
export const textsOf = (values: ParameterValues = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === null ? '' : String(value)]))

/** The value that is sent; undefined: the text is none of its kind. Numbers with more digits than JavaScript holds go as text. */
export function parameterValue(kind: ParameterKind, text: string): ParameterValue | undefined {
  if (kind === 'null') return null
  if (kind === 'string') return text
  const written = text.trim()
  if (kind === 'date') return isDate(written) ? written : undefined
  if (kind === 'boolean') return /^(true|false)$/i.test(written) ? written.toLowerCase() === 'true' : undefined
  if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(written)) return undefined
  const digits = written
    .replace(/[eE].*$/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length > 15 ? written : Number(written)
}

/** What is to run: the marked text, or all of it. */
export const textToRun = (text: string, marked: Ran): Ran => (marked.text.trim() === '' ? { text, from: 0 } : marked)
