import type { AbstractCursor, Document } from 'mongodb'
import type { MongoSource } from '../../../language/task/sources/source.types.ts'
import type { Json } from '../../../language/task/task.types.ts'
import { findRefused, refusalOf } from '../../../language/task/mongo-documents.ts'
import { withMongo, type Mongo } from './client.ts'
import { fieldValue, fromExtendedJson } from './documents.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SourceRunner } from '../../engine/lane.types.ts'
import { shownRecord, tooDeep, type FieldValue } from '../../sources/record-values.ts'
import { createRecordWriter, finishSource } from '../../sources/record-writer.ts'
import { runMessage } from '../../../contract/run-messages.ts'

const batchSize = 1000
/** Numbers and bytes come wrapped, so that their types are known. */
const wrapped = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const

/** Documents one by one into the session: the objects lane. */
export const mongoSource: SourceRunner<'mongo'> = {
  kind: 'mongo',
  directories: async () => [],
  async open(source, context, { limit }) {
    const connector = context.connector(source.connector)
    return withMongo(connector, context.signal, async (mongo) => {
      const writer = createRecordWriter(context, { columns: source.columns, documents: true })
      const cursor = openCursor(source, mongo, limit)
      try {
        for await (const document of cursor) await writer.add(record(document, mongo))
      } catch (error) {
        // The driver and our reading of what it gives work with the stack.
        throw error instanceof RangeError && error.message.includes('call stack') ? tooDeep() : error
      } finally {
        await cursor.close().catch(() => undefined) // the connection may be gone
      }
      context.log('info', `Read ${writer.rows().toLocaleString('en')} documents from ${connector.name}`)
      return finishSource(writer, source.columns, context, limit)
    })
  },
}

function openCursor(source: MongoSource, mongo: Mongo, limit: number | null): AbstractCursor<Document> {
  const collection = mongo.db.collection(source.collection)
  const options = { ...mongo.within, ...wrapped, batchSize }
  const { read } = source
  if (read.kind === 'aggregate') {
    const pipeline = read.pipeline.map((stage, index) => query(stage, mongo, `aggregate[${index}]`))
    // Sorting and grouping may spill to the server's disk rather than fail.
    return collection.aggregate(limit === null ? pipeline : [...pipeline, { $limit: limit }], {
      ...options,
      allowDiskUse: true,
    })
  }
  const most = Math.min(read.limit ?? Infinity, limit ?? Infinity)
  return collection.find(query(read.filter ?? {}, mongo, 'find'), {
    ...options,
    ...(read.projection === null ? {} : { projection: query(read.projection, mongo, 'projection') }),
    ...(read.sort === null ? {} : { sort: query(read.sort, mongo, 'sort'), allowDiskUse: true }),
    ...(Number.isFinite(most) ? { limit: most } : {}),
  })
}

/** What the language refuses is refused here, too, should it come by another way. */
function query(written: Json, { driver }: Mongo, path: string): Document {
  const refusal = refusalOf(findRefused(written))
  if (refusal)
    throw new EngineError('QUERY_INVALID', runMessage('at_path', { path, cause: refusal.message }), {
      hint: refusal.hint,
    })
  return fromExtendedJson(written, driver, path) as Document // a map stays one
}

function record(document: Document, { driver }: Mongo): Record<string, FieldValue> {
  if (Object.hasOwn(document, '')) {
    throw new EngineError(
      'VALUE_INVALID',
      runMessage('field_without_name', { value: shownRecord({ _id: document['_id'] as unknown }) }),
      {
        hint: runMessage('field_without_name_fix'),
      },
    )
  }
  return Object.fromEntries(Object.entries(document).map(([field, value]) => [field, fieldValue(value, field, driver)]))
}
