import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { flag } from '../../shape/scalars.ts'
import { expectColumn, reportExisting } from '../column-flow.ts'
import { columnName, sameColumn } from '../column-types.ts'
import { defineStep, type FlowReport } from '../definitions.ts'
import type { ExplodeStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const description = [
  'Creates one row for each item of a list; the item replaces the list.',
  'Rows whose list is empty or NULL are removed unless `keep_empty` is set.',
  'In a JSON column, a value that is not a list counts as a list with that one value.',
].join(' ')

const column = {
  ...columnName,
  schema: { ...columnName.schema, description: 'The column with the lists.', examples: ['items'] },
}

const long = object(
  {
    column: required(column),
    as: optional({
      ...columnName,
      schema: {
        ...columnName.schema,
        description: 'Name of the column with the item; by default the name of the list’s column.',
      },
    }),
    index: optional({
      ...columnName,
      schema: {
        ...columnName.schema,
        description: 'Name of an additional column with the item’s position, from 0; by default none.',
      },
    }),
    keep_empty: withDefault(flag({ description: 'Keeps a row without items, with NULL for the item.' }), false),
  },
  { noun: msg('named', { name: 'explode' }), description },
)

export const explodeStep = defineStep<ExplodeStep>({
  kind: 'explode',
  shape: {
    schema: {
      description,
      examples: ['items', { column: 'items', as: 'item', index: 'position' }],
      anyOf: [column.schema, long.schema],
    },
    read(node, path, context) {
      if (node.kind !== 'map') {
        const name = columnName.read(node, path, context)
        return name === undefined
          ? undefined
          : { kind: 'explode', column: name, as: name, index: null, keep_empty: false }
      }
      const values = long.read(node, path, context)
      return (
        values && {
          kind: 'explode',
          column: values.column,
          as: values.as ?? values.column,
          index: values.index ?? null,
          keep_empty: values.keep_empty,
        }
      )
    },
  },
  flow(step, known, report) {
    expectColumn(step.column, known, [['explode', 'column'], ['explode']], report)
    checkNames(step, known ?? [], report)
    if (known === null) return null
    return known.flatMap((name) => {
      if (!sameColumn(name, step.column)) return [name]
      return step.index === null ? [step.as] : [step.as, step.index]
    })
  },
  resolve: (step) => step,
})

function checkNames(step: ExplodeStep, known: readonly string[], report: FlowReport): void {
  const others = known.filter((name) => !sameColumn(name, step.column))
  if (others.some((name) => sameColumn(name, step.as))) reportExisting(step.as, [['explode', 'as']], report)
  const { index } = step
  if (index !== null && [...others, step.as].some((name) => sameColumn(name, index)))
    reportExisting(index, [['explode', 'index']], report)
}
