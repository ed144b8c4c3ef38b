import { completeExpression, expressionStart } from './editor/complete-embedded.ts'
import { completeBySchema, type Offer } from './editor/complete-schema.ts'
import type { Completion } from './editor/completion.types.ts'
import { findCursor, type Cursor } from './editor/cursor.ts'
import { type DashboardWorld, dashboardExpressions, dashboardNames } from './editor/dashboard-place.ts'
import { dashboardSchema } from './dashboard/dashboard-schema.ts'
import type { FieldKind } from './dashboard/dashboard.types.ts'
import { parseDashboardTree } from './dashboard/parse-dashboard.ts'
import { defaultShapes } from './dashboard/widgets/form-field.ts'
import type { JsonSchema } from './shape/json-schema.ts'
import { entryOf, type YamlMap, type YamlNode } from './yaml/yaml-tree.ts'
import { MAX_TEXT_BYTES } from './yaml/text-limits.ts'

export type { DashboardWorld } from './editor/dashboard-place.ts'

/** What may stand at an offset of a dashboard template, also while the text is half-typed. Never throws. */
export function completeDashboard(text: string, offset: number, world: DashboardWorld = {}): Completion[] {
  if (text.length > MAX_TEXT_BYTES || offset < 0 || offset > text.length) return []
  const cursor = findCursor(text, offset)
  const parsed = parseDashboardTree(text, world.catalogue)
  const expression = expressionStart(text, offset)
  if (expression !== -1) return completeExpression(text, expression, offset, dashboardExpressions(parsed))
  const field = fieldOfDefault(parsed.root, cursor)
  return completeBySchema(field ? defaultSchema(field) : schemaFor(parsed.root, cursor), {
    cursor,
    offset,
    offers: (schema): Offer[] =>
      (schema['x-complete'] === 'option' ? optionsOf(field) : dashboardNames(schema['x-complete'], parsed, world))
        .filter(
          ({ types }) =>
            !types || !schema['x-slot-types'] || types.every((one) => schema['x-slot-types']?.includes(one)),
        )
        .map(({ name, detail }) => ({ label: name, kind: 'value', detail, documentation: '' })),
    entries: () => [],
  })
}

/** The field of a form whose `default` is at the cursor. */
function fieldOfDefault(root: YamlNode | null, { path }: Cursor): YamlMap | undefined {
  if (path[0] !== 'widgets' || path[2] !== 'fields' || path[4] !== 'default') return undefined
  let node: YamlNode | undefined = root ?? undefined
  for (const part of path.slice(0, 4)) {
    node =
      node?.kind === 'map'
        ? entryOf(node, String(part))?.value
        : node?.kind === 'list'
          ? node.items[Number(part)]
          : undefined
  }
  return node?.kind === 'map' ? node : undefined
}

/** What belongs there depends on how the field is entered. */
function defaultSchema(field: YamlMap): JsonSchema {
  const widget = entryOf(field, 'widget')?.value
  const kind = widget?.kind === 'scalar' ? String(widget.value) : 'text'
  const { schema } = Object.hasOwn(defaultShapes, kind) ? defaultShapes[kind as FieldKind] : defaultShapes.text // as checked
  const option: JsonSchema = { type: 'string', 'x-complete': 'option' }
  const narrowed: JsonSchema =
    optionsOf(field).length === 0 ? schema : kind === 'multiselect' ? { ...schema, items: option } : option
  const at = (key: string, inner: JsonSchema): JsonSchema => ({ properties: { [key]: inner } })
  return at('widgets', { items: at('fields', { items: at('default', narrowed) }) })
}

function optionsOf(field: YamlMap | undefined): { name: string; detail: string; types?: undefined }[] {
  const options = field && entryOf(field, 'options')?.value
  return (options?.kind === 'list' ? options.items : []).flatMap((item) => {
    const value = item.kind === 'map' ? entryOf(item, 'value')?.value : item
    const label = item.kind === 'map' ? entryOf(item, 'label')?.value : undefined
    if (value?.kind !== 'scalar' || typeof value.value !== 'string') return []
    return [{ name: value.value, detail: label?.kind === 'scalar' ? String(label.value) : '' }]
  })
}

/** The schema without the forms that the `type` at the cursor rules out. */
function schemaFor(root: YamlNode | null, { path }: Cursor): JsonSchema {
  const [section, key] = path
  const list = root?.kind === 'map' && section !== undefined ? entryOf(root, String(section))?.value : undefined
  const item =
    list?.kind === 'list'
      ? list.items[Number(key)]
      : list?.kind === 'map'
        ? entryOf(list, String(key))?.value
        : undefined
  const type = item?.kind === 'map' ? entryOf(item, 'type')?.value : undefined
  const name = type?.kind === 'scalar' ? type.value : undefined
  const narrowed = (schema: JsonSchema | undefined): JsonSchema | undefined => {
    const fitting = schema?.anyOf?.filter(({ properties }) => properties?.['type']?.const === name)
    return fitting?.length ? { ...schema, anyOf: fitting } : schema
  }
  const { properties = {} } = dashboardSchema
  const { widgets, filters } = properties
  if (section === 'widgets' && widgets?.items && name !== undefined)
    return {
      ...dashboardSchema,
      properties: { ...properties, widgets: { ...widgets, items: narrowed(widgets.items)! } },
    } // as above
  if (section === 'filters' && typeof filters?.additionalProperties === 'object' && name !== undefined) {
    const additionalProperties = narrowed(filters.additionalProperties)!
    return { ...dashboardSchema, properties: { ...properties, filters: { ...filters, additionalProperties } } }
  }
  return dashboardSchema
}
