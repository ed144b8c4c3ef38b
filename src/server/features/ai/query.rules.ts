/** What a query of a model must be: one statement of the connector’s language that only reads, of what the connector holds. Pure. */
import type { AiFinding } from '../../../contract/ai.ts'
import { msg } from '../../../contract/messages.ts'
import { dialectOf } from '../../../language/query/table-sql.ts'
import { type SqlDialect, scanSql } from '../../../language/sql/scan-sql.ts'
import { tableReferences } from '../../../language/sql/table-references.ts'
import { findRefused } from '../../../language/task/mongo-documents.ts'
import { duckdbQueryWords, queryWords } from '../../../language/task/sql-text.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { finding } from './draft.rules.ts'
import type { KnownSlot } from './prompt.rules.ts'

type Known = Pick<KnownSlot, 'type' | 'all_listed' | 'resources'>

const mongoCommands = ['find', 'aggregate', 'count'] as const

/** Whether a text could be a query at all, so that what is said around it is not taken for one. */
export function isQuery(text: string, type: string): boolean {
  const start = text.trimStart()
  if (dialectOf(type)) return sqlStarts.test(start)
  if (type === 'mongodb') return start.startsWith('{')
  return type === 'http' ? start.startsWith('/') : /^[\w.]+(?:[/?(][^\n]*)?$/.test(start.trim())
}
/** Statements that write are queries, too: they are refused by name. What is before them can be read in one way only. */
const sqlStarts =
  /^(?:[\s(]|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:select|with|values|table|from|pivot|unpivot|summarize|describe|insert|update|delete|merge|drop|create|alter|truncate|copy|call|attach|pragma|set|grant|explain|replace|install|load|export|vacuum|do)\b/i

export function queryFindings(text: string, known: Known): AiFinding[] {
  const dialect = dialectOf(known.type)
  if (dialect) return sqlFindings(text, dialect, known)
  return known.type === 'mongodb' ? mongoFindings(text, known) : webFindings(text, known)
}

const unknown = ({ all_listed, resources }: Known, isIt: (name: string) => boolean, name: string): AiFinding[] =>
  all_listed && !resources.some((one) => isIt(one.name.toLowerCase()))
    ? [finding(msg('ai_resource_unknown', { name }))]
    : []

function sqlFindings(text: string, dialect: SqlDialect, known: Known): AiFinding[] {
  const code = scanSql(text, dialect).filter(({ kind }) => kind !== 'comment')
  const end = code.findIndex(({ kind }) => kind === 'semicolon')
  if (end >= 0 && end < code.length - 1) return [finding(msg('ai_query_many'))]
  const first = code.find(({ kind }) => kind !== 'open')
  const word = text.slice(first?.start, first?.end).toLowerCase()
  const starts: readonly string[] = dialect === 'duckdb' ? duckdbQueryWords : queryWords
  if (!starts.includes(word)) return [finding(msg('ai_query_writes', { word }))]
  const { tables } = tableReferences(text, dialect)
  const written = tables.find(({ access }) => access === 'write')
  if (written) return [finding(msg('ai_query_writes', { word: written.path.join('.') }))]
  const files = code.flatMap(({ kind, start, end }, at) => {
    const before = code[at - 1]
    const follows = /^(?:from|join)$/i.test(text.slice(before?.start, before?.end))
    const path = text.slice(start + 1, end - 1)
    return kind === 'quoted' && text[start] === "'" && follows && /\.[a-z]\w*(?:\.gz)?(?:#.*)?$/i.test(path)
      ? [[path]]
      : []
  })
  return [...tables.map(({ path }) => path), ...files].flatMap((path) => {
    const name = path.join('.').toLowerCase()
    const table = (path.at(-1) ?? '').toLowerCase()
    // Catalogs of the systems, and patterns of files, are no resources.
    if (/^(?:information_schema|pg_catalog|sqlite_|duckdb_|mysql\.|sys\.)|[*?[]/.test(name)) return []
    const isIt = (resource: string) =>
      resource === name || resource.split('.').at(-1) === table || name.split('#')[0] === resource
    return unknown(known, isIt, path.join('.'))
  })
}

function mongoFindings(text: string, known: Known): AiFinding[] {
  let asked: Record<string, Json>
  try {
    asked = JSON.parse(text) as Record<string, Json> // `isQuery` has seen that it begins an object
  } catch {
    return [finding(msg('ai_query_json'))]
  }
  const commands = mongoCommands.filter((command) => Object.hasOwn(asked, command))
  const collection = commands.length === 1 ? asked[commands[0] ?? ''] : undefined
  if (typeof collection !== 'string') return [finding(msg('ai_query_json'))]
  const refused = findRefused(asked)
  return [
    ...(refused === null ? [] : [finding(msg('ai_query_writes', { word: refused }))]),
    ...unknown(known, (name) => name === collection.toLowerCase(), collection),
  ]
}

function webFindings(text: string, known: Known): AiFinding[] {
  const [path = '', second, ...more] = text.split('\n')
  const named = second === undefined || (known.type === 'http' && second.startsWith('records:'))
  if (more.length > 0 || !named || /^\w+:\/\//.test(path)) return [finding(msg('ai_query_path'))]
  if (known.type === 'http') return []
  const set = /^[\w.]+/.exec(path)?.[0] ?? ''
  return unknown(known, (name) => name === set.toLowerCase(), set)
}
