/** Cells as text for other programs. Pure. */
import { csvHeader, csvRow, plain } from '../../../contract/query-csv.ts'
import type { QueryField } from '../../../contract/query-values.ts'
import { identifier } from '../../../language/query/table-sql.ts'
import { type Cell, type SqlStyle, cellOf, hexOf, isNumber } from './cell.rules.ts'

export const copyFormats = ['tsv', 'csv', 'json', 'markdown', 'insert', 'in_list'] as const
export type CopyFormat = (typeof copyFormats)[number]

export interface Selected {
  fields: readonly QueryField[]
  rows: readonly (readonly unknown[])[]
  /** For INSERT: the table, written as its dialect wants it. */
  table: string
  dialect: SqlStyle
  /** Of CSV: nothing in it is a formula for spreadsheets. */
  guard?: boolean
}
/** A selection as text for other programs. */
export function copied(format: CopyFormat, selected: Selected): string {
  const { fields, rows, guard = false } = selected
  const cells = rows.map((row) => fields.map(({ type }, at) => cellOf(row[at], type)))
  const names = fields.map(({ name }) => name)
  switch (format) {
    case 'tsv':
      // One value is what stands there; several go into cells of a spreadsheet.
      if (cells.length === 1 && cells[0]?.length === 1) return plain(cells[0][0])
      return cells.map((row) => row.map((cell) => spread(plain(cell))).join('\t')).join('\n')
    case 'csv':
      return [csvHeader(names, guard), ...cells.map((row) => csvRow(row, guard))].join('\r\n')
    case 'json':
      return `[${cells.map((row) => `\n  {${row.map((cell, at) => `${JSON.stringify(names[at])}: ${jsonOf(cell)}`).join(', ')}}`).join(',')}\n]`
    case 'markdown': {
      const line = (values: readonly string[]) => `| ${values.join(' | ')} |`
      const rule = line(fields.map(({ type }) => (isNumber(type) ? '--:' : '---')))
      return [
        line(names.map(markdownOf)),
        rule,
        ...cells.map((row) => line(row.map((cell) => markdownOf(plain(cell))))),
      ].join('\n')
    }
    case 'insert': {
      const columns = names.map((name) => identifier(name, selected.dialect)).join(', ')
      const values = cells.map((row) => `  (${row.map((cell) => sqlOf(cell, selected.dialect)).join(', ')})`)
      return `INSERT INTO ${selected.table} (${columns}) VALUES\n${values.join(',\n')};`
    }
    case 'in_list': {
      const values = cells.flat().filter(({ text }) => text !== null && text !== undefined)
      return `(${[...new Set(values.map((cell) => sqlOf(cell, selected.dialect)))].join(', ')})`
    }
  }
}

/** Tabs and line ends would begin other cells. */
const spread = (text: string): string => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

const jsonNumber = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
function jsonOf(cell: Cell): string {
  const { type, text } = cell
  if (text === null || text === undefined) return 'null'
  if (type === 'boolean' || (isNumber(type) && jsonNumber.test(text))) return text
  if (type === 'document') return text
  if (type === 'json' && isJson(text)) return text
  return JSON.stringify(plain(cell))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const markdownOf = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('|', '\\|')
    .replace(/\r\n|\r|\n/g, '<br>')

function sqlOf(cell: Cell, dialect: SqlStyle): string {
  const { type, text } = cell
  if (text === null || text === undefined) return 'NULL'
  if (type === 'double') return doubleOf(text, dialect)
  if (isNumber(type) && jsonNumber.test(text)) return text
  if (type === 'boolean') return dialect === 'sqlite' ? (text === 'true' ? '1' : '0') : text.toUpperCase()
  if (type === 'bytes') return bytesOf(hexOf(text).slice(2), dialect)
  const escaped = dialect === 'mysql' ? text.replaceAll('\\', '\\\\') : text
  return `'${escaped.replaceAll("'", "''")}'`
}

/** The same double again: without its type, a literal would be a whole number or a decimal first. */
function doubleOf(text: string, dialect: SqlStyle): string {
  if (dialect === 'sqlite')
    return /Infinity/.test(text) ? text.replace('Infinity', '9e999') : /[.e]/i.test(text) ? text : `${text}.0`
  if (dialect === 'mysql') return text === '-0' ? '-0e0' : text
  if (text === '-0' || !jsonNumber.test(text)) return `'${text}'::${dialect === 'duckdb' ? 'DOUBLE' : 'float8'}`
  // DuckDB takes digits with a point for a decimal, whose way to a double rounds twice.
  return dialect === 'duckdb' && !/e/i.test(text) ? `${text}e0` : text
}

function bytesOf(hex: string, dialect: SqlStyle): string {
  if (dialect === 'postgres') return `'\\x${hex}'::bytea`
  if (dialect === 'duckdb') return `unhex('${hex}')`
  return `X'${hex}'`
}
