import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { choice, number, text } from '../../shape/scalars.ts'
import { defineVariant } from '../../shape/variants.ts'
import { columnName } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { defineTarget } from '../definitions.ts'
import { checkTableName } from '../table-name.ts'
import { entryOf } from '../../yaml/yaml-tree.ts'
import { keyFitsMode } from './write-mode.ts'
import type { TableTarget } from './target.types.ts'

const batch = object(
  {
    rows: withDefault(
      number({
        description: 'At most so many rows go into one statement. PostgreSQL takes rows as one stream and needs none.',
        integer: true,
        min: 1,
        max: 1_000_000,
      }),
      5_000,
    ),
  },
  { noun: '`batch`', description: 'How rows are sent.' },
)

const schemaPolicy = object(
  {
    columns: withDefault(
      choice('What happens with a column that the table lacks.', {
        evolve: 'It is added to the table.',
        freeze: 'The run fails.',
        discard: 'It is left out.',
      }),
      'evolve',
    ),
    types: withDefault(
      choice("What happens when a value's type does not fit the table's column.", {
        freeze: 'The run fails.',
        widen: 'The column is given the wider type.',
        recreate:
          'The column is given the type of the rows, whatever it held. Needs `mode: replace`. Indexes, keys, views, triggers, grants and comments are kept where they can be, and the log names those that cannot.',
      }),
      'freeze',
    ),
  },
  { noun: '`schema`', description: 'What happens when the rows do not fit the table. A missing table is made.' },
)

const variant = defineVariant({
  key: 'table',
  noun: 'a target with `table`',
  description: 'Writes into a table. A missing one is made.',
  fields: {
    connector: required(slotReference(['sqlite', 'postgres', 'mysql', 'duckdb'], 'write', 'target `table`')),
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
        append: 'They are added.',
        replace: 'They take the place of all there were: written beside, then swapped in at once.',
        upsert: 'Rows with the same `key` are updated, others added. Needs a unique index on `key`.',
        delete_insert:
          'Every row of the table whose `key` comes in is deleted, then the rows are added, in one transaction. The `key` may stand for many rows, as a day does.',
      }),
      'append',
    ),
    key: withDefault(
      listOf(columnName, {
        description: 'Columns that tell rows apart; needed by `upsert` and `delete_insert`.',
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
    const found = values.mode === 'upsert' ? 'a row is found again' : 'rows are found again'
    if (!keyFitsMode(values, node, path, context, `the columns by which ${found}`)) return undefined
    if (values.schema.types === 'recreate' && values.mode !== 'replace') {
      const schema = entryOf(node, 'schema')?.value
      const types = schema?.kind === 'map' ? entryOf(schema, 'types')?.value : undefined
      context.report({
        code: 'recreate_without_replace',
        message: `\`types: recreate\` needs \`mode: replace\`; with \`mode: ${values.mode}\` rows of the table stay, and their values may not fit another type.`,
        hint: 'Set `mode: replace`, or `types: widen`.',
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
