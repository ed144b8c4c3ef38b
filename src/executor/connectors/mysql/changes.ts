import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import type { OpenChanges } from '../changes.types.ts'
import { wireText } from '../wire-values.ts'
import { configOf } from '../config.ts'
import { mysqlTable } from './catalog.ts'
import { mysqlName, openMysql, type MysqlValue } from './client.ts'
import { numberOf } from './errors.ts'
import { fieldOf, readerOf, refuseActs } from './results.ts'
import { requireTransactions } from './table.ts'
import { bindValue } from './values.ts'

/** Deadlock; a row that has changed since it was read. */
const conflicts: ReadonlySet<number | null> = new Set([1213, 1020])

/** Serializable: what is counted stays locked, so that the change touches the same rows. */
export const openMysqlChanges: OpenChanges = async (connector, access, { signal }) => {
  const session = await openMysql(connector, signal, { strict: true })
  return {
    dialect: 'mysql',
    name: mysqlName,
    lock: access === 'write' ? ' FOR UPDATE' : '',
    emptyRow: '() VALUES ()',
    async table(resource) {
      const place = mysqlTable(resource, connector)
      await requireTransactions(session, resource, place)
      return place.sql
    },
    async refuseTarget(written) {
      const parts = written.split(/\s*\.\s*(?=(?:[^`]*`[^`]*`)*[^`]*$)/).map(unquoted)
      const table = parts.at(-1) ?? ''
      const schema = parts.length > 1 ? parts[0] : undefined
      const place = { schema: schema ?? configOf(connector, 'mysql').database, table, sql: '' }
      await requireTransactions(session, written, place)
    },
    refuseActs: async (sql) => refuseActs(sql),
    bind: (value, field) => ({
      // Text would be compared as floating point.
      sql: field.type === 'decimal' ? 'CAST(? AS DECIMAL(65,30))' : '?',
      value: boundOf(value, field),
    }),
    bindJson: bindValue,
    async begin() {
      if (access === 'write') await session.run('SET SESSION TRANSACTION ISOLATION LEVEL SERIALIZABLE')
      await session.run(access === 'write' ? 'START TRANSACTION' : 'START TRANSACTION READ ONLY')
    },
    async read(sql, values) {
      let fields: QueryField[] = []
      let reads: ReturnType<typeof readerOf>[] = []
      const rows: WireValue[][] = []
      await session.each(sql, values as unknown[], {
        fields(described) {
          fields = described.map(fieldOf)
          reads = described.map(readerOf)
        },
        row: (row: MysqlValue[]) =>
          void rows.push(row.map((value, at) => (value === null ? null : (reads[at]?.(value) ?? null)))),
      })
      return { fields, rows }
    },
    run: async (sql, values) =>
      (await session.each(sql, values as unknown[], { row: () => undefined }))?.affectedRows ?? 0,
    commit: async () => void (await session.run('COMMIT')),
    isConflict: (error) => conflicts.has(numberOf(error instanceof Error ? error.cause : undefined)),
    close: async () => session.close(),
  }
}

const unquoted = (name: string): string => (name.startsWith('`') ? name.slice(1, -1).replaceAll('``', '`') : name)

function boundOf(value: WireValue, { type, native }: QueryField): unknown {
  if (value === null) return null
  if (type === 'bytes') return Buffer.from(wireText(value), 'base64')
  if (type === 'integer' || type === 'bigint') return BigInt(wireText(value))
  // The time zone of our sessions is UTC.
  if (type === 'datetime_tz' || native === 'timestamp') return wireText(value).replace(/Z$/, '')
  return typeof value === 'number' ? value : wireText(value)
}
