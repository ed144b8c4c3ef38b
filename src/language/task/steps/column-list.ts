import { listOf } from '../../shape/collections.ts'
import { reportType } from '../../shape/report-value.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { columnName } from '../column-types.ts'
import { msg } from '../../messages.ts'

/** One column, or a list of them. */
export function columnList(description: string, examples: (string | string[])[]): Shape<string[]> {
  const list = listOf(columnName, { description, min: 1, unique: 'columns' })
  return {
    schema: { description, anyOf: [columnName.schema, list.schema], examples },
    read(node, path, context) {
      if (node.kind === 'list') return list.read(node, path, context)
      if (node.kind === 'map') return reportType(node, path, context, msg('a_list_of_columns'))
      const name = columnName.read(node, path, context)
      return name === undefined ? undefined : [name]
    },
  }
}
