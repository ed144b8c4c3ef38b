import type pg from 'pg'
import { scanSql } from '../../../language/sql/scan-sql.ts'
import type { Statement } from './read.types.ts'

/** A query without parameters, and the settings that it takes its values from. */
export interface SettingBinds {
  sql: string
  binds: string[]
}

/**
 * COPY takes no parameters, so values travel beside the SQL as settings of the transaction, never inside it. The server says which type
 * each `$1` has where it stands. The SQL must be known to be one statement.
 */
export async function bindsAsSettings(client: pg.Client, { sql, values }: Statement): Promise<SettingBinds> {
  if (values.length === 0) return { sql, binds: [] }
  await client.query(`PREPARE headgate_types AS ${sql}`)
  const { rows } = await client.query<{ type: string }>(
    `SELECT t.type FROM pg_prepared_statements, unnest(parameter_types::text[]) WITH ORDINALITY AS t(type, at)
     WHERE name = 'headgate_types' ORDER BY t.at`,
  )
  await client.query('DEALLOCATE headgate_types')
  let compiled = ''
  let at = 0
  for (const token of scanSql(sql, 'postgres').filter(({ kind }) => kind === 'positional')) {
    const index = Number(sql.slice(token.start + 1, token.end)) - 1
    const value = values[index] === null ? 'NULL' : `current_setting('${settingName(index)}')`
    compiled += `${sql.slice(at, token.start)}(${value}::${rows[index]?.type ?? 'text'})`
    at = token.end
  }
  return { sql: compiled + sql.slice(at), binds: values.map((value) => value ?? '') }
}

/** For the transaction under way. */
export async function setBinds(client: pg.Client, binds: readonly string[]): Promise<void> {
  for (const [index, value] of binds.entries()) {
    await client.query(`SELECT set_config($1, $2, true)`, [settingName(index), value])
  }
}

function settingName(index: number): string {
  return `headgate.bind_${index + 1}`
}
