import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { choice, number, text } from '../../shape/scalars.ts'
import { defineVariant } from '../../shape/variants.ts'
import { columnName } from '../column-types.ts'
import { slotReference, sqlDatabases } from '../connector-slots.ts'
import { defineTarget } from '../definitions.ts'
import { checkTableName } from '../table-name.ts'
import { entryOf } from '../../yaml/yaml-tree.ts'
import { keyFitsMode } from './write-mode.ts'
import type { TableTarget } from './target.types.ts'
import { msg } from '../../messages.ts'

const batch = object(
  {
    rows: withDefault(
      number({
        description:
          'Maximum number of rows per statement. Not used for PostgreSQL, which receives rows as one stream.',
        integer: true,
        min: 1,
        max: 1_000_000,
      }),
      5_000,
    ),
  },
  { noun: msg('named', { name: 'batch' }), description: 'How rows are sent.' },
)

const schemaPolicy = object(
  {
    columns: withDefault(
      choice('What happens to a column that the table lacks.', {
        evolve: 'It is added to the table.',
        freeze: 'The run fails.',
        discard: 'It is ignored.',
      }),
      'evolve',
    ),
    types: withDefault(
      choice(
        'What happens if a value’s type doesn’t fit the table’s column, or with `widen` and `recreate` if a value exceeds the column’s digits or length.',
        {
          freeze: 'The run fails.',
          widen: 'The column is changed to the wider type. SQLite widens numbers only.',
          recreate:
            'The column is changed to the type of the rows, whatever its type was. Requires `mode: replace`. Indexes, keys, views, triggers, grants, and comments are kept if possible; the log lists those that can’t be kept.',
        },
      ),
      'freeze',
    ),
  },
  {
    noun: msg('named', { name: 'schema' }),
    description: 'What happens if the rows don’t fit the table. A missing table is created.',
  },
)

const variant = defineVariant({
  key: 'table',
  noun: msg('a_target_with', { kind: 'table' }),
  description: 'Writes to a table. A missing table is created.',
  fields: {
    connector: required(slotReference(sqlDatabases, 'write', msg('target_named', { kind: 'table' }))),
    table: required(
      text({
        description: 'The table: `table` or `schema.table`.',
        examples: ['contacts', 'sales.orders'],
        template: true,
        maxLength: 300,
        check: checkTableName,
      }),
    ),
    mode: withDefault(
      choice('How rows are written.', {
        append: 'Adds the rows.',
        replace:
          'Replaces all rows: the new ones are written to another table, which then replaces the old one in one step.',
        upsert: 'Rows with the same `key` are updated, others are added. Requires a unique index on `key`.',
        delete_insert:
          'Deletes every row of the table whose `key` occurs in the rows, then adds the rows, in one transaction. A `key` can match many rows, as a day does.',
      }),
      'append',
    ),
    key: withDefault(
      listOf(columnName, {
        description:
          'Key columns; required by `upsert` and `delete_insert`. Rows with NULL in one of them go to the run’s rejects.',
        min: 1,
        max: 20,
        unique: 'columns',
        examples: [['id']],
      }),
      [],
    ),
    batch: withDefault(batch, { rows: 5_000 }),
    schema: withDefault(schemaPolicy, { columns: 'evolve', types: 'freeze' }),
  },
  build(values, node, path, context): TableTarget | undefined {
    const meaning = values.mode === 'upsert' ? msg('columns_that_find_row') : msg('columns_that_find_rows')
    if (!keyFitsMode(values, node, path, context, meaning)) return undefined
    if (values.schema.types === 'recreate' && values.mode !== 'replace') {
      const schema = entryOf(node, 'schema')?.value
      const types = schema?.kind === 'map' ? entryOf(schema, 'types')?.value : undefined
      context.report({
        code: 'recreate_without_replace',
        message: msg('recreate_without_replace', { mode: values.mode }),
        hint: msg('set_replace_or_widen'),
        path: `${path}.schema.types`,
        at: types?.mark ?? node.mark,
      })
      return undefined
    }
    return { kind: 'table', ...values }
  },
})

export const tableTarget = defineTarget<TableTarget>({
  kind: 'table',
  variant,
  needs: (target) => target.key.map((column, index) => ({ column, segments: ['key', index] })),
  resolve: (target, resolver, path) => ({
    ...target,
    table: resolver.text(target.table, `${path}.table`, checkTableName),
  }),
})
