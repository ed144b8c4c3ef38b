import type { Diagnostic } from '../diagnostics.ts'
import { readDocument, reportUnused } from '../read-document.ts'
import { reportType } from '../shape/report-value.ts'
import type { ReadContext } from '../shape/shape.types.ts'
import { entryOf, joinPath, type YamlMap, type YamlNode } from '../yaml/yaml-tree.ts'
import { msg } from '../messages.ts'
import type { DashboardCatalogue, DashboardDocument, Placement } from './dashboard.types.ts'
import { dashboardScope, elsewhereInDashboard } from './dashboard-scope.ts'
import { checkJobTemplate, dashboardShape, kindDashboard } from './dashboard-shape.ts'
import type { DashboardSurroundings } from './dashboard-surroundings.ts'
import { outlineDashboard, withMistypedRead } from './dashboard-outline.ts'
import { freePlace, overlaps } from './layout.ts'

export interface ParsedDashboard {
  /** null when any diagnostic is an error. */
  dashboard: DashboardDocument | null
  /** In order of appearance. */
  diagnostics: Diagnostic[]
  /** Where each widget stands in the text, by its id and in the order of the text, also of a text with errors. */
  widgets: WidgetPlace[]
}
export interface WidgetPlace {
  id: string
  type: string
  /** 1-based; the end is included. */
  line: number
  end_line: number
}

/**
 * Reads, checks and normalises a dashboard template. With a catalogue also whether the job template, and what it names of that,
 * is there. Whatever the text: never throws.
 */
export function parseDashboard(text: string, catalogue?: DashboardCatalogue): ParsedDashboard {
  const { root: _root, surroundings: _, ...parsed } = parseDashboardTree(text, catalogue)
  return parsed
}

/** With the YAML as a tree, for editors. */
export function parseDashboardTree(
  text: string,
  catalogue?: DashboardCatalogue,
): ParsedDashboard & { root: YamlNode | null; surroundings: DashboardSurroundings | null } {
  const { read, root, diagnostics, complete } = readDocument(text, nothing, (written, empty) =>
    readRoot(text, written, { ...empty, dialect: 'postgres' }, catalogue),
  )
  return { ...read, dashboard: complete ? read.dashboard : null, diagnostics, root }
}

interface Read extends Omit<ParsedDashboard, 'diagnostics'> {
  surroundings: DashboardSurroundings | null
}
const nothing: Read = { dashboard: null, widgets: [], surroundings: null }

function readRoot(
  text: string,
  written: YamlNode,
  empty: ReadContext,
  catalogue: DashboardCatalogue | undefined,
): Read {
  if (written.kind !== 'map') {
    reportType(written, '', empty, msg('a_map'), msg('start_with_dashboard'))
    return nothing
  }
  const root = withMistypedRead(written, Object.keys(dashboardShape.fields))
  const dashboard = outlineDashboard(root, catalogue)
  const read: Read = { dashboard: null, widgets: placesOf(text, root), surroundings: dashboard }
  // Of another kind of document all keys would be wrong: only the kind itself is reported.
  const kind = entryOf(root, 'kind')?.value
  if (kind && kindDashboard.read(kind, 'kind', empty) === undefined) return read
  const context: ReadContext = {
    ...empty,
    dashboard,
    scope: dashboardScope(dashboard.filters, entryOf(root, 'time_window') !== undefined),
    elsewhere: elsewhereInDashboard,
    slots: new Map(
      Object.entries(dashboard.template?.connectors ?? {}).map(([name, { types }]) => [
        name,
        { types: [...types], access: 'read' },
      ]),
    ),
  }
  const template = entryOf(root, 'job_template')?.value
  if (template && catalogue) checkJobTemplate(template, catalogue, context)
  const values = dashboardShape.read(root, '', context)
  checkWidgets(root, context)
  // What a mistake keeps from being used is not unused.
  if (values) warnUnused(root, context)
  if (!values) return read
  const { name, description, job_template, time_window, filters, data, widgets } = values
  return {
    ...read,
    dashboard: {
      name,
      description: description?.trim() ?? null,
      job_template,
      time_window: time_window ?? null,
      filters,
      data,
      widgets,
    },
  }
}

const scalarAt = (map: YamlMap, key: string) => {
  const node = entryOf(map, key)?.value
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node : null
}

function placesOf(text: string, root: YamlMap): WidgetPlace[] {
  const widgets = entryOf(root, 'widgets')?.value
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
  return (widgets?.kind === 'list' ? widgets.items : []).flatMap((item) => {
    if (item.kind !== 'map') return []
    const [id, type] = [scalarAt(item, 'id'), scalarAt(item, 'type')]
    if (!id) return []
    const end = item.start + text.slice(item.start, item.end).trimEnd().length
    return [{ id: String(id.value), type: String(type?.value ?? ''), line: lineOf(item.start), end_line: lineOf(end) }]
  })
}

/** Ids that two widgets have, and widgets on top of each other. Works on the YAML, so that one mistake doesn’t hide the others. */
function checkWidgets(root: YamlMap, { report }: ReadContext): void {
  const list = entryOf(root, 'widgets')?.value
  const seen = new Map<string, Placement | null>()
  const placed: { id: string; at: Placement }[] = []
  for (const [index, item] of (list?.kind === 'list' ? list.items : []).entries()) {
    if (item.kind !== 'map') continue
    const id = scalarAt(item, 'id')
    const path = joinPath('widgets', index)
    if (id && seen.has(String(id.value))) {
      report({
        code: 'duplicate_widget',
        message: msg('duplicate_widget', { id: String(id.value).slice(0, 60) }),
        hint: msg('choose_other_id'),
        path: joinPath(path, 'id'),
        at: id.mark,
      })
    }
    if (id) seen.set(String(id.value), null)
    const node = entryOf(item, 'at')?.value
    const at = node && placementIn(node)
    if (!node || !at) continue
    const other = placed.find((one) => overlaps(one.at, at))
    const name = String(id?.value ?? index)
    if (other) {
      const place = freePlace(
        at,
        placed.map((one) => one.at),
      )
      report({
        code: 'widgets_overlap',
        message: msg('widgets_overlap', { first: other.id, second: name }),
        hint: msg('move_to', { place: place.join(', ') }),
        path: joinPath(path, 'at'),
        at: node.mark,
      })
    }
    placed.push({ id: name, at })
  }
}

function placementIn(node: YamlNode): Placement | null {
  if (node.kind !== 'list' || node.items.length !== 4) return null
  const numbers = node.items.map((item) =>
    item.kind === 'scalar' && typeof item.value === 'number' && Number.isInteger(item.value) ? item.value : -1,
  )
  const [x = -1, y = -1, w = -1, h = -1] = numbers
  return x >= 0 && y >= 0 && w > 0 && h > 0 ? [x, y, w, h] : null
}

function warnUnused(root: YamlMap, { dashboard, report }: ReadContext): void {
  if (!dashboard) return
  reportUnused(root, 'data', dashboard.used.data, report, (name) => ({
    code: 'unused_data',
    message: msg('unused_data', { name }),
    hint: msg('remove_or_use_data', { name }),
  }))
  // A widget that shows or sets it doesn’t use it: only a query does.
  reportUnused(root, 'filters', dashboard.used.filters, report, (name) => ({
    code: 'unused_filter',
    message: msg('unused_filter', { name }),
    hint: msg('remove_or_use_filter', { name }),
  }))
}
