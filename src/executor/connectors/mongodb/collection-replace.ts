import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import type { CollectionTarget } from '../../../language/task/targets/target.types.ts'
import { withMongo, type Mongo } from './client.ts'
import { numberOf } from './errors.ts'
import { codeOf, messageOf } from '../../engine/errors.ts'
import type { StageContext, TargetResult } from '../../engine/lane.types.ts'
import type { RowStream } from '../../engine/stream.ts'
import { lookAt } from './collection-place.ts'
import { writeBatches } from './collection-write.ts'
import { resultOf } from '../../targets/summary.ts'

/** Written beside, with the options and indexes of the collection there is, then renamed onto it: readers see the old rows or the new. */
export async function replaceCollection(
  mongo: Mongo,
  target: CollectionTarget,
  stream: RowStream,
  context: StageContext,
  connector: BoundConnector,
): Promise<TargetResult> {
  await tidyUp(mongo, target.collection)
  const place = await lookAt(mongo, target.collection)
  const stage = nameBeside(stagePrefix, target.collection)
  const before = place === null ? 0 : await mongo.db.collection(target.collection).estimatedDocumentCount(mongo.within)
  try {
    await mongo.db.createCollection(stage, { ...place?.options, ...mongo.within })
    if (place && place.indexes.length > 0) await mongo.db.collection(stage).createIndexes(place.indexes, mongo.within)
    const { rows, taken } = await writeBatches(mongo, target, stream, context, connector, {
      into: stage,
      send: (collection, documents) => collection.insertMany(documents, { ...mongo.within, ordered: true }),
    })
    await context.readyToCommit({ sent: rows, taken })
    await swap(mongo, stage, target.collection, place !== null, context)
    return resultOf({ mode: 'replace', table: target.collection }, { rows, inserted: rows, changed: rows, before })
  } catch (error) {
    await dropStage(stage, connector, context)
    throw error
  }
}

/** Longer than a connection may take, whose failure says more. */
const undoMs = 12_000

/** By a connection of its own: that of the run may be broken, or closed by an abort. */
async function dropStage(stage: string, connector: BoundConnector, context: StageContext): Promise<void> {
  try {
    await withMongo(connector, AbortSignal.timeout(undoMs), ({ db, within }) => db.dropCollection(stage, within))
  } catch (error) {
    context.log('debug', `${stage} is kept until this executor restarts: ${messageOf(error)}`)
  }
}

/** Servers that only speak MongoDB's protocol may not rename onto a collection: NotImplemented. */
const notImplemented = 238

async function swap(mongo: Mongo, stage: string, name: string, exists: boolean, context: StageContext): Promise<void> {
  const rename = (from: string, to: string, dropTarget = false): Promise<unknown> =>
    mongo.db.collection(from).rename(to, { dropTarget, ...mongo.within })
  try {
    await rename(stage, name, exists)
  } catch (error) {
    if (!exists || numberOf(error) !== notImplemented) throw error
    context.log('warn', `This server cannot rename onto a collection: for a moment there is no ${name}`)
    const old = nameBeside(oldPrefix, name)
    await rename(name, old)
    try {
      await rename(stage, name)
    } catch (failure) {
      await rename(old, name)
      throw failure
    }
    await mongo.db.dropCollection(old, mongo.within)
  }
}

const stagePrefix = 'headgate_stage'
/** What was there before, while there is no collection of the name. */
const oldPrefix = 'headgate_old'
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)
const beside = (prefix: string, name: string): string => `${prefix}_${digest(name)}_`

/** Tells who made it, so that what a killed run left can be told from what another one is writing. */
function nameBeside(prefix: string, name: string): string {
  return `${beside(prefix, name)}${digest(hostname())}_${process.pid}_${Date.now()}_${randomBytes(4).toString('hex')}`
}

const longestRunMs = 7 * 86_400_000

/** What runs left whose process is gone. That of other machines is left for a week: whether they still run cannot be known. */
async function tidyUp(mongo: Mongo, name: string): Promise<void> {
  const listed = await mongo.db.listCollections({}, { nameOnly: true, ...mongo.within }).toArray()
  const all = listed.map((found) => found.name)
  const abandoned = (prefix: string): string[] =>
    all.filter(
      (found) => found.startsWith(beside(prefix, name)) && isAbandoned(found.slice(beside(prefix, name).length)),
    )
  for (const stage of abandoned(stagePrefix)) await mongo.db.dropCollection(stage, mongo.within)
  for (const old of abandoned(oldPrefix)) {
    if (all.includes(name)) await mongo.db.dropCollection(old, mongo.within)
    else await mongo.db.collection(old).rename(name, mongo.within)
  }
}

function isAbandoned(maker: string): boolean {
  const [host, pid, began] = maker.split('_')
  return host === digest(hostname()) ? !isAlive(Number(pid)) : Date.now() - Number(began) > longestRunMs
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
