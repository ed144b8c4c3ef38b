import type pg from 'pg'
import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import { compileBinds, writtenOffset } from '../../../language/sql-binds.ts'
import { name } from '../../engine/sql-text.ts'
import { mustBeginWith, mustHaveValues, notAllowed, outlineOf, refuseCalls, type SqlOutline } from '../read-only.ts'
import type { MistakeAt, StreamResult } from '../results.types.ts'
import { wireDouble, wireMoment } from '../wire-values.ts'
import { schemaOf, withPostgres } from './client.ts'
import { Portal, textsOf, type PortalHandlers } from './portal.ts'
import { textRows } from './text-rows.ts'
import { bindText } from './values.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/**
 * Functions that act, or that see more than the database, and those that run SQL given as text. What the read-only transaction refuses
 * anyway (`nextval`) is not listed.
 */
const closed =
  /^(pg_(read|stat)_(binary_)?file(_old)?|pg_ls_.*|pg_file_.*|pg_logdir_ls|pg_(terminate|cancel)_backend|pg_reload_conf|pg_rotate_logfile.*|pg_switch_(wal|xlog)|pg_create_.*|pg_drop_.*|pg_copy_.*|pg_(start|stop)_backup|pg_backup_.*|pg_promote|pg_wal_replay_.*|pg_logical_.*|pg_replication_.*|pg_(try_)?advisory_.*|pg_notify|pg_log_.*|pg_stat_reset.*|pg_stat_statements_reset|pg_prewarm|pg_export_snapshot|pg_import_.*|pg_extension_config_dump|pg_execute_server_program|set_config|lo_(?!get$).*|lowrite|loread|dblink.*|postgres_fdw_.*|(query|cursor)_to_xml.*|ts_stat|ts_rewrite|crosstab.*|connectby|xpath_table|plpgsql_.*|brin_(de)?summarize_.*|gin_clean_pending_list|pg_nextoid|pg_stop_making_pinned_objects)$/

/** The server's own clock is the second one: the executor's says what happened. */
const graceMs = 5000
const first = ['select', 'with', 'values', 'table', 'show', 'explain'] as const

/** A read-only transaction in a session of its own, one statement in the extended protocol, rows in batches. */
export const streamPostgres: StreamResult = ({ connector, query, parameters, timeoutMs }, sink, { signal }) =>
  withPostgres(connector, signal, async (client) => {
    const { sql, names } = compileBinds(query, 'postgres')
    mustHaveValues(names, parameters)
    const outline = outlineOf(sql, 'postgres')
    check(sql, outline)
    // Quotes must mean to the server what they mean to the check.
    await client.query(
      `SET standard_conforming_strings = on; SET statement_timeout = ${timeoutMs + graceMs}; SET idle_in_transaction_session_timeout = '10min'; BEGIN READ ONLY; SET LOCAL search_path = ${name(schemaOf(connector))}`,
    )
    await refuseUntrusted(client, outline)
    const values = names.map((bind) => bindText(parameters[bind] ?? null))
    let take: PortalHandlers['row'] = () => null
    const portal = new Portal(sql, values, {
      async fields(described) {
        if (described.length === 0) throw notAllowed(runMessage('statement_gives_no_rows'))
        const fields = described.map(fieldOf)
        sink.start(fields, sql)
        const texts = sink.texts?.() ?? null
        const reads = fields.map(readerOf)
        take = texts
          ? textRows(fields, readerOf, texts)
          : (bytes, at) =>
              sink.row(
                textsOf(bytes, at).map((value, field) => (value === null ? null : (reads[field] ?? asItIs)(value))),
              )
      },
      row: (bytes, at) => take(bytes, at),
    })
    client.query(portal)
    await portal.complete
    // Closing the connection ends the transaction; nothing was changed that could be kept.
    await client.query('ROLLBACK')
  })

/** The server counts characters from 1, in what was sent. */
export const mistakeAtPostgres: MistakeAt = ({ cause }, query) => {
  const position = Number((cause as { position?: unknown } | undefined)?.position ?? 0)
  if (!(position > 0)) return null
  const before = [...compileBinds(query, 'postgres').sql].slice(0, position - 1).join('')
  return writtenOffset(query, 'postgres', before.length)
}

/** Refuses what acts, or reaches out, though the transaction only reads. */
export async function refuseActs(client: pg.Client, sql: string): Promise<void> {
  const outline = outlineOf(sql, 'postgres')
  if (/\bu&\s*"/i.test(sql)) throw notAllowed(runMessage('unicode_names_refused'))
  refuseCalls(closed, outline)
  await refuseUntrusted(client, outline)
}

function check(sql: string, outline: SqlOutline): void {
  mustBeginWith(first, outline)
  if (outline.words[0] === 'explain') mustBeginWith(['select', 'with', 'values', 'table'], explained(outline))
  // Escaped names would hide what is called.
  if (/\bu&\s*"/i.test(sql)) throw notAllowed(runMessage('unicode_names_refused'))
  refuseCalls(closed, outline)
}

const options = new Set(
  'analyze verbose costs buffers wal timing summary settings generic_plan memory serialize format text json xml yaml on off true false none binary'.split(
    ' ',
  ),
)

function explained({ words, ...rest }: SqlOutline): SqlOutline {
  const at = words.findIndex((word, index) => index > 0 && !options.has(word))
  return { ...rest, words: at < 0 ? [] : words.slice(at) }
}

/** Functions in languages that reach beyond the database: the catalog says which of those that the query names are such. */
async function refuseUntrusted(client: pg.Client, { called }: SqlOutline): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT p.proname AS name FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
       JOIN pg_catalog.pg_language l ON l.oid = p.prolang
     WHERE lower(p.proname) = ANY ($1) AND n.nspname <> 'pg_catalog' AND NOT l.lanpltrusted
       AND l.lanname <> 'sql' AND (p.provolatile = 'v' OR l.lanname NOT IN ('c', 'internal')) LIMIT 1`,
    [bindText(called)],
  )
  const [found] = rows
  if (found) throw notAllowed(runMessage('function_reaches_out', { name: found.name }))
}

/** PostgreSQL's own numbers of its types. */
const types: Readonly<Record<number, readonly [ValueType, string]>> = {
  16: ['boolean', 'boolean'],
  17: ['bytes', 'bytea'],
  20: ['bigint', 'bigint'],
  21: ['integer', 'smallint'],
  23: ['integer', 'integer'],
  25: ['text', 'text'],
  26: ['bigint', 'oid'],
  114: ['json', 'json'],
  700: ['double', 'real'],
  701: ['double', 'double precision'],
  1042: ['text', 'character'],
  1043: ['text', 'character varying'],
  1082: ['date', 'date'],
  1083: ['time', 'time'],
  1114: ['datetime', 'timestamp'],
  1184: ['datetime_tz', 'timestamp with time zone'],
  1700: ['decimal', 'numeric'],
  2950: ['uuid', 'uuid'],
  3802: ['json', 'jsonb'],
}

export function fieldOf({ name: field, dataTypeID }: { name: string; dataTypeID: number }): QueryField {
  const [type, native] = types[dataTypeID] ?? ['text', '']
  return { name: field, type, native }
}

const asItIs = (value: string): WireValue => value
const readers: Partial<Record<ValueType, (value: string) => WireValue>> = {
  boolean: (value) => value === 't',
  integer: Number,
  double: (value) => wireDouble(Number(value)),
  // `bytea_output` of our sessions is hex.
  bytes: (value) => Buffer.from(value.slice(2), 'hex').toString('base64'),
  datetime: wireMoment,
  datetime_tz: wireMoment,
}

/** How a field's values are told, from the server's text. */
export const readerOf = (field: QueryField | undefined): ((value: string) => WireValue) =>
  (field && readers[field.type]) ?? asItIs
