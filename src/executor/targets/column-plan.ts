import type { ColumnDrift } from '../../contract/schema-drift.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import { originOf, type StreamColumn } from '../engine/column-origin.ts'
import { EngineError, fewNames } from '../engine/errors.ts'
import { findColumn } from '../engine/sql-text.ts'
import { databaseTypeOf, holds, valueKindOf, type DatabaseType, type ValueKind } from './type-map.ts'
import { runMessage } from '../../contract/run-messages.ts'

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
  writes: { from: StreamColumn; to: string }[]
  add: { name: string; type: string }[]
  widen: ColumnChange[]
  /** Given the type of the rows, with the rows that are there gone, by `schema.types: recreate`. */
  recreate: ColumnChange[]
  /** Left out, by `schema.columns: discard`. */
  discarded: string[]
}

export interface ColumnChange {
  name: string
  type: string
  from: string
}

/** What the plan is told beside the columns. */
export interface Shaping {
  log(message: string): void
  /** What differs between rows and table, before anything is done about it. */
  drift(found: readonly ColumnDrift[]): void
  /** See `Outgrown.narrow`; absent: the rows don't come through DuckDB. */
  outgrown?(existing: readonly TableColumn[]): Promise<ReadonlyMap<string, string | null>>
}

interface PlanOptions {
  /** The types that columns get in the table, by name, where those of the rows alone do not say it. */
  types?: ReadonlyMap<string, string>
  /** Columns of the table whose kind takes the values, but whose type does not: the type that would, null where none does. */
  narrow?: ReadonlyMap<string, string | null>
}

type Difference = ColumnDrift & { from?: StreamColumn; to?: TableColumn }

/** Where rows and table differ, and what the task's schema policy makes of it. The order of columns makes no difference. Pure. */
export function findDrift(
  target: TableTarget,
  stream: readonly StreamColumn[],
  table: readonly TableColumn[],
  database: DatabaseType,
  { types, narrow }: PlanOptions = {},
): Difference[] {
  const typeOf = (column: StreamColumn): string => types?.get(column.name) ?? databaseTypeOf(database, column.type)
  const found: Difference[] = []
  for (const from of stream) {
    const to = matching(table, from.name)
    if (!to) {
      const outcome = { evolve: 'added', freeze: 'refused', discard: 'left_out' } as const
      const coming = typeOf(from)
      found.push({ column: from.name, there: null, coming, outcome: outcome[target.schema.columns], from })
      continue
    }
    const kind = valueKindOf(from.type)
    const wider = narrow?.get(to.name)
    const fits = to.kind === null || holds(to.kind, kind) || originOf(from, database)?.type === to.type
    if (fits && wider === undefined) continue
    const change = { column: to.name, there: to.type, from, to }
    const { types: policy } = target.schema
    const widened = wider ?? (to.kind === null ? null : widerType(to.kind, kind, typeOf(from), database))
    if (policy === 'widen' && wider !== null && widened !== null)
      found.push({ ...change, coming: widened, outcome: 'widened' })
    else found.push({ ...change, coming: typeOf(from), outcome: policy === 'recreate' ? 'recreated' : 'refused' })
  }
  for (const to of table) {
    if (to.generated || stream.some((column) => sameName(column.name, to.name))) continue
    found.push({ column: to.name, there: to.type, coming: null, outcome: 'not_written', to })
  }
  return found
}

/** Decides by the task's schema policy; throws where it refuses what differs. Pure, but for what it tells. */
export function planColumns(
  target: TableTarget,
  stream: readonly StreamColumn[],
  table: readonly TableColumn[],
  database: DatabaseType,
  { drift, ...options }: PlanOptions & Pick<Partial<Shaping>, 'drift'> = {},
): ColumnPlan {
  const differences = findDrift(target, stream, table, database, options)
  drift?.(differences.map(({ column, there, coming, outcome }) => ({ column, there, coming, outcome })))
  const plan: ColumnPlan = { writes: [], add: [], widen: [], recreate: [], discarded: [] }
  for (const from of stream) {
    const to = matching(table, from.name)
    const difference = differences.find((one) => one.from === from)
    if (to?.generated) {
      throw new EngineError('SCHEMA_MISMATCH', runMessage('column_is_computed', { to: to.name, table: target.table }), {
        hint: runMessage('column_is_computed_fix'),
      })
    }
    if (to && difference) change(plan, target, from, to, difference, database)
    if (!to && difference?.outcome === 'left_out') plan.discarded.push(from.name)
    else plan.writes.push({ from, to: to?.name ?? from.name })
    if (!to && difference?.outcome === 'added') plan.add.push({ name: from.name, type: difference.coming ?? '' })
  }
  const lacking = differences.filter(({ there, outcome }) => there === null && outcome === 'refused')
  if (lacking.length > 0) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('table_lacks_columns', {
        table: target.table,
        columns: fewNames(lacking.map(({ column }) => column)),
      }),
      {
        hint: runMessage('table_lacks_columns_fix'),
      },
    )
  }
  if (plan.writes.length === 0) {
    throw new EngineError(
      'SCHEMA_MISMATCH',
      runMessage('table_has_no_column', {
        table: target.table,
        columns: fewNames(stream.map((column) => column.name)),
      }),
      {
        hint: runMessage('table_has_no_column_fix'),
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

function change(
  plan: ColumnPlan,
  target: TableTarget,
  from: StreamColumn,
  to: TableColumn,
  { outcome, coming }: ColumnDrift,
  database: DatabaseType,
): void {
  if (outcome === 'refused') throw typeMismatch(target, from, to, database)
  const changed = { name: to.name, type: coming ?? to.type, from: to.type }
  if (outcome === 'widened') plan.widen.push(changed)
  else plan.recreate.push(changed)
}

/** A new column whose type differs from the one in the way is told by which key of the task lets it in. */
function typeMismatch(target: TableTarget, from: StreamColumn, to: TableColumn, database: DatabaseType): EngineError {
  const value = valueKindOf(from.type)
  // Lists and objects fit by what is in them.
  const nested = value === 'json' && to.kind === 'json'
  const isWidened = to.kind !== null && widerType(to.kind, value, '', database) !== null
  const ways = [
    ...(target.schema.types === 'freeze' && isWidened
      ? [runMessage('widen_table_column')]
      : isWidened || database !== 'sqlite'
        ? []
        : [runMessage('change_column_to_text')]),
    ...(target.mode === 'replace' ? [runMessage('recreate_column')] : []),
  ]
  const cast = nested
    ? runMessage('cast_in_sql', { column: from.name, type: to.type })
    : runMessage('add_cast_step', { from: from.name })
  return new EngineError(
    'SCHEMA_MISMATCH',
    runMessage('column_type_differs', { to: to.name, table: target.table, type: to.type, given: from.type }),
    { hint: runMessage('column_type_differs_fix', { ways: [cast, ...ways] }) },
  )
}

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

function matching(table: readonly TableColumn[], column: string): TableColumn | undefined {
  return table.find((candidate) => sameName(candidate.name, column))
}

/**
 * The type that takes the column's values and those that come in; null: the column can't get it. `given`: what the latter alone would get.
 * SQLite changes no column that has rows, and would turn texts such as `007` into numbers in one that was declared for them.
 */
function widerType(column: ValueKind, value: ValueKind, given: string, database: DatabaseType): string | null {
  if (holds(value, column) && !(database === 'sqlite' && value === 'text')) return given
  const numbers: ReadonlySet<ValueKind> = new Set(['boolean', 'integer', 'float', 'decimal'])
  if (numbers.has(column) && numbers.has(value)) return databaseTypeOf(database, 'DOUBLE')
  return database === 'sqlite' && column !== 'blob' ? null : databaseTypeOf(database, 'VARCHAR')
}
