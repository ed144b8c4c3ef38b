import type { ColumnOrigin, PrimaryKey } from '../../engine/column-origin.ts'
import type { MysqlSession } from './client.ts'
import { mysqlColumns, type MysqlColumn, type MysqlTable } from './catalog.ts'

/** Types that MySQL and MariaDB share, and whose values are read and written as they are; shapes, `uuid`, `inet6` and others are not. */
const shared =
  /^(tinyint|smallint|mediumint|int|bigint|decimal|float|double|bit|char|varchar|binary|varbinary|(tiny|medium|long)?(text|blob)|date|datetime|timestamp|time|year|enum|set|json)\b/

/** What a table says of its columns. `nulled`: those with values that were read as NULL. */
export async function originsOf(
  session: MysqlSession,
  table: MysqlTable,
  nulled: ReadonlySet<string>,
): Promise<ColumnOrigin[]> {
  const columns = await mysqlColumns(session, table)
  const key = await primaryKeyOf(session, table)
  return columns.map((column) => ({
    database: 'mysql',
    name: column.name,
    type: column.type,
    declared: declaredOf(column),
    made: null,
    notNull: !column.nullable && !nulled.has(column.name),
    key: key?.columns.includes(column.name) ? key : null,
  }))
}

function declaredOf({ type, json, collation }: MysqlColumn): string {
  if (json) return 'json'
  return collation === null ? type : `${type} CHARACTER SET ${collation.split('_')[0]} COLLATE ${collation}`
}

/** null: none, or one over the beginnings of texts. */
async function primaryKeyOf(session: MysqlSession, { schema, table }: MysqlTable): Promise<PrimaryKey | null> {
  const rows = await session.rows(
    `SELECT column_name, sub_part FROM information_schema.statistics
     WHERE table_schema = ? AND table_name = ? AND index_name = 'PRIMARY' ORDER BY seq_in_index`,
    [schema, table],
  )
  if (rows.length === 0 || rows.some(([, part]) => part !== null)) return null
  return { columns: rows.map(([column]) => String(column)), lost: null }
}

/** Whether a server takes a column as it was declared in another one. */
export async function takesDeclared(
  session: MysqlSession,
  origins: readonly ColumnOrigin[],
): Promise<(origin: ColumnOrigin) => boolean> {
  const collation = ({ declared }: ColumnOrigin): string | undefined => / COLLATE (\w+)$/.exec(declared)?.[1]
  const asked = [...new Set(origins.flatMap((origin) => collation(origin) ?? []))]
  const found =
    asked.length === 0
      ? []
      : await session.rows(
          `SELECT collation_name FROM information_schema.collations WHERE collation_name IN (${asked.map(() => '?').join(', ')})`,
          asked,
        )
  const known = new Set(found.map(([one]) => String(one)))
  return (origin) => {
    const wanted = collation(origin)
    return shared.test(origin.declared) && (wanted === undefined || known.has(wanted))
  }
}
