import { readMistyped } from '../shape/mistyped-keys.ts'
import { entryOf, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import type { DashboardCatalogue } from './dashboard.types.ts'
import type { DashboardSurroundings } from './dashboard-surroundings.ts'
import { pagingBinds } from './data.ts'

const keysOf = (node: YamlNode | undefined): string[] =>
  node?.kind === 'map' ? node.entries.map(({ key }) => key) : []
const itemsOf = (node: YamlNode | undefined): readonly YamlNode[] => (node?.kind === 'list' ? node.items : [])
const textAt = (node: YamlNode | undefined, key: string): string | null => {
  const value = node?.kind === 'map' ? entryOf(node, key)?.value : undefined
  return value?.kind === 'scalar' && typeof value.value === 'string' ? value.value : null
}
const at = (node: YamlNode | undefined, key: string): YamlNode | undefined =>
  node?.kind === 'map' ? entryOf(node, key)?.value : undefined

/** What the parts of a document may refer to, also of one with mistakes. */
export function outlineDashboard(root: YamlMap, catalogue: DashboardCatalogue | undefined): DashboardSurroundings {
  const filters = at(root, 'filters')
  const widgets = itemsOf(at(root, 'widgets'))
  const byType = new Map<string, Set<string>>()
  const optionBinds = new Map<string, Set<string>>()
  const noteSource = (node: YamlNode | undefined, siblings: readonly string[]): void => {
    const data = textAt(at(node, 'options_source'), 'data')
    if (data === null) return
    const binds = optionBinds.get(data) ?? new Set<string>(pagingBinds)
    for (const name of siblings) binds.add(name)
    optionBinds.set(data, binds)
  }
  for (const entry of filters?.kind === 'map' ? filters.entries : []) noteSource(entry.value, [])
  for (const widget of widgets) {
    const type = textAt(widget, 'type')
    const id = textAt(widget, 'id')
    if (type === null || id === null) continue
    byType.set(type, (byType.get(type) ?? new Set()).add(id))
    if (type === 'form') {
      const fields = itemsOf(at(widget, 'fields'))
      const keys = fields.flatMap((field) => textAt(field, 'key') ?? [])
      for (const field of fields) noteSource(field, keys)
    }
    if (type === 'field_mapping') for (const side of ['source', 'target']) noteSource(at(widget, side), [])
  }
  const name = textAt(root, 'job_template')
  return {
    filters: new Set(keysOf(filters)),
    data: new Set(keysOf(at(root, 'data'))),
    widgets: byType,
    optionBinds,
    template: (name !== null && catalogue?.template(name)) || null,
    used: { filters: new Set(), data: new Set() },
  }
}

/** The document with mistyped keys read as those that were meant, as far as its parts refer to each other. */
export const withMistypedRead = (written: YamlMap, keys: readonly string[]): YamlMap => readMistyped(written, keys)
