import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import pg from 'pg'
import type { ForeignKey, ResourceDetail, ResourceSummary } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { parseTableName } from '../../../language/task/table-name.ts'
import { EngineError } from '../../engine/errors.ts'
import { name } from '../../engine/sql-text.ts'
import { runChecks } from '../checks.ts'
import { configOf } from '../config.ts'
import { mostResources, sampleRows, type ConnectorRunner } from '../connector.types.ts'
import { clientOptions, schemaOf, withPostgres } from './client.ts'
import { postgresError } from './errors.ts'
import { reachTcp, reachTls } from '../reach.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export const postgresConnector: ConnectorRunner = {
  type: 'postgres',
  async test(connector, io) {
    const { host, port = 5432, ssl = 'disable' } = configOf(connector, 'postgres')
    let client: pg.Client | null = null
    const ours = async <T>(work: () => Promise<T>): Promise<T> =>
      work().catch((error: unknown) => Promise.reject(postgresError(error, connector)))
    const query = (sql: string): Promise<unknown> => ours(async () => client?.query(sql))
    try {
      return await runChecks([
        // A path names the folder of the server's socket: there is nothing to look up.
        ...(host.startsWith('/')
          ? []
          : [{ name: 'resolve', run: () => ours(async () => (isIP(host) ? host : lookup(host))) }]),
        { name: 'connect', run: () => ours(() => reachTcp(host, port, io.signal)) },
        ...(ssl === 'disable'
          ? []
          : [{ name: 'tls', run: () => ours(() => reachTls(host, port, ssl === 'verify-full', io.signal)) }]),
        {
          name: 'authenticate',
          run: () =>
            ours(async () => {
              client = new pg.Client(clientOptions(connector))
              client.on('error', () => undefined) // told by the statement that meets it
              await client.connect()
            }),
        },
        { name: 'read_probe', run: () => ours(() => readProbe(client, connector)) },
        {
          name: 'write_probe',
          run: () =>
            query(
              'BEGIN; CREATE TEMP TABLE headgate_probe (id int) ON COMMIT DROP; INSERT INTO headgate_probe VALUES (1); ROLLBACK',
            ),
        },
      ])
    } finally {
      const open = client as pg.Client | null // assigned in a closure above
      await open?.end().catch(() => undefined) // already broken: the checks have said so
    }
  },
  listResources: (connector, q, io) =>
    withPostgres(connector, io.signal, async (client) => {
      const { rows } = await client.query<{
        schema: string
        name: string
        kind: string
        estimate: string
        bytes: string
      }>(
        `SELECT n.nspname AS schema, c.relname AS name, c.relkind AS kind, c.reltuples::bigint AS estimate,
                CASE WHEN c.relkind IN ('r', 'm') THEN pg_total_relation_size(c.oid) END AS bytes
         FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
         WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname NOT IN ('pg_catalog', 'information_schema')
           AND n.nspname NOT LIKE 'pg\\_%' AND has_schema_privilege(n.oid, 'USAGE')
           AND position(lower($1) IN lower(n.nspname || '.' || c.relname)) > 0
         ORDER BY n.nspname <> $2, n.nspname, c.relname LIMIT ${mostResources + 1}`,
        [q ?? '', schemaOf(connector)],
      )
      const resources = rows.slice(0, mostResources).map((row): ResourceSummary => ({
        name: displayName(row.schema, row.name, connector),
        kind: row.kind === 'v' || row.kind === 'm' ? 'view' : 'table',
        row_estimate: row.kind === 'v' || Number(row.estimate) < 0 ? null : Number(row.estimate),
        bytes: row.bytes === null ? null : Number(row.bytes),
      }))
      return { resources, truncated: rows.length > mostResources }
    }),
  getResource: (connector, wanted, io) =>
    withPostgres(connector, io.signal, (client) => describeTable(client, wanted, connector)),
}

async function readProbe(client: pg.Client | null, connector: BoundConnector): Promise<void> {
  const schema = schemaOf(connector)
  const found = await client?.query('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
  if (found?.rowCount === 0) {
    throw new EngineError('TABLE_NOT_FOUND', runMessage('schema_unknown', { schema }), {
      hint: runMessage('schema_unknown_fix'),
    })
  }
}

/** As a task writes it: without the schema where it is the connector's own, quoted where it must be. */
function displayName(schema: string, table: string, connector: BoundConnector): string {
  const part = (text: string): string =>
    parseTableName(text)?.name === text && !text.includes('.') ? text : name(text)
  return schema === schemaOf(connector) ? part(table) : `${part(schema)}.${part(table)}`
}

async function describeTable(client: pg.Client, wanted: string, connector: BoundConnector): Promise<ResourceDetail> {
  const parsed = parseTableName(wanted)
  const place = [parsed?.schema ?? schemaOf(connector), parsed?.name ?? wanted]
  const { rows: tables } = await client.query<{ oid: string; kind: string; estimate: string; bytes: string }>(
    `SELECT c.oid::text AS oid, c.relkind AS kind, c.reltuples::bigint AS estimate,
            CASE WHEN c.relkind IN ('r', 'm') THEN pg_total_relation_size(c.oid) END AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind IN ('r', 'p', 'v', 'm', 'f')`,
    place,
  )
  const table = tables[0]
  if (!table) {
    throw new EngineError(
      'TABLE_NOT_FOUND',
      runMessage('table_unknown', { table: wanted, connector: connector.name }),
      { hint: runMessage('table_unknown_fix') },
    )
  }
  const columns = await client.query<{
    name: string
    type: string
    nullable: string
    pk: string
    default: string | null
  }>(
    `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, (NOT a.attnotnull)::text AS nullable,
            (EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisprimary AND a.attnum = ANY (i.indkey)))::text AS pk,
            pg_get_expr(d.adbin, d.adrelid) AS default
     FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`,
    [table.oid],
  )
  const indexes = await client.query<{ name: string; unique: string; columns: string }>(
    `SELECT c.relname AS name, i.indisunique::text AS unique,
            (SELECT json_agg(pg_get_indexdef(i.indexrelid, at::int, true) ORDER BY at) FROM generate_series(1, i.indnkeyatts) at)::text AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = $1::oid ORDER BY c.relname`,
    [table.oid],
  )
  const list = columns.rows
    .map((column) => `left(${name(column.name)}::text, 10000) AS ${name(column.name)}`)
    .join(', ')
  const from = `${name(place[0] ?? '')}.${name(place[1] ?? '')}`
  const sample = await client.query<(string | null)[]>({
    text: `SELECT ${list === '' ? '1' : list} FROM ${from} LIMIT ${sampleRows}`,
    rowMode: 'array',
  })
  return {
    name: wanted,
    kind: table.kind === 'v' || table.kind === 'm' ? 'view' : 'table',
    row_estimate: table.kind === 'v' || Number(table.estimate) < 0 ? null : Number(table.estimate),
    bytes: table.bytes === null ? null : Number(table.bytes),
    columns: columns.rows.map((row) => ({
      name: row.name,
      type: row.type,
      nullable: row.nullable === 'true',
      primary_key: row.pk === 'true',
      default: row.default,
    })),
    indexes: indexes.rows.map((row) => ({
      name: row.name,
      unique: row.unique === 'true',
      columns: JSON.parse(row.columns) as string[],
    })), // text by the query
    ...(await foreignKeysOf(client, table.oid, connector)),
    sample: {
      columns: columns.rows.map((row) => ({ name: row.name, type: row.type })),
      rows: sample.rows.map((row) =>
        row.map((value, index) => sampleValue(value, columns.rows[index]?.type ?? 'text')),
      ),
    },
  }
}

/** Partitions repeat the keys of their table, and of the table that they refer to: each is listed once. */
async function foreignKeysOf(
  client: pg.Client,
  oid: string,
  connector: BoundConnector,
): Promise<Required<Pick<ResourceDetail, 'foreign_keys' | 'referenced_by'>>> {
  const names = (list: string, table: string) =>
    `(SELECT json_agg(a.attname ORDER BY k.at) FROM unnest(con.${list}) WITH ORDINALITY AS k (num, at)
      JOIN pg_attribute a ON a.attrelid = con.${table} AND a.attnum = k.num)::text`
  const keys = async (own: 'conrelid' | 'confrelid', other: 'conrelid' | 'confrelid'): Promise<ForeignKey[]> => {
    const { rows } = await client.query<{
      name: string
      schema: string
      table: string
      columns: string
      references: string
    }>(
      `SELECT con.conname AS name, n.nspname AS schema, c.relname AS table, ${names('conkey', 'conrelid')} AS columns,
              ${names('confkey', 'confrelid')} AS references
       FROM pg_constraint con JOIN pg_class c ON c.oid = con.${other} JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE con.contype = 'f' AND con.${own} = $1::oid
         AND NOT EXISTS (SELECT 1 FROM pg_constraint p WHERE p.oid = con.conparentid AND p.${own} = con.${own})
       ORDER BY n.nspname, c.relname, con.conname`,
      [oid],
    )
    return rows.map((row) => ({
      name: row.name,
      table: displayName(row.schema, row.table, connector),
      // Lists of text by the query.
      columns: JSON.parse(row.columns) as string[],
      references: JSON.parse(row.references) as string[],
    }))
  }
  return { foreign_keys: await keys('conrelid', 'confrelid'), referenced_by: await keys('confrelid', 'conrelid') }
}

/** Numbers and booleans as JSON has them, as far as it can hold them; the rest is text. */
function sampleValue(value: string | null, type: string): unknown {
  if (value === null) return null
  if (type === 'boolean') return value === 'true' || value === 't'
  if (/^(smallint|integer|bigint|real|double precision)$/.test(type)) {
    const number = Number(value)
    return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number)) ? number : value
  }
  return value
}
