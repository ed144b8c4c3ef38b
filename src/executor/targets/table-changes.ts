import type { Column } from '../../contract/common.ts'
import type { TableTarget } from '../../language/task/targets/target.types.ts'
import type { ChangeTest } from '../engine/change-test.ts'
import type { StreamColumn } from '../engine/column-origin.ts'
import { codeOf } from '../engine/errors.ts'
import type { StageContext } from '../engine/lane.types.ts'
import type { ColumnPlan } from './column-plan.ts'
import { duckDbChanges } from '../connectors/duckdb/fields.ts'
import { isDatabase, lookers } from './look.ts'
import { mysqlChanges } from '../connectors/mysql/literals.ts'
import { postgresChanges } from '../connectors/postgres/exact.ts'
import { sqliteChanges } from '../connectors/sqlite/fields.ts'
import { databaseTypeOf, type DatabaseType } from './type-map.ts'

/** A column of a table, as declared. */
interface Declared {
  name: string
  type: string
}

const testsOf: Record<DatabaseType, (writes: ColumnPlan['writes'], columns: readonly Declared[]) => ChangeTest[]> = {
  sqlite: sqliteChanges,
  postgres: postgresChanges,
  mysql: mysqlChanges,
  duckdb: duckDbChanges,
}

/** Values that a table changes. `existing`: its columns; others become what a new column would. */
export function changesInto(
  database: DatabaseType,
  columns: readonly Column[],
  existing: readonly Declared[],
): ChangeTest[] {
  const into = columns.map((from) => {
    const found = existing.find((column) => column.name.toLowerCase() === from.name.toLowerCase())
    return { from, to: found ?? { name: from.name, type: databaseTypeOf(database, from.type) } }
  })
  return testsOf[database](
    into.map(({ from, to }) => ({ from, to: to.name })),
    into.map(({ to }) => to),
  )
}

/** For the preview: the table is looked at, and nothing is written. */
export async function tableChanges(
  target: TableTarget,
  columns: readonly StreamColumn[],
  context: StageContext,
): Promise<readonly ChangeTest[]> {
  const connector = context.connector(target.connector)
  if (!isDatabase(connector.type)) return []
  try {
    const found = await lookers[connector.type](target, connector, columns, context)
    return changesInto(
      connector.type,
      columns,
      found.columns.map(({ name, type, base }) => ({ name, type: base ?? type })),
    )
  } catch (error) {
    // A database that is not there yet is made by the run.
    if (codeOf(error) === 'CANCELLED') throw error
    return changesInto(connector.type, columns, [])
  }
}
