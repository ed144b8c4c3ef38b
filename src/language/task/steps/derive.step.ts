import { object, optional, required } from '../../shape/collections.ts'
import { record } from '../../shape/record.ts'
import { entryOf } from '../../yaml/yaml-tree.ts'
import { expectDistinct } from '../column-flow.ts'
import { sameColumn } from '../column-types.ts'
import { defineStep } from '../definitions.ts'
import { collectBinds, paramsShape, sqlText, withParams } from '../sql-text.ts'
import type { DeriveStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const expression = sqlText({
  description: 'Scalar SQL (DuckDB) over the columns that enter the step. `:name` binds an argument.',
  examples: ['quantity * price', "coalesce(email, 'none')"],
  form: 'expression',
  ofPipeline: true,
})
const short = record(expression, {
  description: 'Adds columns, or replaces columns of the same name: column → SQL.',
  examples: [{ total: 'quantity * price' }],
  min: 1,
})
const long = object(
  { columns: required(short), params: optional(paramsShape) },
  { noun: msg('named', { name: 'derive' }), description: 'Adds or replaces columns.' },
)

export const deriveStep = defineStep<DeriveStep>({
  kind: 'derive',
  shape: {
    schema: {
      description: short.schema.description,
      examples: short.schema.examples,
      anyOf: [short.schema, long.schema],
    },
    read(node, path, outer) {
      // A column's SQL is text, so a map under `columns` tells the long form.
      if (node.kind === 'map' && entryOf(node, 'columns')?.value.kind === 'map') {
        const context = withParams(node, outer)
        const values = long.read(node, path, context)
        if (!values) return undefined
        return {
          kind: 'derive',
          columns: values.columns,
          params: collectBinds(Object.values(values.columns), values.params, node, path, context),
        }
      }
      const columns = short.read(node, path, outer)
      return (
        columns && {
          kind: 'derive',
          columns,
          params: collectBinds(Object.values(columns), undefined, null, path, outer),
        }
      )
    },
  },
  flow(step, known, report) {
    const names = Object.keys(step.columns)
    const places = (column: string): string[][] => [
      ['derive', 'columns', column],
      ['derive', column],
    ]
    expectDistinct(names, places, report)
    const added = names.filter((column) => !known?.some((other) => sameColumn(other, column)))
    return known && [...known, ...added]
  },
  resolve: (step, resolver, path) => ({ ...step, params: resolver.binds(step.params, `${path}.derive.params`) }),
})
