import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { name } from '../../engine/sql-text.ts'
import { configOf } from '../config.ts'
import { postgresError } from './errors.ts'

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

/** How long a statement waits for a lock of another session. */
export const lockTimeout = '30s'

/** Settings of every session: plain forms of values, no waiting for locks without end. */
const sessionSettings = `SET DateStyle = 'ISO, YMD'; SET IntervalStyle = 'postgres'; SET TimeZone = 'UTC'; SET extra_float_digits = 3; SET bytea_output = 'hex'; SET lock_timeout = '${lockTimeout}'`
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
