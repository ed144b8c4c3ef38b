/** Servers that hold the data of the cases, one of each system. What this machine can't start is named, and its cases with it. */
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PutObjectCommand } from '@aws-sdk/client-s3'
import { MongoClient } from 'mongodb'
import pg from 'pg'
import type { BodyOf } from '../../src/contract/operation.ts'
import type { createConnector } from '../../src/contract/connectors.ts'
import { hasMongo, startMongo } from '../support/ferretdb.ts'
import { hasMariaDb, startMariaDb } from '../support/mariadb.ts'
import { minioProgram, startMinio } from '../support/minio.ts'
import { startODataServer } from '../support/odata-service.ts'
import { postgresPrograms, startPostgres } from '../support/postgres.ts'
import { sshdProgram, startSshd } from '../support/sshd.ts'

type Fields = Record<string, string | number | null>
export interface EvalTables {
  /** In the SQL of all databases. */
  statements: readonly string[]
  records: Readonly<Record<'customers' | 'orders', Fields[]>>
  /** `customers.csv` */
  csv: string
}
type Connection = Omit<BodyOf<typeof createConnector>, 'name'>
interface Service {
  connection: Connection
  stop(): unknown
}
type Start = (tables: EvalTables) => Promise<Service>

const postgres: Start = async ({ statements }) => {
  const server = await startPostgres()
  const { host, port, user, password, database } = server
  const client = new pg.Client({ host, port, user, password, database })
  await client.connect()
  await client.query(statements.join(';\n'))
  await client.end()
  return {
    connection: { type: 'postgres', config: { host, port, database, user }, secrets: { password } },
    stop: () => server.stop(),
  }
}

const mysql: Start = async ({ statements }) => {
  const server = await startMariaDb()
  const { host, port, user, password, database } = server
  const client = await server.connect()
  await client.query(`USE ${database}`)
  for (const statement of statements) {
    // oxlint-disable-next-line no-await-in-loop -- over one connection
    await client.query(statement)
  }
  await client.end()
  return {
    connection: { type: 'mysql', config: { host, port, database, user }, secrets: { password } },
    stop: () => server.stop(),
  }
}

const mongo: Start = async ({ records }) => {
  const server = await startMongo({ inMemory: true })
  const client = await new MongoClient(server.uri).connect()
  const database = client.db('evals')
  await database.dropDatabase()
  await database.collection('customers').insertMany(records.customers.map((one) => ({ ...one })))
  await database.collection('orders').insertMany(records.orders.map((one) => ({ ...one })))
  await client.close()
  return {
    connection: { type: 'mongodb', config: { uri: server.uri, database: 'evals' } },
    stop: () => server.stop(),
  }
}

const http: Start = async ({ records }) => {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const rows = pathname === '/customers' ? records.customers : pathname === '/orders' ? records.orders : undefined
    const wanted = rows?.filter((row) => [...searchParams].every(([name, value]) => String(row[name]) === value))
    response.writeHead(wanted ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(wanted ? { data: wanted } : { error: 'unknown' }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // Listening on TCP, so it has a port.
  const { port } = server.address() as AddressInfo
  return {
    connection: { type: 'http', config: { base_url: `http://127.0.0.1:${port}`, allow_private: true } },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

const odata: Start = async () => {
  const server = await startODataServer()
  return {
    connection: { type: 'odata', config: { base_url: server.url, allow_private: true } },
    stop: () => server.stop(),
  }
}

const s3: Start = async ({ csv }) => {
  const server = await startMinio()
  const { bucket, endpoint, accessKey, secretKey } = server
  await server.client.send(new PutObjectCommand({ Bucket: bucket, Key: 'customers.csv', Body: csv }))
  return {
    connection: {
      type: 's3',
      config: { bucket, endpoint, path_style: true, access_key_id: accessKey },
      secrets: { secret_access_key: secretKey },
    },
    stop: () => server.stop(),
  }
}

const sftp: Start = async ({ csv }) => {
  const server = await startSshd()
  const root = join(server.folder, 'root')
  mkdirSync(root)
  writeFileSync(join(root, 'customers.csv'), csv)
  const { port, user, fingerprint, privateKey } = server
  return {
    connection: {
      type: 'sftp',
      config: { host: '127.0.0.1', port, user, root, host_key: fingerprint },
      secrets: { private_key: privateKey },
    },
    stop: () => server.stop(),
  }
}

/** By the name of their connector. */
const services: Readonly<Record<string, { has: boolean; start: Start }>> = {
  pg: { has: postgresPrograms !== null, start: postgres },
  maria: { has: hasMariaDb, start: mysql },
  mongo: { has: hasMongo, start: mongo },
  api: { has: true, start: http },
  erp: { has: true, start: odata },
  bucket: { has: minioProgram !== null, start: s3 },
  inbox: { has: sshdProgram !== null, start: sftp },
}

/** Connectors whose system can't be started here. */
export const missingServices: ReadonlySet<string> = new Set(
  Object.entries(services).flatMap(([name, { has }]) => (has ? [] : [name])),
)

/** Those that are wanted, all at the same time. */
export async function startEvalServices(wanted: ReadonlySet<string>, tables: EvalTables) {
  const started = await Promise.allSettled(
    Object.entries(services)
      .filter(([name, { has }]) => has && wanted.has(name))
      .map(async ([name, { start }]) => ({ name, ...(await start(tables)) })),
  )
  const running = started.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const stop = async () => void (await Promise.all(running.map((one) => one.stop())))
  const failure = started.find((one) => one.status === 'rejected')
  if (failure) {
    await stop()
    throw failure.reason
  }
  return { running, stop }
}
