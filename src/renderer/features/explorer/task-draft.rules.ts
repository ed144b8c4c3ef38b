/** The draft of a task whose source is a query of the Explorer. Pure. */
import { findPathBinds } from '../../../language/path-binds.ts'
import { readHttpQuery, readODataQuery } from '../../../language/query/read-web-query.ts'
import { type SqlToken, scanSql } from '../../../language/sql/scan-sql.ts'
import { sqlDatabases } from '../../../language/task/connector-slots.ts'
import { formatOfPath } from '../../../language/task/file-paths.ts'
import { sourceSlot, targetSlot, yamlText } from '../incoming/data-draft.rules.ts'
import type { ParameterValues } from './statements.rules.ts'

/** What a draft is made of; null: a source can't be what the query is. */
interface Draft {
  source: string[]
  steps?: string[]
}

/** null: the query has what a source of a task lacks. */
export function taskText(type: string, title: string, query: string, values: ParameterValues): string | null {
  const stem = title.replace(/[^\p{L}\p{N}]+/gu, '_').replace(/^_+|_+$/g, '') || 'query'
  const draft = draftOf(type, query, values)
  if (draft === null) return null
  return [
    'etl: 1',
    'kind: pipeline',
    `name: ${yamlText(stem.toLowerCase().slice(0, 100))}`,
    'connectors:',
    `  ${sourceSlot}: {type: ${type}, access: read}`,
    `  ${targetSlot}: {type: file, access: write}`,
    'source:',
    `  connector: ${sourceSlot}`,
    ...draft.source,
    ...(draft.steps ? ['steps:', ...draft.steps] : []),
    'target:',
    `  connector: ${targetSlot}`,
    `  file: {path: ${yamlText(`${stem.toLowerCase().slice(0, 100)}.csv`)}}`,
    '',
  ].join('\n')
}

function draftOf(type: string, query: string, values: ParameterValues): Draft | null {
  const text = query.trim().replace(/;$/, '')
  if (sqlDatabases.some((one) => one === type))
    return { source: ['  sql:', ...queryLines('    query', text), ...paramLines('    ', values)] }
  // It would be evaluated.
  if (text.includes('${{')) return null
  if (type === 'mongodb') return mongoDraft(text)
  if (type === 'odata') return odataDraft(text, values)
  return type === 'http' ? httpDraft(text, values) : filesDraft(text, values)
}

function mongoDraft(query: string): Draft | null {
  const asked = jsonObject(query)
  if (asked === null) return null
  const { find, aggregate, filter, projection, sort, limit, pipeline, ...others } = asked
  const collection = aggregate ?? find
  if (typeof collection !== 'string' || Object.keys(others).length > 0) return null
  const parts = aggregate === undefined ? { find: filter, projection, sort, limit } : { aggregate: pipeline }
  const lines = Object.entries(parts).flatMap(([name, value]) =>
    value === undefined ? [] : [`    ${name}: ${indented(jsonText(value), '    ')}`],
  )
  return { source: ['  mongo:', `    collection: ${yamlText(collection)}`, ...lines] }
}

function jsonObject(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>) // parsed JSON
      : null
  } catch {
    return null
  }
}

/** In one line where that is short. JSON is YAML but for characters that it leaves as they are. */
function jsonText(value: unknown): string {
  const line = JSON.stringify(value)
  const written = line.length <= 80 ? line : JSON.stringify(value, null, 2)
  return written.replace(/"(?:[^"\\]|\\.)*"/g, (text) => quotedText(JSON.parse(text) as string)) // it is one
}

const indented = (text: string, indent: string) => text.replaceAll('\n', `\n${indent}`)

function odataDraft(query: string, values: ParameterValues): Draft | null {
  const asked = readODataQuery(query)
  if (asked === null || 'twice' in asked || asked.path.endsWith('/$count')) return null
  const { path, select, filter, expand, order_by, others } = asked
  const tops = others.map((option) => /^\$top=(\d+)$/.exec(option)?.[1])
  if (tops.includes(undefined) || tops.length > 1) return null
  const list = (items: readonly string[]) => `[${items.map(yamlText).join(', ')}]`
  const source = [
    '  odata:',
    `    entity: ${yamlText(path)}`,
    ...(select === null ? [] : [`    select: ${list(select)}`]),
    ...(filter === null ? [] : [`    filter: ${yamlText(filter)}`, ...paramLines('    ', values)]),
    ...(expand.length === 0 ? [] : [`    expand: ${list(expand)}`]),
    ...(order_by === null ? [] : [`    order_by: ${yamlText(order_by)}`]),
  ]
  return tops[0] === undefined ? { source } : { source, steps: [`  - sql: SELECT * FROM stream LIMIT ${tops[0]}`] }
}

function httpDraft(query: string, values: ParameterValues): Draft | null {
  const asked = readHttpQuery(query)
  if (asked === null || 'method' in asked) return null
  const path = findPathBinds(asked.path).reduceRight(
    (written, { name, start, end }) =>
      Object.hasOwn(values, name)
        ? written.slice(0, start) + encodeURIComponent(String(values[name])) + written.slice(end)
        : written,
    asked.path,
  )
  return {
    source: [
      '  http:',
      `    path: ${yamlText(path)}`,
      ...(asked.records === null ? [] : [`    records: ${yamlText(asked.records)}`]),
    ],
  }
}

/** SQL over one file or pattern: that is the source, and the query a step over its rows. */
function filesDraft(query: string, values: ParameterValues): Draft | null {
  const tokens = scanSql(query, 'duckdb').filter(({ kind }) => kind !== 'comment')
  const textOf = (token: SqlToken | undefined) => (token ? query.slice(token.start, token.end) : '')
  const named = tokens.flatMap((token, at) => {
    const path = token.kind === 'quoted' ? unquoted(textOf(token)) : ''
    return formatOfPath(path.replace(/#[^#/]*$/, '')).format === null ? [] : [{ at, token, path }]
  })
  const [first] = named
  const isTable = ({ at }: { at: number }) => /^(from|join)$/i.test(textOf(tokens[at - 1]))
  if (!first || named.some((one) => one.path !== first.path || !isTable(one))) return null
  const [, glob = first.path, choice] = /^([^#]+)#([^#/]*)$/s.exec(first.path) ?? []
  const isBook = formatOfPath(glob).format === 'xlsx'
  const source = [
    '  files:',
    `    glob: ${yamlText(glob)}`,
    ...(choice === undefined
      ? []
      : [
          isBook
            ? `    xlsx: {sheet: ${yamlText(choice)}}`
            : `    csv: {encoding: ${yamlText(choice.trim().toLowerCase())}}`,
        ]),
    ...(/[*?[\]{}]/.test(glob) ? ['    union_by_name: true'] : []),
  ]
  if (/^select\s+\*\s+from$/i.test(query.slice(0, first.token.start).trim()) && tokens.length === first.at + 1)
    return { source }
  // As the query calls the file, if it gives it no name.
  const stem = glob.slice(glob.lastIndexOf('/') + 1).replace(/(?<=.)\..*$/s, '')
  const usesStem = tokens.some((token, at) => unquoted(textOf(token)) === stem && textOf(tokens[at + 1]) === '.')
  const sql = named.reduceRight((written, { at, token }) => {
    const isCalled = /^as$/i.test(textOf(tokens[at + 1]))
    const name = usesStem && !isCalled ? `stream AS "${stem.replaceAll('"', '""')}"` : 'stream'
    return written.slice(0, token.start) + name + written.slice(token.end)
  }, query)
  const params = paramLines('      ', values)
  if (params.length === 0) return { source, steps: queryLines('  - sql', sql) }
  return { source, steps: ['  - sql:', ...queryLines('      query', sql), ...params] }
}

/** `'it''s'` and `"orders"` without their quotes. */
function unquoted(text: string): string {
  const quote = text[0] ?? ''
  return quote === "'" || quote === '"' ? text.slice(1, -1).replaceAll(quote + quote, quote) : text
}

/** As it was written, where YAML keeps that. */
function queryLines(key: string, query: string): string[] {
  if (/[^\n\x20-\x7E\u00A1-\u1FFF\u3001-\uD7FF]| $/m.test(query)) return [`${key}: ${yamlText(query)}`]
  const indent = ' '.repeat(key.search(/\w/) + 2)
  return [`${key}: |-`, ...query.split('\n').map((line) => (line === '' ? '' : `${indent}${line}`))]
}

function paramLines(indent: string, values: ParameterValues): string[] {
  // Such a value would be evaluated: it is left to be entered.
  const params = Object.entries(values).filter(([, value]) => !String(value).includes('${{'))
  if (params.length === 0) return []
  return [`${indent}params:`, ...params.map(([name, value]) => `${indent}  ${name}: ${valueText(value)}`)]
}

const valueText = (value: ParameterValues[string]): string =>
  typeof value === 'string' ? quotedText(value) : String(value)

/** Never a number, whatever it looks like. */
function quotedText(value: string): string {
  const written = yamlText(value)
  return written === value ? JSON.stringify(value) : written
}
