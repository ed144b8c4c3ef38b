import type { ObjectId } from 'mongodb'
import { randomBytes } from 'node:crypto'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { CollectionTarget } from '../../../language/task/targets/target.types.ts'
import { withMongo, type MongoDriver } from './client.ts'
import { messageOf } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import type { WrittenCounts } from './collection-write.ts'
import { keptRows } from '../../targets/summary.ts'

/**
 * ObjectIds of one run, in order: the moment it began, five random bytes of its own, and a counter. So what a failed run has added is a
 * range of `_id` that nothing else lies in, and can be taken away.
 */
export interface RunIds {
  next(): ObjectId
  /** The first and the last of each range; 16,777,216 ids share their random bytes. */
  ranges(): IdRange[]
  /** Those that were given, in pieces that a server removes in one go. */
  pieces(): Iterable<IdRange>
}

interface IdRange {
  from: ObjectId
  to: ObjectId
}

const idsPerRange = 0x1_00_00_00
const idsPerPiece = 5_000

export function createIds({ ObjectId }: MongoDriver): RunIds {
  const seconds = Math.floor(Date.now() / 1000)
  const prefixes: Buffer[] = []
  let counter = idsPerRange
  const id = (prefix: Buffer, count: number): ObjectId => {
    const bytes = Buffer.alloc(12)
    prefix.copy(bytes)
    bytes.writeUIntBE(count, 9, 3)
    return new ObjectId(bytes)
  }
  return {
    next() {
      if (counter === idsPerRange) {
        const prefix = Buffer.alloc(9)
        prefix.writeUInt32BE(seconds % 0x1_00_00_00_00)
        randomBytes(5).copy(prefix, 4)
        prefixes.push(prefix)
        counter = 0
      }
      return id(prefixes.at(-1) ?? Buffer.alloc(9), counter++)
    },
    ranges: () => prefixes.map((prefix) => ({ from: id(prefix, 0), to: id(prefix, idsPerRange - 1) })),
    *pieces() {
      for (const prefix of prefixes) {
        const given = prefix === prefixes.at(-1) ? counter : idsPerRange
        for (let first = 0; first < given; first += idsPerPiece)
          yield { from: id(prefix, first), to: id(prefix, Math.min(first + idsPerPiece, given) - 1) }
      }
    },
  }
}

/** For each piece: longer than a connection may take, whose failure says more. */
const undoMs = 12_000

/** By a connection of its own: that of the run may be broken, or closed by an abort. */
export async function removeWritten(
  ids: RunIds,
  target: CollectionTarget,
  connector: BoundConnector,
  context: StageContext,
  { rows, inDoubt }: WrittenCounts,
): Promise<void> {
  const ranges = ids.ranges()
  if (rows + inDoubt === 0 || ranges.length === 0) return
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(), undoMs)
  let removed = 0
  try {
    await withMongo(connector, late.signal, async ({ db, within }) => {
      for (const { from, to } of ids.pieces()) {
        const piece = { _id: { $gte: from, $lte: to } }
        removed += (await db.collection<{ _id: ObjectId }>(target.collection).deleteMany(piece, within)).deletedCount
        timer.refresh()
      }
    })
    if (removed > 0) context.log('info', `Removed the ${removed.toLocaleString('en')} documents that were added before`)
  } catch (error) {
    const range = ranges
      .map(({ from, to }) => `{_id: {$gte: ObjectId("${String(from)}"), $lte: ObjectId("${String(to)}")}}`)
      .join(', ')
    const remove = `db.getCollection(${JSON.stringify(target.collection)}).deleteMany({$or: [${range}]})`
    const kept = keptRows(Math.max(0, rows - removed), inDoubt, 'batch')
    context.log(
      'warn',
      `Can't remove what was added to ${target.collection} before the failure: ${messageOf(error)}. Still there: ${kept}. Before you run the task again: ${remove}`,
    )
  } finally {
    clearTimeout(timer)
  }
}
