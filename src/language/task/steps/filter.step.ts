import { object, optional, required } from '../../shape/collections.ts'
import { defineStep } from '../definitions.ts'
import { collectBinds, paramsShape, sqlText, withParams } from '../sql-text.ts'
import type { FilterStep } from './step.types.ts'
import { msg } from '../../messages.ts'

const condition = sqlText({
  description: 'Keeps the rows for which this SQL (DuckDB) is true. `:name` binds an argument.',
  examples: ["country = 'DE' AND total >= :minimum"],
  form: 'expression',
  ofPipeline: true,
})
const long = object(
  { where: required(condition), params: optional(paramsShape) },
  { noun: msg('named', { name: 'filter' }), description: 'Keeps the rows for which `where` is true.' },
)

export const filterStep = defineStep<FilterStep>({
  kind: 'filter',
  shape: {
    schema: {
      description: condition.schema.description,
      examples: condition.schema.examples,
      anyOf: [condition.schema, long.schema],
    },
    read(node, path, outer) {
      if (node.kind !== 'map') {
        const where = condition.read(node, path, outer)
        return where === undefined
          ? undefined
          : { kind: 'filter', where, params: collectBinds([where], undefined, null, path, outer) }
      }
      const context = withParams(node, outer)
      const values = long.read(node, path, context)
      return (
        values && {
          kind: 'filter',
          where: values.where,
          params: collectBinds([values.where], values.params, node, path, context),
        }
      )
    },
  },
  flow: (_step, known) => known,
  resolve: (step, resolver, path) => ({ ...step, params: resolver.binds(step.params, `${path}.filter.params`) }),
})
