import { listOf, object, optional, required, withDefault } from '../../shape/collections.ts'
import { text } from '../../shape/scalars.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, joinPath } from '../../yaml/yaml-tree.ts'
import { columnName, columnType, columnTypes } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { defineSource } from '../definitions.ts'
import { checkRequestPath } from '../http-request.ts'
import { findFilterBinds, odataFilter } from '../odata-filter.ts'
import { paramsShape, withParams } from '../sql-text.ts'
import type { ODataSource } from './source.types.ts'
import type { Binds } from '../task.types.ts'
import { msg } from '../../messages.ts'
import type { TextProblem } from '../../shape/scalars.ts'

function checkEntity(value: string): ReturnType<typeof checkRequestPath> {
  if (!value.includes('?')) return checkRequestPath(value)
  return {
    code: 'invalid_value',
    message: msg('entity_with_options'),
    hint: msg('write_entity_name'),
  }
}

const odataShape = object(
  {
    entity: required(
      text({
        description: 'Name of the entity set, or a path to one.',
        examples: ['Orders', 'Customers(42)/Orders'],
        template: true,
        maxLength: 1_000,
        check: checkEntity,
      }),
    ),
    select: optional(
      listOf(columnName, {
        description: 'Properties to read; by default all.',
        min: 1,
        unique: 'columns',
        examples: [['ID', 'total']],
      }),
    ),
    filter: optional(odataFilter),
    params: optional(paramsShape),
    expand: withDefault(
      listOf(
        text({
          description: 'A navigation property, optionally with options in parentheses to restrict it.',
          maxLength: 1_000,
          examples: ['Items', 'Items($select=ID,qty)'],
          check: (value): TextProblem | null =>
            /^[\p{L}_][\p{L}\p{N}_./]*(\(.+\))?$/su.test(value)
              ? null
              : {
                  code: 'invalid_value',
                  message: msg('not_a_navigation_property', { value: value.slice(0, 60) }),
                  hint: msg('write_navigation_property'),
                },
        }),
        {
          description: 'Navigation properties; each becomes a JSON column.',
          max: 50,
          unique: true,
          examples: [['Items']],
        },
      ),
      [],
    ),
    order_by: optional(
      text({ description: 'Sort order (`$orderby`).', maxLength: 2_000, examples: ['updated_at desc, ID'] }),
    ),
    columns: withDefault(
      columnTypes(columnType, {
        description: 'Column types. Types of unlisted columns come from the service’s metadata.',
        examples: [{ price: 'decimal(18,2)' }],
      }),
      {},
      null,
    ),
  },
  {
    noun: msg('named', { name: 'odata' }),
    description:
      'Entities of an OData service (version 4), from all pages. Types come from its `$metadata`: long integers and decimals keep every digit.',
  },
)

const variant = defineVariant({
  key: 'odata',
  noun: msg('a_source_with', { kind: 'odata' }),
  description: 'Entities of an OData service.',
  fields: {
    connector: required(slotReference(['odata'], 'read', msg('source_named', { kind: 'odata' }))),
    odata: required(odataShape),
  },
  context: (node, context) => withParams(entryOf(node, 'odata')?.value, context),
  build({ connector, odata }, node, path, context): ODataSource {
    const { entity, select, filter, params, expand, order_by, columns } = odata
    const binds: Binds = {}
    for (const { name } of findFilterBinds(filter ?? '')) {
      binds[name] = params && Object.hasOwn(params, name) ? (params[name] ?? null) : `\${{ args.${name} }}`
    }
    const map = entryOf(node, 'odata')?.value
    const written = map?.kind === 'map' ? entryOf(map, 'params')?.value : undefined
    for (const entry of written?.kind === 'map' ? written.entries : []) {
      if (Object.hasOwn(binds, entry.key)) continue
      context.report({
        code: 'unused_parameter',
        message: msg('filter_bind_unused', { key: entry.key }),
        hint: msg('remove_or_use_in_filter'),
        path: joinPath(`${path}.odata.params`, entry.key),
        at: entry.keySpan,
      })
    }
    return {
      kind: 'odata',
      connector,
      entity,
      select: select ?? null,
      filter: filter ?? null,
      params: binds,
      expand,
      order_by: order_by ?? null,
      columns,
    }
  },
})

export const odataSource = defineSource<ODataSource>({
  kind: 'odata',
  variant,
  // Paths such as `Address/city` come under their first name.
  columns: ({ select, expand, columns }) =>
    select === null
      ? null
      : [...new Set([...[...select, ...expand].map((path) => path.replace(/[/(].*$/s, '')), ...Object.keys(columns)])],
  resolve: (source, resolver, path) => ({
    ...source,
    entity: resolver.text(source.entity, `${path}.odata.entity`, checkEntity),
    params: resolver.binds(source.params, `${path}.odata.params`),
  }),
})
