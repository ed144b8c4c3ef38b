import type * as mongodb from 'mongodb'
import type { ClientSession, Db, MongoClient, MongoClientOptions } from 'mongodb'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError, messageOf } from '../../engine/errors.ts'
import { configOf } from '../config.ts'
import { mongoError } from './errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export type MongoDriver = typeof mongodb

/** A server that is connected to, and what it can do. */
export interface Mongo {
  driver: MongoDriver
  client: MongoClient
  db: Db
  /** Options of every operation: all belong to one session, by which the server can be told to stop them. */
  within: { session?: ClientSession }
  /** Replica sets and sharded clusters have transactions. */
  transactions: boolean
  mostDocumentBytes: number
}

const connectTimeoutMs = 10_000

export async function loadDriver(): Promise<MongoDriver> {
  try {
    return await import('mongodb')
  } catch (error) {
    throw new EngineError('CONNECTION_FAILED', runMessage('mongodb_driver_missing', { cause: messageOf(error) }), {
      hint: runMessage('mongodb_driver_missing_fix'),
      cause: error,
    })
  }
}

export function mongoOptions(connector: BoundConnector, timeoutMs = connectTimeoutMs): MongoClientOptions {
  const { uri, user, auth_source: source = '' } = configOf(connector, 'mongodb')
  // What is given here would override the address.
  const unlessNamed = <T>(option: string, value: T): Record<string, T> =>
    new RegExp(`[?&]${option}=`, 'i').test(uri) ? {} : { [option]: value }
  const authSource = source !== '' ? { authSource: source } : unlessNamed('authSource', 'admin')
  return {
    appName: 'headgate',
    ...unlessNamed('serverSelectionTimeoutMS', timeoutMs),
    ...unlessNamed('connectTimeoutMS', timeoutMs),
    ...(user === undefined || user === ''
      ? {}
      : {
          auth: { username: user, password: connector.secrets['password'] ?? '' },
          ...authSource,
        }),
  }
}

/** Connects, runs `work`, and closes. An abort stops what runs at the server, then closes. */
export async function withMongo<T>(
  connector: BoundConnector,
  signal: AbortSignal,
  work: (mongo: Mongo) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw cancelled()
  const driver = await loadDriver()
  let client: MongoClient | undefined
  let stop = (): void => undefined
  try {
    client = new driver.MongoClient(configOf(connector, 'mongodb').uri, mongoOptions(connector))
    const opened = client
    let session: ClientSession | undefined
    stop = () => void stopWork(opened, session)
    signal.addEventListener('abort', stop)
    await opened.connect()
    const db = opened.db(configOf(connector, 'mongodb').database)
    // Servers that only speak the protocol may know the older name.
    const hello = await db
      .admin()
      .command({ hello: 1 })
      .catch(() => db.admin().command({ isMaster: 1 }))
    if (typeof hello['logicalSessionTimeoutMinutes'] === 'number') session = opened.startSession()
    return await work({
      driver,
      client: opened,
      db,
      within: session ? { session } : {},
      transactions: session !== undefined && (hello['setName'] !== undefined || hello['msg'] === 'isdbgrid'),
      mostDocumentBytes: Number(hello['maxBsonObjectSize'] ?? 16_777_216),
    })
  } catch (error) {
    if (signal.aborted) throw cancelled()
    throw mongoError(error, connector)
  } finally {
    signal.removeEventListener('abort', stop)
    await client?.close().catch(() => undefined) // already gone
  }
}

/** Asks the server to end what the session runs; closing the connections then breaks off whoever waits here. */
async function stopWork(client: MongoClient, session: ClientSession | undefined): Promise<void> {
  try {
    const id = session?.id
    if (id) await client.db('admin').command({ killSessions: [{ id: id.id }] }, { timeoutMS: 1000 })
  } catch {
    // Servers that do not know the command stop when the connection is gone.
  }
  await client.close().catch(() => undefined) // already gone
}
