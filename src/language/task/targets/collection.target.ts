import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { choice, number, text } from '../../shape/scalars.ts'
import { defineVariant } from '../../shape/variants.ts'
import { columnName } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { defineTarget } from '../definitions.ts'
import { checkCollectionName } from '../mongo-documents.ts'
import { keyFitsMode } from './write-mode.ts'
import type { CollectionTarget } from './target.types.ts'
import { msg } from '../../messages.ts'

const batch = object(
  {
    rows: withDefault(
      number({
        description: 'Maximum number of documents per request; fewer if they are large.',
        integer: true,
        min: 1,
        max: 100_000,
      }),
      5_000,
    ),
  },
  { noun: msg('named', { name: 'batch' }), description: 'How documents are sent.' },
)

const variant = defineVariant({
  key: 'collection',
  noun: msg('a_target_with', { kind: 'collection' }),
  description: 'Writes to a MongoDB collection, one document per row. A missing collection is created.',
  fields: {
    connector: required(slotReference(['mongodb'], 'write', msg('target_named', { kind: 'collection' }))),
    collection: required(
      text({
        description: [
          'The collection. Integers become longs, decimals `Decimal128`, dates and timestamps `Date`, JSON becomes documents and lists, and NULL becomes null.',
          'MongoDB stores milliseconds: a finer timestamp is refused, not rounded.',
          'Without a column `_id`, each new document gets an ObjectId.',
        ].join(' '),
        examples: ['orders'],
        template: true,
        maxLength: 200,
        check: checkCollectionName,
      }),
    ),
    mode: withDefault(
      choice(
        'How documents are written. Small amounts are written in one transaction if the server supports it; otherwise documents are written in batches, and the log says so.',
        {
          append: 'Adds the rows.',
          replace:
            'Replaces all documents: the new ones are written to another collection with the same indexes, which is then renamed.',
          upsert:
            'Documents with the same `key` get the fields of the row; other rows are added. Requires a unique index on `key`.',
          delete_insert: 'Deletes every document whose `key` occurs in the rows, then adds the rows.',
        },
      ),
      'append',
    ),
    key: withDefault(
      listOf(columnName, {
        description: 'Key fields; required by `upsert` and `delete_insert`.',
        min: 1,
        max: 20,
        unique: 'columns',
        examples: [['_id']],
      }),
      [],
    ),
    batch: withDefault(batch, { rows: 5_000 }),
  },
  build(values, node, path, context): CollectionTarget | undefined {
    if (!keyFitsMode(values, node, path, context, msg('fields_that_find_document'))) return undefined
    return { kind: 'collection', ...values }
  },
})

export const collectionTarget = defineTarget<CollectionTarget>({
  kind: 'collection',
  variant,
  needs: (target) => target.key.map((column, index) => ({ column, segments: ['key', index] })),
  resolve: (target, resolver, path) => ({
    ...target,
    collection: resolver.text(target.collection, `${path}.collection`, checkCollectionName),
  }),
})
