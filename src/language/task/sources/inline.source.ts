import { listOf, object, required, withDefault } from '../../shape/collections.ts'
import { readJson } from '../../shape/json-value.ts'
import { reportType } from '../../shape/report-value.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, joinPath, type YamlMap } from '../../yaml/yaml-tree.ts'
import { columnType, columnTypes } from '../column-types.ts'
import { defineSource } from '../definitions.ts'
import type { InlineSource } from './source.types.ts'
import type { Json } from '../task.types.ts'
import { msg } from '../../messages.ts'

const row: Shape<Record<string, Json>> = {
  schema: { type: 'object', description: 'A row: column → value.', additionalProperties: true, 'x-template': true },
  read(node, path, context) {
    if (node.kind !== 'map') return reportType(node, path, context, msg('a_map_of_values'))
    let complete = true
    const values: Record<string, Json> = {}
    const seen = new Set<string>()
    for (const entry of node.entries) {
      const folded = entry.key.toLowerCase()
      if (seen.has(folded)) {
        complete = false
        context.report({
          code: 'duplicate_item',
          message: msg('column_twice_in_row', { key: entry.key }),
          hint: msg('remove_one'),
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
        description: 'The rows. A column that is missing in a row is NULL.',
        max: 10_000,
        examples: [[{ id: 1, name: 'Ada' }]],
      }),
    ),
    columns: withDefault(
      columnTypes(columnType, {
        description: 'Column types. Types of unlisted columns are detected from the values.',
        examples: [{ id: 'integer', name: 'string' }],
      }),
      {},
      null,
    ),
  },
  {
    noun: msg('named', { name: 'inline' }),
    description: 'Rows written in the YAML itself, for tests and small tables.',
  },
)

const variant = defineVariant({
  key: 'inline',
  noun: msg('a_source_with', { kind: 'inline' }),
  description: 'Rows written in the YAML itself.',
  fields: { inline: required(inlineShape) },
  build({ inline }, node, path, context): InlineSource | undefined {
    const source: InlineSource = { kind: 'inline', rows: inline.rows, columns: inline.columns }
    const names = inlineColumns(source)
    if (names.length > 0) return checkCapitals(names, node, path, context) ? source : undefined
    context.report({
      code: 'wrong_length',
      message: msg('inline_without_columns'),
      hint: msg('add_row_or_columns'),
      path: `${path}.inline`,
      at: entryOf(node, 'inline')?.keySpan ?? node.mark,
    })
    return undefined
  },
})

/** Databases do not tell columns apart by capitals. */
function checkCapitals(names: string[], node: YamlMap, path: string, context: ReadContext): boolean {
  const spellings = new Map<string, string>()
  for (const name of names) {
    const other = spellings.get(name.toLowerCase())
    if (other !== undefined) {
      context.report({
        code: 'duplicate_item',
        message: msg('columns_differ_in_case', { first: other, second: name }),
        hint: msg('write_name_alike'),
        path: `${path}.inline`,
        at: entryOf(node, 'inline')?.keySpan ?? node.mark,
      })
      return false
    }
    spellings.set(name.toLowerCase(), name)
  }
  return true
}

/** Those of the rows as they appear, then those that only `columns` names. */
function inlineColumns(source: InlineSource): string[] {
  return [...new Set([...source.rows, source.columns].flatMap((part) => Object.keys(part)))]
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
