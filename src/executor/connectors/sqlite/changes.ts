import type { Statement } from 'better-sqlite3'
import type { QueryField, WireValue } from '../../../contract/query-values.ts'
import { name } from '../../engine/sql-text.ts'
import type { OpenChanges } from '../changes.types.ts'
import { sqliteConnector } from './connector.ts'
import { openSqlite, sqliteError, whenUnlocked } from './database.ts'
import { fieldOf, wireValue } from './results.ts'
import { bindValue } from './values.ts'

/** The file is locked for writing from the start: nobody changes what was compared and counted. */
export const openSqliteChanges: OpenChanges = async (connector, access, io) => {
  // Writing would make a file that is missing.
  if (access === 'write') openSqlite(connector, 'read').close()
  const database = openSqlite(connector, access)
  const unlocked = <T>(work: () => T): Promise<T> => whenUnlocked(connector, io.signal, work)
  const translateErrors = async <T>(work: () => T): Promise<T> => {
    try {
      return await unlocked(work)
    } catch (error) {
      throw sqliteError(error, connector)
    }
  }
  const prepare = (sql: string): Statement => database.prepare(sql)
  return {
    dialect: 'sqlite',
    name,
    lock: '',
    emptyRow: 'DEFAULT VALUES',
    table: async (resource) => name((await sqliteConnector.getResource(connector, resource, io)).name),
    bind: (value, field) => ({ sql: '?', value: storedOf(value, field) }),
    bindJson: bindValue,
    begin: async () => void (await unlocked(() => database.exec(access === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN'))),
    read: (sql, values) =>
      translateErrors(() => {
        const statement = prepare(sql)
        const fields = statement.columns().map(fieldOf)
        const rows = statement.raw().safeIntegers().all(values) as unknown[][] // raw rows are lists
        return { fields, rows: rows.map((row) => row.map((value, at) => wireValue(value, fields[at]?.type ?? 'any'))) }
      }),
    run: (sql, values) =>
      translateErrors(() => {
        const statement = prepare(sql)
        // RETURNING gives rows.
        if (statement.reader) statement.all(values)
        else statement.run(values)
        return Number(prepare('SELECT changes()').pluck().get())
      }),
    commit: async () => void (await unlocked(() => database.exec('COMMIT'))),
    isConflict: () => false,
    async close() {
      database.close()
    },
  }
}

/** A value as SQLite stores it; what the column makes of it is the column's affair. */
function storedOf(value: WireValue, { type }: QueryField): unknown {
  if (value === null) return null
  const [own, form] = typeof value === 'object' ? (Object.entries(value)[0] ?? [type, null]) : [type, value]
  if (own === 'bytes') return Buffer.from(String(form), 'base64')
  if (own === 'double') return Number(form)
  if (own === 'integer' || own === 'bigint') return BigInt(String(form))
  return own === 'boolean' ? (form === true ? 1n : 0n) : String(form)
}
