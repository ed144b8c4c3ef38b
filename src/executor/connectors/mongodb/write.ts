import type { Document } from 'mongodb'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { CollectionTarget } from '../../../language/task/targets/target.types.ts'
import { refuseReadOnly } from '../config.ts'
import { withMongo, type Mongo } from './client.ts'
import type { StageContext, TargetResult, TargetRunner } from '../../engine/lane.types.ts'
import { findColumn } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { createIds, removeWritten } from './collection-ids.ts'
import { refuseFieldNames } from './collection-documents.ts'
import { lookAt, makeCollection, requireUniqueKey } from './collection-place.ts'
import { replaceCollection } from './collection-replace.ts'
import { deleteKeys, noneWritten, writeBatches, type BatchWriter, type WrittenCounts } from './collection-write.ts'
import { rejectEmptyKeys } from '../../targets/empty-keys.ts'
import { keptRows, resultOf } from '../../targets/summary.ts'
import { prepareUpsert } from '../../targets/upsert-rows.ts'

/** Larger transactions would meet the server's limits of time (60 s) and of what it keeps of them in memory. */
const mostInTransaction = 20_000

/** Rows as documents, in batches. One transaction where the server has them and the rows are few enough; `replace` by a rename. */
export const collectionTarget: TargetRunner<'collection'> = {
  kind: 'collection',
  directories: async () => [],
  async prepare(target, stream, context) {
    refuseFieldNames(stream.columns)
    if (target.mode === 'upsert') return prepareUpsert(target, stream, context)
    return target.mode === 'delete_insert' ? rejectEmptyKeys(target, stream, context) : stream
  },
  async write(target, stream, context) {
    const connector = context.connector(target.connector)
    refuseReadOnly(connector)
    return withMongo(connector, context.signal, async (mongo) => {
      if (target.mode === 'replace') return replaceCollection(mongo, target, stream, context, connector)
      const place = await lookAt(mongo, target.collection)
      const keyed = target.mode === 'append' ? [] : target.key.map((key) => findColumn(stream.columns, key).name)
      if (place === null) {
        await makeCollection(mongo, target, keyed)
        context.log('info', `Made collection ${target.collection}`)
      } else if (target.mode === 'upsert') requireUniqueKey(place, target, keyed)
      return inTransaction(mongo, stream, context, (rows, atomic) =>
        target.mode === 'append'
          ? append(mongo, target, rows, context, connector, atomic)
          : writeKeyed(mongo, target, keyed, rows, context, connector, atomic),
      )
    })
  },
}

type Work = (stream: RowStream, atomic: boolean) => Promise<TargetResult>

async function inTransaction(
  mongo: Mongo,
  stream: RowStream,
  context: StageContext,
  work: Work,
): Promise<TargetResult> {
  const { session } = mongo.within
  if (!mongo.transactions || !session) {
    context.log('info', 'Writes batch by batch: this server has no transactions')
    await context.mayWrite()
    return work(stream, false)
  }
  const known = stream.rows === null ? await context.materialise(stream) : stream
  if ((known.rows ?? 0) > mostInTransaction) {
    context.log(
      'info',
      `Writes batch by batch: one transaction takes at most ${mostInTransaction.toLocaleString('en')} rows`,
    )
    await context.mayWrite()
    return work(known, false)
  }
  session.startTransaction()
  try {
    const result = await work(known, true)
    await session.commitTransaction()
    return result
  } catch (error) {
    if (session.inTransaction()) await session.abortTransaction().catch(() => undefined) // ends with the connection
    throw error
  }
}

/** What was written before a failure is taken away again, as far as it can be told from other documents. */
async function append(
  mongo: Mongo,
  target: CollectionTarget,
  stream: RowStream,
  context: StageContext,
  connector: BoundConnector,
  atomic: boolean,
): Promise<TargetResult> {
  const ids = createIds(mongo.driver)
  const give = (document: Document): Document => {
    document['_id'] ??= ids.next()
    return document
  }
  const counts = noneWritten()
  try {
    await writeBatches(mongo, target, stream, context, connector, {
      counts,
      prepare: give,
      send: insertAll(mongo),
    })
    await context.readyToCommit({ sent: counts.rows, taken: counts.taken })
    return result(target, counts)
  } catch (error) {
    if (!atomic) await removeWritten(ids, target, connector, context, counts)
    if (!atomic && stream.columns.some((column) => column.name === '_id'))
      context.log(
        'warn',
        `${target.collection} keeps documents with an \`_id\` of their own that were added before the failure, of ${keptRows(counts.rows, counts.inDoubt, 'batch')}`,
      )
    throw error
  }
}

async function writeKeyed(
  mongo: Mongo,
  target: CollectionTarget,
  keyed: string[],
  stream: RowStream,
  context: StageContext,
  connector: BoundConnector,
  atomic: boolean,
): Promise<TargetResult> {
  // What fails before all rows are known must not have deleted anything.
  const known = target.mode === 'delete_insert' ? await context.materialise(stream) : null
  const counts = noneWritten()
  try {
    const deleted = known ? await deleteKeys(mongo, target, keyed, known, context) : 0
    const send = known ? insertAll(mongo) : upsertAll(mongo, keyed)
    await writeBatches(mongo, target, known ?? stream, context, connector, { counts, send })
    await context.readyToCommit({ sent: counts.rows, taken: counts.taken })
    return result(target, counts, deleted)
  } catch (error) {
    if (!atomic && (known || counts.rows + counts.inDoubt > 0)) context.log('warn', keyedWords(target, counts))
    throw error
  }
}

function keyedWords({ mode, collection }: CollectionTarget, { rows, inDoubt }: WrittenCounts): string {
  const kept = keptRows(rows, inDoubt, 'batch')
  const what =
    mode === 'delete_insert'
      ? `${collection} is incomplete: documents with keys of this run were deleted. Inserted before the failure`
      : `${collection} keeps what was written before the failure`
  return `${what}: ${kept}. Run the task again to complete it`
}

const insertAll =
  ({ within }: Mongo): BatchWriter['send'] =>
  (collection, documents) =>
    collection.insertMany(documents, { ...within, ordered: true })

const upsertAll =
  ({ within }: Mongo, keyed: string[]): BatchWriter['send'] =>
  (collection, documents) =>
    collection.bulkWrite(
      documents.map((document) => upsertOf(document, keyed)),
      { ...within, ordered: true },
    )

/** Sets the row's fields and leaves others alone; a document that is already as it should be is not written. */
function upsertOf(
  document: Document,
  keyed: string[],
): { updateOne: { filter: Document; update: Document; upsert: true } } {
  const filter: Document = Object.create(null) as Document // an empty object is one
  const set: Document = Object.create(null) as Document // as above
  let fields = 0
  for (const [field, value] of Object.entries(document)) {
    if (keyed.includes(field)) filter[field] = { $eq: value }
    else {
      set[field] = value
      fields++
    }
  }
  const update =
    fields > 0 ? { $set: set } : { $setOnInsert: Object.fromEntries(keyed.map((key) => [key, document[key]])) }
  return { updateOne: { filter, update, upsert: true } }
}

function result(target: CollectionTarget, counts: WrittenCounts, deleted = 0): TargetResult {
  const { rows, inserted, changed } = counts
  const result = resultOf({ mode: target.mode, table: target.collection }, { rows, inserted, changed, before: 0 })
  if (target.mode !== 'delete_insert') return result
  const summary = `Deleted ${deleted.toLocaleString('en')} of ${target.collection}, then inserted ${rows.toLocaleString('en')} rows`
  return { ...result, summary }
}
