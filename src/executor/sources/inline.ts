import type { Column } from '../../contract/common.ts'
import type { Json } from '../../language/task/task.types.ts'
import { EngineError } from '../engine/errors.ts'
import { strictCast } from '../engine/cast-faults.ts'
import type { SourceRunner } from '../engine/lane.types.ts'
import { duckDbType, name, refuseDuplicates, text } from '../engine/sql-text.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Rows that stand in the task itself: for tests, training and small tables. */
export const inlineSource: SourceRunner<'inline'> = {
  kind: 'inline',
  directories: async () => [],
  async open(source, _context, { limit }) {
    const rows = limit === null ? source.rows : source.rows.slice(0, limit)
    const wanted = [...new Set([...source.rows.flatMap((row) => Object.keys(row)), ...Object.keys(source.columns)])]
    if (wanted.length === 0) {
      throw new EngineError('TASK_INVALID', runMessage('inline_has_no_columns'), {
        hint: runMessage('inline_without_columns_fix'),
      })
    }
    refuseDuplicates(wanted)
    const columns: Column[] = wanted.map((column) => {
      const given = source.columns[column]
      return { name: column, type: given ? duckDbType(given) : typeOf(source.rows.map((row) => row[column] ?? null)) }
    })
    const fields = columns.map((column) => {
      const type = source.columns[column.name]
      const cast = { column: column.name, from: 'VARCHAR', to: column.type }
      return `${type ? strictCast({ ...cast, type }) : `CAST(${name(column.name)} AS ${column.type})`} AS ${name(column.name)}`
    })
    const values = rows.map(
      (row) => `(${columns.map((column) => literal(row[column.name] ?? null, column.type)).join(', ')})`,
    )
    const list = columns.map((column) => name(column.name)).join(', ')
    const nothing = `(${columns.map(() => 'NULL').join(', ')})`
    const from = `(VALUES ${values.length > 0 ? values.join(', ') : nothing}) AS inline(${list})${values.length > 0 ? '' : ' LIMIT 0'}`
    const sql = `SELECT ${fields.join(', ')} FROM ${from}`
    return { sql, columns, rows: rows.length, open: [], trail: [{ stage: 0, sql }] }
  },
}

function typeOf(values: Json[]): string {
  const kinds = new Set(values.filter((value) => value !== null).map(kindOf))
  if (kinds.size === 0) return 'VARCHAR'
  if (kinds.size === 1) return [...kinds][0] ?? 'VARCHAR'
  if ([...kinds].every((kind) => kind === 'BIGINT' || kind === 'DOUBLE')) return 'DOUBLE'
  return kinds.has('JSON') ? 'JSON' : 'VARCHAR'
}

function kindOf(value: Json): string {
  if (typeof value === 'boolean') return 'BOOLEAN'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'BIGINT' : 'DOUBLE'
  return typeof value === 'string' ? 'VARCHAR' : 'JSON'
}

/** Values as quoted text: the cast beside them gives them their type. */
function literal(value: Json, type: string): string {
  if (value === null) return 'NULL'
  if (type === 'JSON') return text(JSON.stringify(value))
  return text(typeof value === 'object' ? JSON.stringify(value) : String(value))
}
