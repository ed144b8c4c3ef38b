import { shortened } from '../../../language/shortened.ts'
import type { BulkWriteResult, Collection, Document, InsertManyResult } from 'mongodb'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { CollectionTarget } from '../../../language/task/targets/target.types.ts'
import type { Mongo } from './client.ts'
import { mongoError } from './errors.ts'
import { cancelled } from '../../engine/duckdb.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name, names } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { documentsOf, encodersOf } from './collection-documents.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export interface WrittenCounts {
  rows: number
  inserted: number
  /** Inserted and updated. */
  changed: number
  /** Rows that the server says it has inserted, or has found a document for. */
  taken: number
  /** Rows of a batch that failed: how many of them the server has written is not known. */
  inDoubt: number
}

export const noneWritten = (): WrittenCounts => ({ rows: 0, inserted: 0, changed: 0, taken: 0, inDoubt: 0 })

export interface BatchWriter {
  /** By default that of the target. */
  into?: string
  prepare?(document: Document): Document
  /** Kept up to date, for whoever wants to know after a failure. */
  counts?: WrittenCounts
  send(collection: Collection, documents: Document[]): Promise<InsertManyResult | BulkWriteResult>
}

/** A batch of large documents ends before it has all its rows. */
const mostBatchBytes = 16_000_000

export async function writeBatches(
  mongo: Mongo,
  target: CollectionTarget,
  stream: RowStream,
  context: StageContext,
  connector: BoundConnector,
  writer: BatchWriter,
): Promise<WrittenCounts> {
  const collection = mongo.db.collection(writer.into ?? target.collection)
  const counts = writer.counts ?? noneWritten()
  let batch: Document[] = []
  let bytes = 0
  const flush = async (): Promise<void> => {
    if (batch.length === 0) return
    const documents = batch
    batch = []
    bytes = 0
    counts.inDoubt = documents.length
    try {
      count(counts, await writer.send(collection, documents))
    } catch (error) {
      throw batchError(error, documents, counts.rows, connector)
    }
    counts.rows += documents.length
    counts.inDoubt = 0
    context.reached(counts.rows)
    if (context.signal.aborted) throw cancelled()
  }
  return context.consume(stream, async () => {
    const fields = await encodersOf(context.session, stream.sql, stream.columns, mongo.driver)
    for await (const chunk of context.session.chunks(stream.sql)) {
      for (const document of documentsOf(chunk, fields, counts.rows + batch.length + 1)) {
        const size = sizeOf(document, mongo, counts.rows + batch.length + 1)
        if (batch.length > 0 && bytes + size > mostBatchBytes) await flush()
        batch.push(writer.prepare?.(document) ?? document)
        bytes += size
        if (batch.length >= target.batch.rows) await flush()
      }
    }
    await flush()
    return { rows: counts.rows, value: counts }
  })
}

function sizeOf(document: Document, { driver, mostDocumentBytes }: Mongo, row: number): number {
  const size = driver.BSON.calculateObjectSize(document)
  if (size <= mostDocumentBytes) return size
  throw new EngineError('VALUE_INVALID', runMessage('row_document_too_large', { row, size, most: mostDocumentBytes }), {
    hint: runMessage('document_too_large_fix'),
  })
}

function count(counts: WrittenCounts, result: InsertManyResult | BulkWriteResult): void {
  if ('upsertedCount' in result) {
    counts.inserted += result.upsertedCount
    counts.changed += result.upsertedCount + result.modifiedCount
    counts.taken += result.upsertedCount + result.matchedCount
  } else {
    counts.inserted += result.insertedCount
    counts.changed += result.insertedCount
    counts.taken += result.insertedCount
  }
}

const isPlain = (value: unknown): boolean =>
  Array.isArray(value) ||
  (Object.prototype.toString.call(value) === '[object Object]' && !('_bsontype' in Object(value)))

/** A batch that is refused says which of its documents was the first. */
function batchError(thrown: unknown, documents: Document[], before: number, connector: BoundConnector): EngineError {
  const index = firstRefused(thrown)
  const document = index === null ? undefined : documents[index]
  const error = mongoError(thrown, connector)
  if (index === null || !document) return error
  const fields = Object.entries(document).slice(0, 10)
  const shown = fields.map(([field, value]) => {
    // Values of the driver's own types have texts; lists and documents are shown as JSON.
    const written = isPlain(value) ? JSON.stringify(value) : String(value ?? 'NULL')
    return `${field} = ${shortened(written, 60)}`
  })
  return new EngineError(
    error.code,
    runMessage('document_refused', { row: before + index + 1, cause: error.reason, values: shown }),
    { hint: error.fix, cause: thrown },
  )
}

function firstRefused(thrown: unknown): number | null {
  if (typeof thrown !== 'object' || thrown === null || !('writeErrors' in thrown)) return null
  const errors: unknown[] = Array.isArray(thrown.writeErrors) ? thrown.writeErrors : [thrown.writeErrors]
  const [first] = errors
  if (typeof first !== 'object' || first === null || !('index' in first)) return null
  return typeof first.index === 'number' ? first.index : null
}

const keysPerDelete = 500

/** Deletes every document whose key values come in; how many there were. */
export async function deleteKeys(
  mongo: Mongo,
  target: CollectionTarget,
  keyed: string[],
  rows: RowStream & { table: string },
  context: StageContext,
): Promise<number> {
  const collection = mongo.db.collection(target.collection)
  const columns = rows.columns.filter((column) => keyed.includes(column.name))
  const list = names(columns.map((column) => column.name))
  const [single] = columns.length === 1 ? columns : []
  let deleted = 0
  let keys: Document[] = []
  const flush = async (): Promise<void> => {
    if (keys.length === 0) return
    const filter = single ? { [single.name]: { $in: keys.map((key) => key[single.name] as unknown) } } : { $or: keys }
    deleted += (await collection.deleteMany(filter, mongo.within)).deletedCount
    keys = []
    if (context.signal.aborted) throw cancelled()
  }
  const distinct = `SELECT DISTINCT ${list} FROM ${name(rows.table)}`
  const fields = await encodersOf(context.session, distinct, columns, mongo.driver)
  for await (const chunk of context.session.chunks(distinct)) {
    for (const key of documentsOf(chunk, fields, 1)) {
      keys.push(
        single
          ? key
          : Object.fromEntries(Object.entries(key).map(([field, value]) => [field, { $eq: value as unknown }])),
      )
      if (keys.length >= keysPerDelete) await flush()
    }
  }
  await flush()
  return deleted
}
