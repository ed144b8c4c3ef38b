import { object, required, withDefault } from '../../shape/collections.ts'
import { choice } from '../../shape/scalars.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { entryOf, joinPath } from '../../yaml/yaml-tree.ts'
import { expectColumn, expectDistinct } from '../column-flow.ts'
import { columnType, columnTypes, type ColumnType } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import type { CastStep, Rounding } from './step.types.ts'
import { msg } from '../../messages.ts'

/** A type by its name, or with what the column may lose. */
const lossy = object(
  {
    type: required(columnType),
    rounding: required(
      choice('What happens to what the type can’t hold. By default, such a value doesn’t fit.', {
        round:
          'Rounds to the nearest value of the type; halves away from zero. For `integer`, `number`, and `decimal`.',
        truncate:
          'Cuts off the rest: digits, the time of day, parts of a microsecond. For `integer`, `decimal`, `date`, `time`, and `datetime`.',
      }),
    ),
  },
  { noun: msg('a_cast_column'), description: 'A type, and what the column can lose.' },
)

const fitting: Record<Rounding, RegExp> = {
  round: /^(integer|number|decimal)/,
  truncate: /^(integer|decimal|date|time|datetime)/,
}

const castType: Shape<{ type: ColumnType; rounding: Rounding | null }> = {
  schema: {
    description: columnType.schema.description ?? '',
    anyOf: [...(columnType.schema.anyOf ?? []), lossy.schema],
  },
  read(node, path, context) {
    if (node.kind !== 'map') {
      const type = columnType.read(node, path, context)
      return type === undefined ? undefined : { type, rounding: null }
    }
    const read = lossy.read(node, path, context)
    if (!read || fitting[read.rounding].test(read.type)) return read
    const others = rounding.filter((other) => fitting[other].test(read.type))
    context.report({
      code: 'option_not_applicable',
      message: msg('rounding_not_applicable', { rounding: read.rounding, type: read.type }),
      hint: others.length > 0 ? msg('use_rounding', { others }) : msg('remove_rounding'),
      path: joinPath(path, 'rounding'),
      at: entryOf(node, 'rounding')?.value.mark ?? node.mark,
    })
    return undefined
  },
}
const rounding: readonly Rounding[] = ['round', 'truncate']

const short = columnTypes(castType, {
  description:
    'Converts columns: column → type. A value that would lose a digit, a time of day, or a part of a second doesn’t fit unless `rounding` allows it.',
  examples: [{ id: 'integer', updated_at: 'datetime' }, { amount: { type: 'decimal(18,2)', rounding: 'round' } }],
  min: 1,
})

const long = object(
  {
    columns: required(short),
    on_error: withDefault(
      choice('What happens to a value that doesn’t fit its type, or would lose something in it.', {
        fail: 'The run fails; the error contains column and value.',
        null: 'The value becomes NULL. Such values are counted per column, and the run ends as `completed`.',
        quarantine: 'The row goes to the run’s rejects.',
      }),
      'fail',
    ),
  },
  {
    noun: msg('named', { name: 'cast' }),
    description: 'Converts columns to a type, and sets what happens to values that don’t fit.',
  },
)

function castOf(
  columns: Record<string, { type: ColumnType; rounding: Rounding | null }>,
  onError: CastStep['on_error'],
): CastStep {
  const entries = Object.entries(columns)
  return {
    kind: 'cast',
    columns: Object.fromEntries(entries.map(([column, { type }]) => [column, type])),
    rounding: Object.fromEntries(
      entries.flatMap(([column, { rounding: allowed }]) => (allowed === null ? [] : [[column, allowed]])),
    ),
    on_error: onError,
  }
}

export const castStep = defineStep<CastStep>({
  kind: 'cast',
  shape: {
    schema: {
      description: long.schema.description,
      examples: short.schema.examples,
      anyOf: [short.schema, long.schema],
    },
    read(node, path, context) {
      // `columns` with a map below it is the long form, also where a column is called that.
      if (node.kind === 'map' && entryOf(node, 'columns')?.value.kind === 'map') {
        const values = long.read(node, path, context)
        return values && castOf(values.columns, values.on_error)
      }
      const columns = short.read(node, path, context)
      return columns && castOf(columns, 'fail')
    },
  },
  flow(step, known, report) {
    const names = Object.keys(step.columns)
    const places = (column: string): string[][] => [
      ['cast', 'columns', column],
      ['cast', column],
    ]
    for (const column of names) expectColumn(column, known, places(column), report)
    expectDistinct(names, places, report)
    return known
  },
  resolve: (step) => step,
})
