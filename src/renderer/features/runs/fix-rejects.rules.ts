/** Edits of rejected rows, kept until they are rerun. Pure. */
import { type Message, msg } from '../../../contract/messages.ts'
import type { QueryField, ValueType } from '../../../contract/query-values.ts'
import type { RejectsStart, RerunRow } from '../../../contract/rejects-rerun.ts'
import { isEditable, valueFault } from '../../../contract/reject-values.ts'
import type { RunReject } from '../../../contract/run-rejects.ts'
import { readCsvLine, writeCsvField } from '../../../language/csv-line.ts'
import { isMessage } from '../../../language/message.ts'

/** By id of the reject: the fixed line, or the fixed values by column. */
export interface RejectEdits {
  readonly texts: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Rows that aren’t rerun. */
  readonly left: readonly number[]
}

export const noEdits: RejectEdits = { texts: {}, values: {}, left: [] }

export const isEdited = ({ texts, values }: RejectEdits, id: number): boolean =>
  Object.hasOwn(texts, id) || Object.hasOwn(values, id)

/** What a column of the grid shows and changes: a column of the rows, or their line. */
export type FixField = { kind: 'line' } | { kind: 'value'; column: number }

const textOf = (edits: RejectEdits, { id, row }: RunReject): string => edits.texts[id] ?? String(row['text'])

/** Whether the line has a value for each column. */
function valuesIn(line: string, { csv, columns }: RejectsStart) {
  const fields = csv ? readCsvLine(line, csv) : null
  return fields?.length === columns.length ? fields : null
}

/** Lines are shown as such only where they can't be shown by their values. */
export function fieldsOf(start: RejectsStart, rejects: readonly RunReject[], edits: RejectEdits): FixField[] {
  const values = start.columns.map((_, column): FixField => ({ kind: 'value', column }))
  if (start.form === 'values') return values
  if (!start.csv) return [{ kind: 'line' }]
  const isClear = rejects.every(
    (reject) => valuesIn(String(reject.row['text']), start) && valuesIn(textOf(edits, reject), start),
  )
  return isClear ? values : [{ kind: 'line' }, ...values]
}

/** What the reason is about: the columns that it names, else the line where that is shown; by place in `fields`. */
export function faultyFields(
  { columns }: RejectsStart,
  { params }: Pick<RunReject, 'params'>,
  fields: readonly FixField[],
): number[] {
  const names = namesIn(params)
  const at = fields.flatMap((field, index) =>
    field.kind === 'value' && names.includes(columns[field.column]?.name ?? '') ? [index] : [],
  )
  const line = fields.findIndex(({ kind }) => kind === 'line')
  return at.length > 0 || line < 0 ? at : [line]
}

/** Names of columns that a reason is about, among other words: a rule has them among its own; a message around another one leaves it to that. */
export function namesIn(params: Readonly<Record<string, unknown>> | null | undefined): readonly string[] {
  const { column, check, key } = params ?? {}
  if (typeof column === 'string') return [column]
  const rules = [check, key].flatMap((rule) => (typeof rule === 'string' ? rule.split(/[^\p{L}\p{N}_]+/u) : []))
  const inner = Object.values(params ?? {}).flat()
  return [...rules, ...inner.filter(isMessage).flatMap((one) => namesIn(one.params))]
}

/** undefined: the row has no such value. */
export function shownValue(start: RejectsStart, edits: RejectEdits, reject: RunReject, field: FixField): unknown {
  if (field.kind === 'line') return textOf(edits, reject)
  const name = start.columns[field.column]?.name ?? ''
  if (start.form === 'line') return valuesIn(textOf(edits, reject), start)?.[field.column]?.value
  const own = edits.values[reject.id]
  return own && Object.hasOwn(own, name) ? own[name] : (reject.row[name] ?? null)
}

/** Whether someone has changed it. */
export const isChanged = (start: RejectsStart, edits: RejectEdits, reject: RunReject, field: FixField): boolean =>
  isEdited(edits, reject.id) && shownValue(start, edits, reject, field) !== shownValue(start, noEdits, reject, field)

/** The edits with another value, or why it can't be. */
export function withValue(
  start: RejectsStart,
  edits: RejectEdits,
  reject: RunReject,
  field: FixField,
  value: unknown,
): RejectEdits | Message {
  const { id } = reject
  if (start.form === 'line') {
    const line = field.kind === 'line' ? editedText(value) : lineWith(start, textOf(edits, reject), field.column, value)
    if (typeof line !== 'string') return line
    const { [id]: _, ...texts } = edits.texts
    return { ...edits, texts: line === reject.row['text'] ? texts : { ...texts, [id]: line } }
  }
  const column = field.kind === 'value' ? start.columns[field.column] : undefined
  if (!column) return edits
  const fault = valueFault(column.name, column.type, value)
  if (fault) return fault
  const own = Object.entries({ ...edits.values[id], [column.name]: value }).filter(
    ([name, next]) => next !== (reject.row[name] ?? null),
  )
  const { [id]: _, ...values } = edits.values
  return { ...edits, values: own.length === 0 ? values : { ...values, [id]: Object.fromEntries(own) } }
}

/** The other values stay as they are written. */
function lineWith({ csv, columns }: RejectsStart, line: string, column: number, value: unknown): string | Message {
  const fields = csv ? readCsvLine(line, csv) : null
  if (!csv || fields?.length !== columns.length) return msg('reject_line_unclear')
  const written = writeCsvField(value === null ? null : editedText(value), csv)
  const { name = '', type = '' } = columns[column] ?? {}
  if (written === null) return msg('value_not_of_type', { column: name, value: editedText(value), type })
  return fields.map((field, at) => (at === column ? written : field.written)).join(csv.delimiter)
}

/** Marked rows are kept again. */
export function withoutRows(edits: RejectEdits, ids: readonly number[]): RejectEdits {
  const left = new Set(edits.left)
  const isUndone = ids.every((id) => left.has(id))
  for (const id of ids)
    if (isUndone) left.delete(id)
    else left.add(id)
  return { ...edits, left: [...left] }
}

/** Replaces a text within one column; how many cells had it, and those that can't have what came out. */
export function replaced(
  start: RejectsStart,
  given: RejectEdits,
  rejects: readonly RunReject[],
  { field, find, by }: { field: FixField; find: string; by: string },
): { edits: RejectEdits; changed: number; refused: number } {
  let edits = given
  let [changed, refused] = [0, 0]
  for (const reject of rejects) {
    const value = shownValue(start, edits, reject, field)
    const text = editedText(value)
    const isFound = find === '' ? text === '' : text.includes(find)
    if (value === undefined || !isFound || edits.left.includes(reject.id)) continue
    const next = find === '' ? by : text.replaceAll(find, by)
    const result = withValue(start, edits, reject, field, typedAs(value, next))
    if ('code' in result) refused++
    else {
      edits = result
      changed++
    }
  }
  return { edits, changed, refused }
}

/** The text of a value, to be edited. */
export function editedText(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Text as a value of the kind that was there. */
export function typedAs(before: unknown, text: string): unknown {
  if (typeof before === 'boolean' && /^(true|false)$/.test(text)) return text === 'true'
  if (typeof before === 'number' && /^-?\d+(\.\d+)?$/.test(text) && String(Number(text)) === text) return Number(text)
  return text
}

/** The rows as they are sent: those that weren't left out. */
export const requestOf = (edits: RejectEdits, rejects: readonly RunReject[]): RerunRow[] =>
  rejects
    .filter(({ id }) => !edits.left.includes(id))
    .map(({ id }) => ({
      id,
      ...(edits.texts[id] === undefined ? {} : { text: edits.texts[id] }),
      ...(edits.values[id] === undefined ? {} : { values: { ...edits.values[id] } }),
    }))

export function gridField(start: RejectsStart, field: FixField, line: string): QueryField {
  if (field.kind === 'line') return { name: line, type: 'text', native: '' }
  const { name = '', type = '' } = start.columns[field.column] ?? {}
  return { name, type: start.form === 'line' ? 'text' : (gridTypes[type] ?? 'text'), native: type }
}

const gridTypes: Readonly<Record<string, ValueType>> = {
  BIGINT: 'bigint',
  INTEGER: 'integer',
  DOUBLE: 'double',
  BOOLEAN: 'boolean',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'datetime',
  BLOB: 'bytes',
  JSON: 'json',
}

export const canEdit = (start: RejectsStart, field: FixField): boolean =>
  start.form === 'line' || (field.kind === 'value' && isEditable(start.columns[field.column]?.type ?? ''))

/** Edits as they were kept, without rows that are there no more; null: there are none. */
export function readEdits(kept: string | null, rejects: readonly RunReject[]): RejectEdits | null {
  if (kept === null) return null
  try {
    const { texts, values, left } = JSON.parse(kept) as RejectEdits // written by this window
    const own = <T>(record: Readonly<Record<string, T>>): Record<string, T> =>
      Object.fromEntries(Object.entries(record).filter(([id]) => rejects.some((reject) => String(reject.id) === id)))
    return { texts: own(texts), values: own(values), left: left.filter((id) => rejects.some((one) => one.id === id)) }
  } catch {
    return null
  }
}
