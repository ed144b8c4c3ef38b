import type { WireValue } from '../../../contract/query-values.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { codeOf } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import type { Bound, OpenChanges } from '../changes.types.ts'
import { wireText } from '../wire-values.ts'
import { openPostgres, schemaOf } from './client.ts'
import { postgresError } from './errors.ts'
import { Portal, textsOf } from './portal.ts'
import { fieldOf, readerOf, refuseActs } from './results.ts'
import { bindText } from './values.ts'

/** What a transaction of one snapshot meets when others wrote: serialization failure, deadlock. */
const conflicts: ReadonlySet<string | undefined> = new Set(['40001', '40P01'])

/** One snapshot for what is compared, counted, and changed: rows that others write meanwhile end the transaction. */
export const openPostgresChanges: OpenChanges = async (connector, access, { signal }) => {
  const { client, close } = await openPostgres(connector, signal)
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    if (signal.aborted) throw cancelled()
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw cancelled()
      throw postgresError(error, connector)
    }
  }
  return {
    dialect: 'postgres',
    name,
    lock: access === 'write' ? ' FOR UPDATE' : '',
    emptyRow: 'DEFAULT VALUES',
    async table(resource) {
      const parsed = parseTableName(resource)
      return `${name(parsed?.schema ?? schemaOf(connector))}.${name(parsed?.name ?? resource)}`
    },
    refuseActs: (sql) => guarded(() => refuseActs(client, sql)),
    bind: (value, { type }, at) => ({ sql: `$${at}`, value: textOf(value, type === 'bytes') }),
    bindJson: bindText,
    begin: () =>
      guarded(async () => {
        await client.query(
          `SET standard_conforming_strings = on; BEGIN ISOLATION LEVEL REPEATABLE READ${access === 'read' ? ' READ ONLY' : ''}`,
        )
      }),
    read: (sql, values) =>
      guarded(async () => {
        let fields: ReturnType<typeof fieldOf>[] = []
        const rows: WireValue[][] = []
        const portal = new Portal(sql, texts(values), {
          async fields(described) {
            fields = described.map(fieldOf)
          },
          row(bytes, at) {
            rows.push(textsOf(bytes, at).map((value, at) => (value === null ? null : readerOf(fields[at])(value))))
            return null
          },
        })
        client.query(portal)
        await portal.complete
        return { fields, rows }
      }),
    run: (text, values) =>
      guarded(async () => {
        // The extended protocol takes one statement only. queryMode is not in the types.
        const query = { text, values: texts(values), queryMode: 'extended' } as { text: string; values: unknown[] }
        return (await client.query(query)).rowCount ?? 0
      }),
    commit: () => guarded(async () => void (await client.query('COMMIT'))),
    isConflict: (error) => conflicts.has(codeOf(error instanceof Error ? error.cause : undefined)),
    close,
  }
}

/** Named binds are SQLite's alone. */
const texts = (values: Bound): (string | null)[] => values as (string | null)[] // by `bind` and `bindJson`

/** As the server's input functions read it; the column says the type. */
function textOf(value: WireValue, isBytes: boolean): string | null {
  if (value === null) return null
  return isBytes ? `\\x${Buffer.from(wireText(value), 'base64').toString('hex')}` : wireText(value)
}
