import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { readJson } from '../../shape/json-value.ts'
import { reportType } from '../../shape/report-value.ts'
import type { Shape } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, joinPath } from '../../yaml/yaml-tree.ts'
import { columnTypes, sameColumn } from '../column-types.ts'
import { defineSource } from '../definitions.ts'
import type { InlineSource, Json } from '../task.types.ts'

const row: Shape<Record<string, Json>> = {
  schema: { type: 'object', description: 'A row: column → value.', additionalProperties: true, 'x-template': true },
  read(node, path, context) {
    if (node.kind !== 'map') return reportType(node, path, context, 'a map: column → value')
    let complete = true
    const values: Record<string, Json> = {}
    const seen = new Set<string>()
    for (const entry of node.entries) {
      const folded = entry.key.toLowerCase()
      if (seen.has(folded)) {
        complete = false
        context.report({
          code: 'duplicate_item',
          message: `The column \`${entry.key}\` stands twice in one row; case makes no difference.`,
          hint: 'Remove one of the two.',
          path: joinPath(path, entry.key),
          at: entry.keySpan,
        })
      }
      seen.add(folded)
      const value = readJson(entry.value, joinPath(path, entry.key), context, true)
      if (value === undefined) complete = false
      else values[entry.key] = value
    }
    return complete ? values : undefined
  },
}

const inlineShape = object(
  {
    rows: required(
      listOf(row, {
        description: 'The rows. A column that a row leaves out is NULL.',
        max: 10_000,
        examples: [[{ id: 1, name: 'Ada' }]],
      }),
    ),
    columns: withDefault(
      columnTypes({
        description: 'Types of columns. Those not named here follow from the values.',
        examples: [{ id: 'integer', name: 'string' }],
      }),
      {},
      null,
    ),
  },
  { noun: '`inline`', description: 'Rows written in the YAML itself, for tests and small tables.' },
)

const variant = defineVariant({
  key: 'inline',
  noun: 'a source with `inline`',
  description: 'Rows written in the YAML itself.',
  fields: { inline: required(inlineShape) },
  build({ inline }, node, path, context): InlineSource | undefined {
    const source: InlineSource = { kind: 'inline', rows: inline.rows, columns: inline.columns }
    if (inlineColumns(source).length > 0) return source
    context.report({
      code: 'wrong_length',
      message: '`inline` has no columns: there are no rows, and `columns` names none.',
      hint: 'Add a row, or name the columns with their types under `columns`.',
      path: `${path}.inline`,
      at: entryOf(node, 'inline')?.keySpan ?? node.mark,
    })
    return undefined
  },
})

/** Declared columns first, then those of the rows as they appear. */
export function inlineColumns(source: InlineSource): string[] {
  const names = new Map<string, string>()
  for (const name of [source.columns, ...source.rows].flatMap((part) => Object.keys(part))) {
    if (!names.has(name.toLowerCase())) names.set(name.toLowerCase(), name)
  }
  return [...names.values()]
}

/** The value of a column in a row; a column may be written with other capitals than elsewhere. */
export function inlineValue(row_: Record<string, Json>, column: string): Json {
  const key = Object.keys(row_).find((name) => sameColumn(name, column))
  return key === undefined ? null : (row_[key] ?? null)
}

export const inlineSource = defineSource<InlineSource>({
  kind: 'inline',
  variant,
  columns: inlineColumns,
  resolve: (source, resolver, path) => ({
    ...source,
    rows: source.rows.map(
      (values, index) => resolver.json(values, `${path}.inline.rows[${index}]`) as Record<string, Json>,
    ), // a map stays one
  }),
})
