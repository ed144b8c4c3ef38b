import type { Column } from '../../contract/common.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import { findColumn } from '../engine/sql-text.ts'
import { databaseTypeOf, holds, valueKindOf, type DatabaseType, type ValueKind } from './type-map.ts'

/** A column of the table that is to be written. */
export interface TableColumn {
  name: string
  /** As declared. */
  type: string
  /** null: takes anything. */
  kind: ValueKind | null
  /** The database fills it itself and refuses values. */
  generated: boolean
}

/** Which columns of the stream go into which of the table, and what must be done to the table first. */
export interface ColumnPlan {
  writes: { from: Column; to: string }[]
  add: { name: string; type: string }[]
  widen: { name: string; type: string; from: string }[]
  /** Left out, by `schema.columns: discard`. */
  discarded: string[]
}

/** Decides by the task's schema policy. Pure. */
export function planColumns(
  target: TableTarget,
  stream: readonly Column[],
  table: readonly TableColumn[],
  database: DatabaseType,
): ColumnPlan {
  const plan: ColumnPlan = { writes: [], add: [], widen: [], discarded: [] }
  for (const from of stream) {
    const to = table.find((column) => column.name.toLowerCase() === from.name.toLowerCase())
    if (!to) {
      if (target.schema.columns === 'discard') plan.discarded.push(from.name)
      else {
        plan.add.push({ name: from.name, type: databaseTypeOf(database, from.type) })
        plan.writes.push({ from, to: from.name })
      }
      continue
    }
    if (to.generated) {
      throw new EngineError('SCHEMA_MISMATCH', `Column \`${to.name}\` of ${target.table} is computed by the database`, {
        hint: 'Drop the column in the task before the target.',
      })
    }
    const kind = valueKindOf(from.type)
    if (to.kind !== null && !holds(to.kind, kind)) {
      if (target.schema.types === 'freeze') throw typeMismatch(target, from, to)
      plan.widen.push({ name: to.name, type: widerType(to.kind, kind, from, database), from: to.type })
    }
    plan.writes.push({ from, to: to.name })
  }
  if (plan.add.length > 0 && target.schema.columns === 'freeze') {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      `Table ${target.table} has no column ${listNames(plan.add.map((column) => column.name))}`,
      { hint: 'Add the columns to the table, drop them in the task, or set `schema.columns` to evolve or discard.' },
    )
  }
  if (plan.writes.length === 0) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      `Table ${target.table} has none of the task’s columns (${listNames(stream.map((column) => column.name))})`,
      {
        hint: 'Rename the columns, or set `schema.columns: evolve`.',
      },
    )
  }
  for (const key of target.key)
    findColumn(
      plan.writes.map(({ from }) => from),
      key,
    )
  return plan
}

function typeMismatch(target: TableTarget, from: Column, to: TableColumn): EngineError {
  return new EngineError(
    'SCHEMA_MISMATCH',
    `Column \`${to.name}\` of ${target.table} is ${to.type}; the task gives ${from.type}`,
    { hint: `Add a \`cast\` step for \`${from.name}\`, or set \`schema.types: widen\` to widen the table’s column.` },
  )
}

function widerType(column: ValueKind, value: ValueKind, from: Column, database: DatabaseType): string {
  if (holds(value, column)) return databaseTypeOf(database, from.type)
  const numbers: ReadonlySet<ValueKind> = new Set(['boolean', 'integer', 'float', 'decimal'])
  if (numbers.has(column) && numbers.has(value)) return databaseTypeOf(database, 'DOUBLE')
  return databaseTypeOf(database, 'VARCHAR')
}
