import type { AnyBulkWriteOperation, ClientSession, Document } from 'mongodb'
import type { ChangeStatement, ChangesReport } from '../../../contract/changes.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { RunChanges } from '../changes.types.ts'
import { differs, mayHaveCommitted, reportOf } from '../changes/report.ts'
import { type MongoStep, planMongo } from './change-plan.ts'
import { withMongo, type Mongo } from './client.ts'
import { mongoError, numberOf } from './errors.ts'

/** “WriteConflict”: another transaction has changed the document. */
const writeConflict = 112

/**
 * Documents as they are compared with those that were read. In a transaction where the server has them; elsewhere the filter of each
 * write holds what was read, so that it finds nothing where somebody was faster.
 */
export const changeMongo: RunChanges = ({ connector, changes, reviewed }, { signal }) =>
  withMongo(connector, signal, async (mongo) => {
    const { session } = mongo.within
    const { transactions: transaction } = mongo
    if (transaction && reviewed !== null) session?.startTransaction({ readConcern: { level: 'snapshot' } })
    const { steps, conflicts } = await planMongo(mongo, changes)
    const shown = steps.map((step) => step.shown)
    if (conflicts.length > 0) return reportOf('conflict', shown, { conflicts, transaction })
    const review = reportOf('reviewed', shown, { transaction })
    if (reviewed === null) return review
    if (review.digest !== reviewed) return reportOf('conflict', shown, { conflicts: [differs], transaction })
    try {
      return await write(mongo, steps, { connector, session: transaction ? (session ?? null) : null })
    } catch (thrown) {
      const error = mongoError(thrown, connector)
      if (numberOf(error.cause) === writeConflict)
        return reportOf('conflict', shown, { conflicts: [differs], transaction })
      // A single server has written what it answered; of what it did not answer nobody knows.
      if (!transaction && mayHaveCommitted(error))
        return reportOf('unknown', shown, { transaction, problem: error.message })
      throw error
    }
  })

async function write(
  mongo: Mongo,
  steps: readonly MongoStep[],
  { session, connector }: { session: ClientSession | null; connector: BoundConnector },
): Promise<ChangesReport> {
  const shown = steps.map((step) => step.shown)
  const transaction = session !== null
  const done: ChangeStatement[] = []
  const partly = (): ChangeStatement[] => [...done, ...shown.slice(done.length)]
  const total = (): number => done.reduce((sum, one) => sum + (one.changed ?? 0), 0)
  for (const step of steps) {
    let changed: number
    try {
      changed = await send(mongo, step)
    } catch (thrown) {
      const error = mongoError(thrown, connector)
      if (transaction || done.length === 0 || mayHaveCommitted(error)) throw thrown
      return reportOf('partly', partly(), { changed: total(), transaction, problem: error.message })
    }
    if (changed !== step.shown.rows && step.isExact) {
      const conflicts = [{ ...differs, edit: step.shown.edit }]
      if (transaction || done.length === 0) return reportOf('conflict', shown, { conflicts, transaction })
      return reportOf('partly', partly(), { changed: total(), conflicts, transaction })
    }
    done.push({ ...step.shown, changed })
  }
  try {
    await session?.commitTransaction()
  } catch (thrown) {
    const error = mongoError(thrown, connector)
    if (!mayHaveCommitted(error) && numberOf(thrown) !== null) throw thrown
    return reportOf('unknown', done, { changed: total(), transaction, problem: error.message })
  }
  return reportOf('written', done, { changed: total(), transaction })
}

async function send({ db, within }: Mongo, { collection, operation }: MongoStep): Promise<number> {
  // Documents of people, not of a schema.
  const operations = [operation] as AnyBulkWriteOperation<Document>[]
  const result = await db.collection(collection).bulkWrite(operations, { ordered: true, ...within })
  return result.insertedCount + result.matchedCount + result.deletedCount
}
