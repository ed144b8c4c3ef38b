import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { choice, number, text } from '../../shape/scalars.ts'
import { defineVariant } from '../../shape/variants.ts'
import { columnName } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { defineTarget } from '../definitions.ts'
import { checkCollectionName } from '../mongo-documents.ts'
import { keyFitsMode } from './write-mode.ts'
import type { CollectionTarget } from './target.types.ts'

const batch = object(
  {
    rows: withDefault(
      number({
        description: 'At most so many documents go into one request; fewer when they are large.',
        integer: true,
        min: 1,
        max: 100_000,
      }),
      5_000,
    ),
  },
  { noun: '`batch`', description: 'How documents are sent.' },
)

const variant = defineVariant({
  key: 'collection',
  noun: 'a target with `collection`',
  description: 'Writes into a MongoDB collection, each row a document. A missing one is made.',
  fields: {
    connector: required(slotReference(['mongodb'], 'write', 'target `collection`')),
    collection: required(
      text({
        description: [
          'The collection. Whole numbers become longs, decimals `Decimal128`, dates and moments `Date`, JSON documents and lists; NULL is null.',
          'MongoDB keeps milliseconds: a finer moment is refused rather than rounded.',
          'Without a column `_id` each new document gets an ObjectId.',
        ].join(' '),
        examples: ['orders'],
        template: true,
        maxLength: 200,
        check: checkCollectionName,
      }),
    ),
    mode: withDefault(
      choice(
        'How documents are written. What is small enough goes in one transaction where the server has them; the log says when it goes batch by batch.',
        {
          append: 'They are added.',
          replace:
            'They take the place of all there were: written beside, with the same indexes, then renamed at once.',
          upsert:
            'Documents with the same `key` get the fields of the row, others are added. Needs a unique index on `key`.',
          delete_insert: 'Every document whose `key` comes in is deleted, then the rows are added.',
        },
      ),
      'append',
    ),
    key: withDefault(
      listOf(columnName, {
        description: 'Fields that tell documents apart; needed by `upsert` and `delete_insert`.',
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
    if (!keyFitsMode(values, node, path, context, 'the fields by which a document is found again')) return undefined
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
