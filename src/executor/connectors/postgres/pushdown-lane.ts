import type pg from 'pg'
import { schemaOf, withPostgres } from './client.ts'
import { refuseReadOnly } from '../config.ts'
import { name, names } from '../../engine/sql-text.ts'
import { bindsAsSettings, setBinds } from './binds.ts'
import { describe, originsOf, statementOf } from './read.ts'
import type { ColumnOrigin, StreamColumn } from '../../engine/column-origin.ts'
import { fillTable } from './write.ts'
import { refusalOf } from './refusal.ts'
import type { ColumnPlan } from '../../targets/column-plan.ts'
import { LaneUnfit, type DirectCopy, type RunDirect } from '../../lanes/direct.types.ts'
import { requireSameTypes } from './lane-types.ts'

/** One INSERT … SELECT; the other modes stage the rows first, as always. */
export const pushDownPostgres: RunDirect = (copy) => {
  refuseReadOnly(copy.to)
  return withPostgres(copy.to, copy.signal, async (client) => {
    const read = await readOf(client, copy)
    copy.opened()
    return fillTable(
      client,
      { ...copy, connector: copy.to, columns: read.columns },
      {
        uncounted: true,
        begun: () => setBinds(client, read.binds),
        suits: (plan, table) => requireSameTypes(plan, read.types, table, false),
        async fill(into, plan) {
          // One statement reads and writes: there is no way on which a row could be lost, and one count.
          const { rowCount } = await client
            .query(`INSERT INTO ${into} ${selectOf(read, plan)}`)
            .catch((error: unknown) => {
              throw refusalOf(error, copy.target.table, copy.to, { reads: true })
            })
          return { rows: rowCount ?? 0, taken: rowCount ?? 0 }
        },
        staged: (stage, keys) => requireKeys(client, copy, stage, keys),
      },
    )
  })
}

export interface DirectRead {
  /** Without parameters, with the names of the target. */
  sql: string
  binds: string[]
  /** In DuckDB's types: what decides about a new table is the same in every lane. */
  columns: StreamColumn[]
  /** PostgreSQL's types by name. */
  types: Map<string, string>
}

/** Looks at the source in a transaction of its own, which locks nothing afterwards. */
export async function readOf(client: pg.Client, { source, from, through }: DirectCopy): Promise<DirectRead> {
  await client.query('BEGIN READ ONLY')
  try {
    const statement = statementOf(source.read, schemaOf(from), null)
    const columns = await describe(client, statement)
    const { sql, binds } = await bindsAsSettings(client, statement)
    const origins = await originsOf(client, source.read, schemaOf(from), columns)
    const kept = through(columns)
    const list = kept.map((column) => `${name(column.from)} AS ${name(column.to)}`).join(', ')
    return {
      sql: `SELECT ${list} FROM (${sql}) AS headgate_source`,
      binds,
      columns: kept.map((column) => streamed(column.to, typeOf(columns[column.at]), origins[column.at])),
      types: new Map(kept.map((column) => [column.to, origins[column.at]?.type ?? ''])),
    }
  } finally {
    await client.query('ROLLBACK').catch(() => undefined) // the connection may be broken; it is closed next
  }
}

function streamed(column: string, type: string, origin: ColumnOrigin | undefined): StreamColumn {
  return origin ? { name: column, type, origin: { ...origin, as: type } } : { name: column, type }
}

/** A numeric of any size is a number, if only its values say which: a new table is then for the columnar lane. */
function typeOf(column: { type: string; duckdb: string } | undefined): string {
  return column?.duckdb === 'VARCHAR' && column.type.startsWith('numeric')
    ? 'DECIMAL(38,9)'
    : (column?.duckdb ?? 'VARCHAR')
}

/** The source's columns in the order in which they are written. */
export function selectOf({ sql }: DirectRead, plan: ColumnPlan): string {
  return `SELECT ${names(plan.writes.map(({ from }) => from.name))} FROM (${sql}) AS headgate_rows`
}

/** Rows without a key, or with the same one, are for the columnar lane: it rejects the former, and the last of the latter wins. */
export async function requireKeys(
  client: pg.Client,
  { target }: DirectCopy,
  stage: string,
  keys: readonly string[],
): Promise<void> {
  if (target.mode === 'replace' || target.mode === 'append') return
  const missing = keys.map((key) => `${name(key)} IS NULL`).join(' OR ')
  const { rows } = await client.query<{ odd: string }>(
    target.mode === 'delete_insert'
      ? `SELECT exists(SELECT FROM ${stage} WHERE ${missing}) AS odd`
      : `SELECT exists(SELECT FROM ${stage} WHERE ${missing}) OR exists(SELECT FROM ${stage} GROUP BY ${names(keys)} HAVING count(*) > 1) AS odd`,
  )
  if (rows[0]?.odd === 't') throw new LaneUnfit('rows have no key, or the key of another')
}
