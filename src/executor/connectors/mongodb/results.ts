import type { AbstractCursor, Collection, Document } from 'mongodb'
import { checkCollectionName, findRefused, refusalOf } from '../../../language/task/mongo-documents.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import type { MistakeAt, StreamResult } from '../results.types.ts'
import { withMongo, type Mongo } from './client.ts'
import { fromExtendedJson } from './documents.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

const batchSize = 1000
const wrapped = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const
/** What a query may say beside the collection; nothing else is sent. */
const parts = {
  find: ['filter', 'projection', 'sort', 'skip', 'limit', 'hint', 'collation'],
  aggregate: ['pipeline', 'hint', 'collation'],
  count: ['query', 'skip', 'limit', 'hint', 'collation'],
} as const

/** A count, or one cursor of `find` or `aggregate`, without stages that write and operators that run code; documents as extended JSON. */
export const streamMongo: StreamResult = ({ connector, query, timeoutMs }, sink, { signal }) =>
  withMongo(connector, signal, async (mongo) => {
    const asked = readQuery(query, mongo)
    const options = { ...mongo.within, ...wrapped, batchSize, maxTimeMS: timeoutMs, allowDiskUse: true }
    const collection = mongo.db.collection(asked.collection)
    if (asked.kind === 'count') {
      const { query: filter = {}, ...more } = asked.parts
      const count = await collection.countDocuments(filter as Document, {
        ...mongo.within,
        maxTimeMS: timeoutMs,
        ...more,
      })
      sink.start([{ name: 'count', type: 'bigint', native: 'long' }], query)
      await sink.row([String(count)])
      return
    }
    const cursor = openCursor(collection, asked, options)
    sink.start([{ name: 'document', type: 'document', native: 'document' }], query)
    try {
      for await (const document of cursor) {
        // Canonical: every number says which kind it is.
        const wait = sink.row([mongo.driver.BSON.EJSON.serialize(document, { relaxed: false })])
        if (wait) await wait
      }
    } finally {
      await cursor.close().catch(() => undefined) // the connection may be gone
    }
  })

interface Asked {
  kind: keyof typeof parts
  collection: string
  parts: Document
}

export function readQuery(text: string, mongo: Mongo): Asked {
  const asked = parse(text)
  const kind = 'aggregate' in asked ? 'aggregate' : 'find' in asked ? 'find' : 'count' in asked ? 'count' : 'find'
  const strange = Object.keys(asked).find((key) => key !== kind && !parts[kind].some((part) => part === key))
  if (strange !== undefined) throw invalid(runMessage('not_part_of_query', { key: strange, command: kind }))
  const refused = findRefused(asked)
  const refusal = refused === null ? null : refusalOf(refused)
  if (refusal) throw new EngineError('SQL_NOT_ALLOWED', refusal.message, { hint: runMessage('queries_only_read') })
  const name = asked[kind]
  if (typeof name !== 'string' || name === '') throw invalid(runMessage('collection_not_named'))
  const problem = checkCollectionName(name)
  if (problem) throw invalid(problem.message)
  const { [kind]: _, ...given } = fromExtendedJson(asked, mongo.driver, 'query') as Document // a map stays one
  return { kind, collection: name, parts: given }
}

/** `options`: the server's own clock, beside the executor's, and how values come. */
function openCursor(
  collection: Collection,
  { kind, parts: { filter = {}, pipeline = [], ...given } }: Asked,
  options: Document,
): AbstractCursor<Document> {
  const all = { ...options, ...given }
  if (kind === 'find') return collection.find(filter as Document, all)
  if (!Array.isArray(pipeline)) throw invalid(runMessage('pipeline_not_list'))
  return collection.aggregate(pipeline as Document[], all)
}

function parse(text: string): Record<string, Json> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw invalid(runMessage('query_not_json', { error: error instanceof Error ? error.message : String(error) }))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid(runMessage('query_not_object'))
  return value as Record<string, Json> // parsed JSON
}

/** The parser of JSON counts from 0. */
export const mistakeAtMongo: MistakeAt = ({ reason }) => {
  const at = reason.code === 'query_not_json' && /at position (\d+)/.exec(String(reason.params['error']))?.[1]
  return at ? Number(at) : null
}

function invalid(message: Message): EngineError {
  return new EngineError('QUERY_INVALID', message, {
    hint: runMessage('write_find_or_aggregate'),
  })
}
