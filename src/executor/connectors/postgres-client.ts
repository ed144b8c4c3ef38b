import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { cancelled } from '../engine/duckdb.ts'
import { EngineError, codeOf, messageOf, type EngineErrorCode } from '../engine/errors.ts'
import { name } from '../engine/sql-text.ts'
import { configOf } from './config.ts'

const connectTimeoutMs = 10_000
/** Values stay the text that the server sent: nothing is rounded on the way. */
const asText = { getTypeParser: () => (value: string | null) => value }

export function clientOptions(connector: BoundConnector): pg.ClientConfig {
  const config = configOf(connector, 'postgres')
  const ssl = config.ssl ?? 'disable'
  return {
    host: config.host,
    port: config.port ?? 5432,
    database: config.database,
    user: config.user,
    password: connector.secrets['password'] ?? '',
    ssl: ssl === 'disable' ? false : { rejectUnauthorized: ssl === 'verify-full', servername: config.host },
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'headgate',
    keepAlive: true,
    types: asText,
  }
}

export function schemaOf(connector: BoundConnector): string {
  return configOf(connector, 'postgres').schema ?? 'public'
}

/** Settings of every session: plain forms of values, no waiting for locks without end. */
const sessionSettings = `SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET extra_float_digits = 3; SET bytea_output = 'hex'; SET lock_timeout = '30s'`
/** The server looks now and then whether we are still there, so that nothing of a killed worker runs on; older ones cannot. */
const noticeLoss = `DO $$ BEGIN PERFORM set_config('client_connection_check_interval', '1000', false); EXCEPTION WHEN OTHERS THEN NULL; END $$`

export interface PostgresSession {
  readonly client: pg.Client
  close(): Promise<void>
}

/** Connects. An abort cancels the statement at the server. Close it. */
export async function openPostgres(connector: BoundConnector, signal: AbortSignal): Promise<PostgresSession> {
  if (signal.aborted) throw cancelled()
  const client = new pg.Client(clientOptions(connector))
  // A connection that breaks while no statement runs would else end the process; the next statement fails and says why.
  client.on('error', () => undefined)
  const over = new AbortController()
  const cancel = (): void => void cancelStatements(connector, client, over.signal)
  const close = async (): Promise<void> => {
    over.abort()
    signal.removeEventListener('abort', cancel)
    await client.end().catch(() => undefined) // already gone
  }
  try {
    await client.connect()
    signal.addEventListener('abort', cancel)
    await client.query(`SET search_path = ${name(schemaOf(connector))}; ${sessionSettings}; ${noticeLoss}`)
    if (signal.aborted) throw cancelled()
    return { client, close }
  } catch (error) {
    await close()
    if (signal.aborted) throw cancelled()
    throw postgresError(error, connector)
  }
}

/** Connects, runs `work`, and closes. An abort cancels the statement at the server, then closes. */
export async function withPostgres<T>(
  connector: BoundConnector,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const session = await openPostgres(connector, signal)
  try {
    return await work(session.client)
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw postgresError(error, connector)
  } finally {
    await session.close()
  }
}

const cancelEveryMs = 250

/** Asks the server to stop what another connection of ours is doing, until it is over: the statement may only be on its way. */
async function cancelStatements(connector: BoundConnector, busy: pg.Client, over: AbortSignal): Promise<void> {
  const pid = (busy as unknown as { processID: number | null }).processID // set by the server's greeting; not in the types
  if (pid === null) return
  const second = new pg.Client({ ...clientOptions(connector), connectionTimeoutMillis: 1500 })
  second.on('error', () => undefined)
  try {
    await second.connect()
    while (!over.aborted) {
      await second.query('SELECT pg_cancel_backend($1)', [pid])
      await sleep(cancelEveryMs, undefined, { signal: over }).catch(() => undefined)
    }
  } catch {
    // The server cannot be reached any more: the connection itself is about to fail.
  } finally {
    await second.end().catch(() => undefined)
  }
}

interface Friendly {
  code: EngineErrorCode
  message: (detail: string, connector: BoundConnector) => string
  hint: string
}

const at = (connector: BoundConnector): string => {
  const { host, port, database } = configOf(connector, 'postgres')
  return `${host}:${port ?? 5432}/${database} (connector \`${connector.name}\`)`
}

const friendly: Record<string, Friendly> = {
  ENOTFOUND: {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The host name is not known: ${at(c)}`,
    hint: 'Check `host` for a typing mistake, and the name service of the executor’s machine.',
  },
  EAI_AGAIN: {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The host name could not be looked up: ${at(c)}`,
    hint: 'Check `host` and the network of the executor’s machine.',
  },
  ECONNREFUSED: {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `Nothing answers there: ${at(c)}`,
    hint: 'Check host and port, that PostgreSQL runs, and that it listens on that address.',
  },
  ECONNRESET: {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The connection was broken off: ${at(c)}`,
    hint: 'Check the server’s log; a network device may cut idle connections.',
  },
  ETIMEDOUT: {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The server did not answer in time: ${at(c)}`,
    hint: 'Check host, port and firewalls.',
  },
  '28P01': {
    code: 'AUTHENTICATION_FAILED',
    message: (_, c) => `The password was refused for user ${String(c.config['user'])} at ${at(c)}`,
    hint: 'Enter the password anew in the connector’s settings.',
  },
  '28000': {
    code: 'AUTHENTICATION_FAILED',
    message: (detail, c) => `The server refused the sign-in (${detail}): ${at(c)}`,
    hint: 'Check user, database and TLS in the connector’s settings, and pg_hba.conf at the server.',
  },
  '3D000': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `There is no database of that name: ${at(c)}`,
    hint: 'Check `database` in the connector’s settings.',
  },
  '53300': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The server has no connection free: ${at(c)}`,
    hint: 'Raise max_connections or run fewer tasks at once.',
  },
  '57P03': {
    code: 'CONNECTION_FAILED',
    message: (_, c) => `The server is starting or stopping: ${at(c)}`,
    hint: 'Try again in a moment.',
  },
  '57014': {
    code: 'DATABASE_REFUSED',
    message: (detail) => `The statement was cancelled: ${detail}`,
    hint: 'A statement timeout of the server may be too short.',
  },
  '55P03': {
    code: 'DATABASE_LOCKED',
    message: (detail, c) => `A table is locked by another session (${detail}): ${at(c)}`,
    hint: 'Let that session finish, then run again.',
  },
  '40P01': {
    code: 'DATABASE_LOCKED',
    message: (detail) => `Another session and this one waited for each other: ${detail}`,
    hint: 'Run it again.',
  },
  '42P01': {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Check the name and the schema; the connector’s page lists the tables.',
  },
  '3F000': {
    code: 'TABLE_NOT_FOUND',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Check `schema` in the connector’s settings.',
  },
  '42703': {
    code: 'COLUMN_NOT_FOUND',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Check the name; names with capitals need double quotes.',
  },
  '42501': {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => `The user ${String(c.config['user'])} may not do this (${detail}): ${at(c)}`,
    hint: 'Grant the right, or use another user.',
  },
  '42601': {
    code: 'SQL_INVALID',
    message: (detail) => `The SQL has a mistake: ${detail}`,
    hint: 'The query is in PostgreSQL’s dialect.',
  },
  '2BP01': {
    code: 'DATABASE_REFUSED',
    message: (detail, c) => `${detail}: ${at(c)}`,
    hint: 'Views or keys depend on the table: drop them first, or fill the table with `statements` instead.',
  },
  '25006': {
    code: 'SQL_NOT_ALLOWED',
    message: (detail) => `A source’s query may only read: ${detail}`,
    hint: 'Writing is the target’s part.',
  },
  '53100': {
    code: 'DISK_FULL',
    message: (detail) => `The server’s disk is full: ${detail}`,
    hint: 'Free some space at the server.',
  },
  '22021': {
    code: 'VALUE_INVALID',
    message: (detail) => `The server cannot keep a text: ${detail}`,
    hint: "PostgreSQL knows no NUL character: remove it with a `derive` step, replace(text, chr(0), '').",
  },
}

/** The driver's and the server's errors as ours: what, where, and what to do. */
export function postgresError(thrown: unknown, connector: BoundConnector): EngineError {
  if (thrown instanceof EngineError) return thrown
  const code = codeOf(thrown) ?? ''
  const message = messageOf(thrown)
  const known = friendly[code]
  if (known) return new EngineError(known.code, known.message(message, connector), { hint: known.hint, cause: thrown })
  const make = (own: EngineErrorCode, words: string, hint: string): EngineError =>
    new EngineError(own, words, { hint, cause: thrown })
  if (/does not support SSL/i.test(message)) {
    return make(
      'CONNECTION_FAILED',
      `The server offers no TLS: ${at(connector)}`,
      'Set TLS to `disable` in the connector’s settings, or turn TLS on at the server.',
    )
  }
  if (/^(CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO|ERR_TLS)/.test(code)) {
    return make(
      'CONNECTION_FAILED',
      `The server’s certificate was not accepted (${message}): ${at(connector)}`,
      'Install its authority on the executor’s machine, or set TLS to `require` to go without the check.',
    )
  }
  if (/timeout expired|Connection terminated/i.test(message)) {
    return make(
      'CONNECTION_FAILED',
      `The server did not answer in time, or broke off: ${at(connector)}`,
      'Check host, port, firewalls and the server’s log.',
    )
  }
  if (/password must be a string|SASL/i.test(message)) {
    return make(
      'AUTHENTICATION_FAILED',
      `The server wants a password: ${at(connector)}`,
      'Enter it in the connector’s settings.',
    )
  }
  if (code.startsWith('23')) {
    const detail = detailOf(thrown)
    return make(
      'CONSTRAINT_VIOLATED',
      `${message}${detail === '' ? '' : ` (${detail})`}: ${at(connector)}`,
      'Reject such rows before the target with an `expect` step, or use `mode: upsert`.',
    )
  }
  if (code.startsWith('22'))
    return make('VALUE_INVALID', `${message}: ${at(connector)}`, 'Add a `cast` step, or widen the column of the table.')
  if (code.startsWith('42'))
    return make(
      'SQL_INVALID',
      `${message}: ${at(connector)}`,
      'The query is in PostgreSQL’s dialect; check names and types.',
    )
  return make('DATABASE_REFUSED', `${message}: ${at(connector)}`, 'The server says why; its log says more.')
}

function detailOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return ''
  const parts = ['detail', 'where'].map((key) => (thrown as Record<string, unknown>)[key]) // fields of the server's message
  return parts.filter((part) => typeof part === 'string').join('; ')
}
