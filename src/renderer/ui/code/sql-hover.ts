import { type Hover, hoverTask } from '../../../language/hover.ts'
import type { EditorKnowledge } from './editor-knowledge.ts'
import { type SqlFunction, placeAt, sqlFunctions } from './sql-place.ts'

export function functionMarkdown(one: SqlFunction): string {
  const lines = [`**${one.signature}** — DuckDB, ${one.kind}`]
  if (one.description) lines.push('', one.description)
  if (one.example) lines.push('', `Example: \`${one.example}\``)
  return lines.join('\n')
}

/** What the word under the pointer means: a key, a value, an argument, and in SQL also a column or a function. */
export async function hoverAt(text: string, offset: number, knowledge: EditorKnowledge): Promise<Hover | null> {
  return hoverTask(text, offset) ?? (await hoverSql(text, offset, knowledge))
}

async function hoverSql(text: string, offset: number, knowledge: EditorKnowledge): Promise<Hover | null> {
  const before = /[\w]*$/.exec(text.slice(Math.max(0, offset - 80), offset))?.[0] ?? ''
  const after = /^[\w]*/.exec(text.slice(offset, offset + 80))?.[0] ?? ''
  const word = before + after
  const range = { from: offset - before.length, to: offset + after.length }
  const { cursor, sql } = placeAt(text, range.to)
  if (word === '' || sql === null) return null
  const column = knowledge.columnsAt(cursor.path).find((one) => one.name.toLowerCase() === word.toLowerCase())
  const called = text.slice(range.to).trimStart().startsWith('(')
  if (column && !called) return { markdown: `**${column.name}** — column, ${column.type.toLowerCase()}`, ...range }
  if (sql !== 'duckdb') return null
  const found = (await sqlFunctions()).find((one) => one.name === word.toLowerCase())
  return found ? { markdown: functionMarkdown(found), ...range } : null
}
