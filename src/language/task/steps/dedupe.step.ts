import { object, optional, withDefault } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import { choice } from '../../shape/scalars.ts'
import { expectColumn } from '../column-flow.ts'
import { columnName } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import type { DedupeStep } from './step.types.ts'
import { columnList } from './column-list.ts'
import { msg } from '../../messages.ts'

const description = [
  'Keeps one row for each value of the key; `true` compares complete rows.',
  'NULL counts as a value: one of the rows with a NULL key is kept.',
  'The kept rows stay in order. The others are counted, not rejected.',
].join(' ')

const key = columnList('Columns that form the key; by default all columns.', ['id', ['region', 'day']])

const long = object(
  {
    key: optional(key),
    keep: withDefault(
      choice('Which of several rows to keep.', {
        first: 'The first one read, or the one with the smallest `order_by`.',
        last: 'The last one read, or the one with the greatest `order_by`.',
      }),
      'first',
    ),
    order_by: optional({
      ...columnName,
      schema: {
        ...columnName.schema,
        description: 'Column that determines which row is first. A row with NULL in it is kept only if all have NULL.',
        examples: ['updated_at'],
      },
    }),
  },
  { noun: msg('named', { name: 'dedupe' }), description },
)

export const dedupeStep = defineStep<DedupeStep>({
  kind: 'dedupe',
  shape: {
    schema: {
      description,
      examples: [['id'], true, { key: ['id'], keep: 'last', order_by: 'updated_at' }],
      anyOf: [{ const: true, description: 'Compares complete rows.' }, ...(key.schema.anyOf ?? []), long.schema],
    },
    read(node, path, context) {
      if (node.kind === 'map') {
        const values = long.read(node, path, context)
        return values && { kind: 'dedupe', key: values.key ?? [], keep: values.keep, order_by: values.order_by ?? null }
      }
      if (node.kind === 'scalar' && node.value === true)
        return { kind: 'dedupe', key: [], keep: 'first', order_by: null }
      if (node.kind === 'scalar' && typeof node.value !== 'string')
        return reportType(node, path, context, msg('flag_columns_or_map'), msg('write_dedupe'))
      const names = key.read(node, path, context)
      return names && { kind: 'dedupe', key: names, keep: 'first', order_by: null }
    },
  },
  flow(step, known, report) {
    for (const [index, column] of step.key.entries()) {
      expectColumn(column, known, [['dedupe', 'key', index], ['dedupe', 'key'], ['dedupe', index], ['dedupe']], report)
    }
    if (step.order_by !== null) expectColumn(step.order_by, known, [['dedupe', 'order_by']], report)
    return known
  },
  resolve: (step) => step,
})
