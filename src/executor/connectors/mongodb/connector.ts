import { lookup, resolveSrv } from 'node:dns/promises'
import { isIP } from 'node:net'
import type { Document, MongoClient } from 'mongodb'
import type { ResourceDetail, ResourceSummary } from '../../../contract/connectors.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError, codeOf } from '../../engine/errors.ts'
import { runChecks } from '../checks.ts'
import { configOf } from '../config.ts'
import { mostResources, sampleRows, type ConnectorRunner } from '../connector.types.ts'
import { loadDriver, mongoOptions, withMongo, type Mongo } from './client.ts'
import { hostsOf, mongoError } from './errors.ts'
import { fieldsOf, sampleValue } from './sample.ts'
import { reachTcp } from '../reach.ts'
import { runMessage } from '../../../contract/run-messages.ts'

const testTimeoutMs = 5000

export const mongodbConnector: ConnectorRunner = {
  type: 'mongodb',
  async test(connector, io) {
    const { uri, database } = configOf(connector, 'mongodb')
    const hosts = hostsOf(uri).split(',')
    const ours = async <T>(work: () => Promise<T>): Promise<T> =>
      work().catch((error: unknown) => Promise.reject(mongoError(error, connector)))
    let client: MongoClient | undefined
    try {
      return await runChecks([
        { name: 'resolve', run: () => ours(() => resolveAny(hosts, uri.startsWith('mongodb+srv:'))) },
        ...(uri.startsWith('mongodb+srv:')
          ? []
          : [{ name: 'connect', run: () => ours(() => reachAny(hosts, io.signal)) }]),
        {
          name: 'authenticate',
          run: () =>
            ours(async () => {
              const driver = await loadDriver()
              client = await new driver.MongoClient(uri, mongoOptions(connector, testTimeoutMs)).connect()
            }),
        },
        { name: 'read_probe', run: () => ours(async () => client?.db(database).listCollections().next()) },
        { name: 'write_probe', run: () => ours(() => writeProbe(client, database)) },
      ])
    } finally {
      await client?.close().catch(() => undefined) // already broken: the checks have said so
    }
  },
  listResources: (connector, q, io) =>
    withMongo(connector, io.signal, async (mongo) => {
      const listed = await mongo.db.listCollections({}, { nameOnly: true, ...mongo.within }).toArray()
      const wanted = listed
        .filter(({ name }) => !name.startsWith('system.') && name.toLowerCase().includes((q ?? '').toLowerCase()))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      const resources: ResourceSummary[] = []
      for (const { name, type } of wanted.slice(0, mostResources)) {
        const counted = type !== 'view' && resources.length < mostCounted
        resources.push({
          name,
          kind: type === 'view' ? 'view' : 'collection',
          row_estimate: counted ? await estimate(mongo, name) : null,
          bytes: null,
        })
      }
      return { resources, truncated: wanted.length > mostResources }
    }),
  getResource: (connector, wanted, io) =>
    withMongo(connector, io.signal, (mongo) => describeCollection(mongo, wanted, connector)),
}

/** Each costs a request: of very many collections only the first are counted. */
const mostCounted = 500

async function resolveAny(hosts: string[], srv: boolean): Promise<void> {
  if (srv) return void (await resolveSrv(`_mongodb._tcp.${hosts[0]}`))
  await firstOf(hosts, async (host) => {
    const { name } = addressOf(host)
    if (isIP(name) === 0 && !name.startsWith('/')) await lookup(name)
  })
}

async function reachAny(hosts: string[], signal: AbortSignal): Promise<void> {
  await firstOf(hosts, async (host) => {
    const { name, port } = addressOf(host)
    if (!name.startsWith('/')) await reachTcp(name, port, signal)
  })
}

function addressOf(host: string): { name: string; port: number } {
  const [, name = host, port = '27017'] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(decodeURIComponent(host)) ?? []
  return { name: name.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** One server of a replica set is enough; if none answers, the first one's failure is told. */
async function firstOf(hosts: string[], attempt: (host: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const host of hosts) {
    try {
      return await attempt(host)
    } catch (error) {
      failures.push(error)
    }
  }
  throw failures[0]
}

const probe = 'headgate_probe'

/** The collection is made and dropped: nothing else shows whether the user may write. */
async function writeProbe(client: MongoClient | undefined, database: string): Promise<void> {
  const collection = client?.db(database).collection(`${probe}_${process.pid}_${Date.now()}`)
  try {
    await collection?.insertOne({ probe: 1 })
  } finally {
    await collection?.drop().catch(() => undefined) // never made
  }
}

async function estimate(mongo: Mongo, name: string): Promise<number | null> {
  try {
    return await mongo.db.collection(name).estimatedDocumentCount(mongo.within)
  } catch (error) {
    if (codeOf(error) !== undefined || !(error instanceof mongo.driver.MongoServerError)) throw error
    return null // some kinds of collections cannot be counted
  }
}

const sampledDocuments = 100

async function describeCollection(mongo: Mongo, wanted: string, connector: BoundConnector): Promise<ResourceDetail> {
  const [found] = await mongo.db.listCollections({ name: wanted }, mongo.within).toArray()
  if (!found) {
    throw new EngineError(
      'TABLE_NOT_FOUND',
      runMessage('collection_unknown', { collection: wanted, connector: connector.name }),
      { hint: runMessage('collection_unknown_fix') },
    )
  }
  const collection = mongo.db.collection(wanted)
  const documents = await collection
    .find({}, { limit: sampledDocuments, promoteValues: false, promoteLongs: false, ...mongo.within })
    .toArray()
  const fields = fieldsOf(documents)
  const isView = found.type === 'view'
  const indexes: Document[] = isView ? [] : await collection.listIndexes(mongo.within).toArray()
  return {
    name: wanted,
    kind: isView ? 'view' : 'collection',
    row_estimate: isView ? null : await estimate(mongo, wanted),
    bytes: null,
    columns: fields.map(({ name, type, always }) => ({
      name,
      type,
      nullable: !always,
      primary_key: name === '_id',
      default: null,
    })),
    indexes: indexes
      .map((index) => ({
        name: String(index['name']),
        columns: Object.keys(index['key'] as Document), // by the protocol
        unique: index['unique'] === true || index['name'] === '_id_',
      }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    sample: {
      columns: fields.map(({ name, type }) => ({ name, type })),
      rows: documents
        .slice(0, sampleRows)
        .map((document) => fields.map(({ name }) => sampleValue(document[name], name, mongo.driver))),
    },
  }
}
