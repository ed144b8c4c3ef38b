/** Edits of rows and actions of the builder as statements with bound values, each with the rows that it touches. */
import type { ChangeStatement, RowEdit } from '../../../contract/changes.ts'
import type { ResourceDetail } from '../../../contract/connectors.ts'
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { EngineError } from '../../engine/errors.ts'
import type { ChangeSession } from '../changes.types.ts'
import { conditionOf } from './filters.ts'
import type { Fill } from './placeholders.ts'
import type { Conflict } from './report.ts'
import { checkedWire, countIn, sameWire, wireOfText } from './wire-check.ts'

export interface Step {
  shown: ChangeStatement
  values: readonly unknown[]
}

export interface Plan {
  steps: Step[]
  conflicts: Conflict[]
}

export interface Table {
  detail: ResourceDetail
  sql: string
  fields: ReadonlyMap<string, QueryField>
  key: string[]
}

export async function tableOf(session: ChangeSession, detail: ResourceDetail, resource: string): Promise<Table> {
  if (detail.kind === 'view') throw unsuitable('change_of_view', resource)
  const sql = await session.table(resource)
  const { fields } = await session.read(`SELECT * FROM ${sql} WHERE 1 = 0`, [])
  const key = detail.columns.filter((column) => column.primary_key).map((column) => column.name)
  return { detail, sql, fields: new Map(fields.map((field) => [field.name, field])), key }
}

function unsuitable(reason: 'change_of_view' | 'change_without_key', table: string): EngineError {
  return new EngineError('CONNECTOR_UNSUITABLE', runMessage(reason, { table }), {
    hint: runMessage(reason === 'change_of_view' ? 'change_of_view_fix' : 'change_without_key_fix'),
  })
}

/** Writes one statement: its text and what it binds, in the same order. */
function writer(session: ChangeSession) {
  const values: unknown[] = []
  const shown: ChangeStatement['values'] = []
  return {
    values,
    shown,
    bind(value: WireValue, field: QueryField): string {
      const bound = session.bind(value, field, values.length + 1)
      values.push(bound.value)
      shown.push({ name: field.name, type: field.native, value })
      return bound.sql
    },
  }
}
type Writer = ReturnType<typeof writer>

/** Deleted rows first, new ones last: a value that must be unique can move from one row to another. */
const order = { delete: 0, update: 1, insert: 2 } as const

export async function planEdits(session: ChangeSession, table: Table, edits: readonly RowEdit[]): Promise<Plan> {
  const plan: Plan = { steps: [], conflicts: [] }
  const keys = new Set<string>()
  const inOrder = edits
    .map((edit, index) => ({ edit, index }))
    .toSorted((a, b) => order[a.edit.kind] - order[b.edit.kind])
  for (const { edit, index } of inOrder) {
    if (edit.kind === 'insert') {
      plan.steps.push(insertStep(session, table, valuesOf(session, table, edit.values), index))
      continue
    }
    if (table.key.length === 0) throw unsuitable('change_without_key', table.detail.name)
    const original = valuesOf(session, table, edit.original)
    const values = edit.kind === 'update' ? valuesOf(session, table, edit.values) : []
    if (edit.kind === 'update' && values.length === 0) throw nothing(index)
    const key = keyOf(table, original)
    const id = JSON.stringify(key.map(([, value]) => value))
    if (keys.has(id)) throw twice(index)
    keys.add(id)
    const conflict = await compare(session, table, { index, key, original })
    if (conflict) plan.conflicts.push(conflict)
    else plan.steps.push(rowStep(session, table, { index, key, values, kind: edit.kind }))
  }
  return plan
}

type Given = [QueryField, WireValue][]

function columnOf(table: Table, name: string): QueryField {
  const field = table.fields.get(name)
  if (field) return field
  throw new EngineError('COLUMN_NOT_FOUND', runMessage('column_unknown', { column: name }), {
    hint: runMessage('columns_are', { columns: [...table.fields.keys()].slice(0, 40) }),
  })
}

function valuesOf(session: ChangeSession, table: Table, row: Record<string, unknown>): Given {
  return Object.entries(row).map(([name, value]) => {
    const field = columnOf(table, name)
    return [field, checkedWire(value, field, session.dialect === 'sqlite')]
  })
}

function keyOf(table: Table, original: Given): Given {
  return table.key.map((column) => {
    const found = original.find(([field]) => field.name === column)
    if (found) return found
    throw new EngineError('VALUE_INVALID', runMessage('change_key_missing', { column }), {
      hint: runMessage('change_key_missing_fix', { key: table.key }),
    })
  })
}

const nothing = (edit: number): EngineError =>
  new EngineError('VALUE_INVALID', runMessage('change_of_nothing', { edit }), {
    hint: runMessage('change_of_nothing_fix'),
  })
const twice = (edit: number): EngineError =>
  new EngineError('VALUE_INVALID', runMessage('change_twice', { edit }), { hint: runMessage('change_twice_fix') })

/** SQLite keeps NULL in primary keys. */
function whereKey(session: ChangeSession, key: Given, { bind }: Writer): string {
  return key
    .map(([field, value]) =>
      value === null ? `${session.name(field.name)} IS NULL` : `${session.name(field.name)} = ${bind(value, field)}`,
    )
    .join(' AND ')
}

/** Reads the row as it is now, keeps it from others, and compares it in the exact forms of its values. */
async function compare(
  session: ChangeSession,
  { sql }: Table,
  { index, key, original }: { index: number; key: Given; original: Given },
): Promise<Conflict | null> {
  const where = writer(session)
  const columns = original.map(([field]) => session.name(field.name)).join(', ')
  const { rows } = await session.read(
    `SELECT ${columns} FROM ${sql} WHERE ${whereKey(session, key, where)}${session.lock}`,
    where.values,
  )
  const [row] = rows
  if (!row) return { edit: index, problem: 'gone', fields: [] }
  if (rows.length > 1) return { edit: index, problem: 'ambiguous', fields: key.map(([field]) => field.name) }
  const fields = original.flatMap(([field, value], at) => (sameWire(value, row[at] ?? null) ? [] : [field.name]))
  return fields.length === 0 ? null : { edit: index, problem: 'changed', fields }
}

function insertStep(session: ChangeSession, { sql }: Table, values: Given, edit: number | null): Step {
  const statement = writer(session)
  const columns = values.map(([field]) => session.name(field.name)).join(', ')
  const bound = values.map(([field, value]) => statement.bind(value, field)).join(', ')
  const rest = values.length === 0 ? session.emptyRow : `(${columns}) VALUES (${bound})`
  return stepOf(`INSERT INTO ${sql} ${rest}`, statement, 1, edit)
}

function assignments(session: ChangeSession, values: Given, { bind }: Writer): string {
  return values.map(([field, value]) => `${session.name(field.name)} = ${bind(value, field)}`).join(', ')
}

function rowStep(
  session: ChangeSession,
  { sql }: Table,
  { index, key, values, kind }: { index: number; key: Given; values: Given; kind: 'update' | 'delete' },
): Step {
  const statement = writer(session)
  const head = kind === 'delete' ? `DELETE FROM ${sql}` : `UPDATE ${sql} SET ${assignments(session, values, statement)}`
  return stepOf(`${head} WHERE ${whereKey(session, key, statement)}`, statement, 1, index)
}

function stepOf(statement: string, { values, shown }: Writer, rows: number, edit: number | null): Step {
  return { shown: { statement, values: shown, rows, changed: null, edit }, values }
}

/** What the builder inserts, updates, or deletes; its rows are counted by the same condition. */
export async function planBuilder(
  session: ChangeSession,
  table: Table,
  {
    action,
    definition,
    fill,
  }: { action: 'insert' | 'update' | 'delete'; definition: ExplorerPresetDefinition; fill: Fill },
): Promise<Plan> {
  const column = (name: string): QueryField => columnOf(table, name)
  const values = (definition.values ?? []).map(({ field, value, valueType = 'auto' }): Given[number] => {
    const wire = wireOfText(fill(value), valueType, column(field))
    return [column(field), checkedWire(wire, column(field), session.dialect === 'sqlite')]
  })
  if (action === 'insert') return { steps: [insertStep(session, table, values, null)], conflicts: [] }
  if (action === 'update' && values.length === 0) throw nothing(0)
  const filters = definition.filters ?? []
  const where = (statement: Writer): string =>
    filters.length === 0 ? '' : ` WHERE ${conditionOf(filters, session, { column, bind: statement.bind, fill })}`
  const counting = writer(session)
  const counted = await session.read(`SELECT count(*) FROM ${table.sql}${where(counting)}`, counting.values)
  const statement = writer(session)
  const head =
    action === 'delete'
      ? `DELETE FROM ${table.sql}`
      : `UPDATE ${table.sql} SET ${assignments(session, values, statement)}`
  return {
    steps: [stepOf(`${head}${where(statement)}`, statement, countIn(counted.rows[0]?.[0]), null)],
    conflicts: [],
  }
}
