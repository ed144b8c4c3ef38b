import type { RerunRow } from '../../../contract/rejects-rerun.ts'
import { type Message, msg } from '../../../contract/messages.ts'
import { valueFault } from '../../../contract/reject-values.ts'
import type { Column } from '../../../contract/common.ts'
import { readCsvLine } from '../../../language/csv-line.ts'
import type { TaskSource } from '../../../language/task/sources/source.types.ts'
import type { KeptReject } from './rejects-rerun.store.ts'

/** A rejected row as it is read once more, and what is wrong with it: paths below the row of the request. */
interface FixedRow {
  row: Record<string, unknown>
  faults: { path: string; message: Message }[]
}

export function fixedLine(
  kept: KeptReject,
  { text }: RerunRow,
  source: TaskSource,
  columns: readonly Column[],
): FixedRow {
  const line = text ?? String(kept.row['text'])
  const fault = source.kind === 'files' ? lineFault(line, source, columns) : null
  return { row: { text: line }, faults: fault ? [{ path: '.text', message: fault }] : [] }
}

function lineFault(
  line: string,
  { csv }: Extract<TaskSource, { kind: 'files' }>,
  columns: readonly Column[],
): Message | null {
  if (line.includes('\ufffd')) return msg('reject_line_damaged')
  if (csv === null) return recordFault(line, columns)
  const fields = readCsvLine(line, csv)
  if (fields === null) return msg('reject_line_unclear')
  if (fields.length === columns.length) return null
  return msg('reject_line_fields', { found: fields.length, expected: columns.length })
}

function recordFault(line: string, columns: readonly Column[]): Message | null {
  const record = /[\r\n]/.test(line) ? null : parsed(line)
  if (typeof record !== 'object' || record === null || Array.isArray(record)) return msg('reject_line_no_object')
  const key = Object.keys(record).find((known) => !columns.some(({ name }) => name === known))
  return key === undefined ? null : msg('reject_line_key', { key })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}

export function fixedValues(kept: KeptReject, { values = {} }: RerunRow, columns: readonly Column[]): FixedRow {
  const types = new Map(columns.map(({ name, type }) => [name, type]))
  const faults = Object.entries(values).flatMap(([column, value]) => {
    const path = `.values.${column}`
    const type = types.get(column)
    if (type === undefined) return [{ path, message: msg('reject_no_column', { column }) }]
    const isSame = JSON.stringify(value) === JSON.stringify(kept.row[column] ?? null)
    const message = isSame ? null : valueFault(column, type, value)
    return message ? [{ path, message }] : []
  })
  // Without a prototype: a column may be called `__proto__`.
  const row = Object.assign(Object.create(null) as Record<string, unknown>, kept.row, values)
  return { row, faults }
}
