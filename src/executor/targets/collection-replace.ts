import { createHash, randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { CollectionTarget } from '../../language/task/task.types.ts'
import type { Mongo } from '../connectors/mongodb-client.ts'
import { numberOf } from '../connectors/mongodb-errors.ts'
import { codeOf } from '../engine/errors.ts'
import type { StageContext, TargetResult } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import type { CollectionPlace } from './collection-place.ts'
import { writeBatches } from './collection-write.ts'
import { summarise } from './summary.ts'

/** Written beside, with the options and indexes of the collection there is, then renamed onto it: readers see the old rows or the new. */
export async function replaceCollection(
  mongo: Mongo,
  place: CollectionPlace | null,
  target: CollectionTarget,
  stream: RowStream,
  context: StageContext,
  connector: BoundConnector,
): Promise<TargetResult> {
  await removeAbandoned(mongo, target.collection)
  const stage = stageName(target.collection)
  const before = place === null ? 0 : await mongo.db.collection(target.collection).estimatedDocumentCount(mongo.within)
  try {
    await mongo.db.createCollection(stage, { ...place?.options, ...mongo.within })
    if (place && place.indexes.length > 0) await mongo.db.collection(stage).createIndexes(place.indexes, mongo.within)
    const { rows } = await writeBatches(mongo, target, stream, context, connector, {
      into: stage,
      send: (collection, documents) => collection.insertMany(documents, { ...mongo.within, ordered: true }),
    })
    await swap(mongo, stage, target.collection, place !== null, context)
    const summary = summarise(
      { mode: 'replace', table: target.collection },
      { rows, inserted: rows, changed: rows, before },
    )
    return { rows, changed: rows, bytes: null, summary }
  } catch (error) {
    await mongo.db.dropCollection(stage).catch(() => undefined) // the next run removes it
    throw error
  }
}

/** Servers that only speak MongoDB's protocol may not rename onto a collection: NotImplemented. */
const notImplemented = 238

async function swap(mongo: Mongo, stage: string, name: string, exists: boolean, context: StageContext): Promise<void> {
  try {
    await mongo.db.collection(stage).rename(name, { dropTarget: exists, ...mongo.within })
  } catch (error) {
    if (!exists || numberOf(error) !== notImplemented) throw error
    context.log('warn', `This server cannot rename onto a collection: for a moment there is no ${name}`)
    const old = stageName(name)
    await mongo.db.collection(name).rename(old, mongo.within)
    await mongo.db.collection(stage).rename(name, mongo.within)
    await mongo.db.dropCollection(old, mongo.within)
  }
}

const prefixOf = (name: string): string => `headgate_stage_${digest(name)}_`
const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12)

/** Tells who writes it, so that what a killed run left can be told from what another one is writing. */
function stageName(name: string): string {
  return `${prefixOf(name)}${digest(hostname())}_${process.pid}_${Date.now()}_${randomBytes(4).toString('hex')}`
}

const longestRunMs = 7 * 86_400_000

/** Stages of runs whose process is gone. Those of other machines are left for a week: who writes them cannot be known. */
async function removeAbandoned(mongo: Mongo, name: string): Promise<void> {
  const prefix = prefixOf(name)
  const all = await mongo.db.listCollections({}, { nameOnly: true, ...mongo.within }).toArray()
  for (const { name: found } of all) {
    if (!found.startsWith(prefix)) continue
    const [host, pid, began] = found.slice(prefix.length).split('_')
    const abandoned = host === digest(hostname()) ? !isAlive(Number(pid)) : Date.now() - Number(began) > longestRunMs
    if (abandoned) await mongo.db.dropCollection(found, mongo.within)
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
