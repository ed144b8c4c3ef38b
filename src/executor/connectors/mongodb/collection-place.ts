import type { Document, IndexDescription } from 'mongodb'
import type { CollectionTarget } from '../../../language/task/targets/target.types.ts'
import type { Mongo } from './client.ts'
import { EngineError } from '../../engine/errors.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** A collection as it is before it is written to. */
export interface CollectionPlace {
  name: string
  options: Document
  /** Without that of `_id`. */
  indexes: IndexDescription[]
}

/** null: there is none yet. */
export async function lookAt(mongo: Mongo, name: string): Promise<CollectionPlace | null> {
  const [found] = await mongo.db.listCollections({ name }, { ...mongo.within }).toArray()
  if (!found) return null
  const { type, options } = found as { type?: string; options?: Document } // the full form, not names only
  if (type === 'view') {
    throw new EngineError('CONNECTOR_UNSUITABLE', runMessage('collection_is_view', { name }), {
      hint: runMessage('collection_is_view_fix'),
    })
  }
  return { name, options: options ?? {}, indexes: await indexesOf(mongo, name) }
}

async function indexesOf(mongo: Mongo, name: string): Promise<IndexDescription[]> {
  const listed = await mongo.db
    .collection(name)
    .listIndexes({ ...mongo.within })
    .toArray()
  return listed
    .filter((index: Document) => index['name'] !== '_id_')
    .map(({ v: _version, ns: _namespace, ...index }: Document) => index as IndexDescription) // as the server lists what it was given
}

export async function makeCollection(mongo: Mongo, target: CollectionTarget, key: string[]): Promise<void> {
  await mongo.db.createCollection(target.collection, { ...mongo.within })
  if (target.mode !== 'upsert' || isId(key)) return
  await mongo.db
    .collection(target.collection)
    .createIndex(Object.fromEntries(key.map((field) => [field, 1])), { ...mongo.within, unique: true })
}

const isId = (key: string[]): boolean => key.length === 1 && key[0] === '_id'

/** An upsert without a unique index reads the whole collection for each row, and two at once would add a document twice. */
export function requireUniqueKey(place: CollectionPlace, target: CollectionTarget, key: string[]): void {
  const wanted = key.toSorted().join('\n')
  const fits = ({ unique, partialFilterExpression, key: fields }: IndexDescription): boolean =>
    unique === true && partialFilterExpression === undefined && Object.keys(fields).toSorted().join('\n') === wanted
  if (isId(key) || place.indexes.some(fits)) return
  const fields = key.map((field) => `${JSON.stringify(field)}: 1`).join(', ')
  throw new EngineError(
    'KEY_NOT_UNIQUE',
    runMessage('no_unique_index_of_collection', { collection: target.collection, key }),
    {
      hint: runMessage('no_unique_index_of_collection_fix', { collection: JSON.stringify(target.collection), fields }),
    },
  )
}
