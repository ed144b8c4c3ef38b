/** Widgets in the text of a dashboard template. Every change writes over what it changes and touches nothing else. */
import type { Placement, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { type Span, type YamlMap, type YamlNode, entryOf } from '../../../language/yaml/yaml-tree.ts'
import type { Placed } from './placement.rules.ts'

interface WrittenWidget extends Placed {
  /** Of the four numbers; null: an alias makes them those of several widgets. */
  numbers: readonly Span[] | null
}

function widgetIn(item: YamlNode): WrittenWidget | null {
  if (item.kind !== 'map') return null
  const id = entryOf(item, 'id')?.value
  const at = entryOf(item, 'at')?.value
  if (id?.kind !== 'scalar' || at?.kind !== 'list' || at.items.length !== 4) return null
  const numbers = at.items.flatMap((one) =>
    one.kind === 'scalar' && typeof one.value === 'number' && Number.isInteger(one.value) ? [one.value] : [],
  )
  const [x, y, w, h] = numbers
  if (x === undefined || y === undefined || w === undefined || h === undefined) return null
  return { id: String(id.value), at: [x, y, w, h], numbers: at.items }
}

/** The widgets whose places are written. */
export function widgetsIn(text: string): WrittenWidget[] {
  const { root } = readYaml(text, () => {})
  const widgets = root?.kind === 'map' ? entryOf(root, 'widgets')?.value : undefined
  const found = (widgets?.kind === 'list' ? widgets.items : []).flatMap((item) => widgetIn(item) ?? [])
  const starts = found.flatMap(({ numbers }) => numbers?.map(({ start }) => start) ?? [])
  const isShared = ({ start }: Span) => starts.indexOf(start) !== starts.lastIndexOf(start)
  return found.map((one) => (one.numbers?.some(isShared) ? { ...one, numbers: null } : one))
}

/** The text with a widget elsewhere; null: its place can’t be written where it stands. */
export function withWidgetAt(text: string, id: string, at: Placement): string | null {
  const widget = widgetsIn(text).find((one) => one.id === id)
  if (!widget?.numbers) return null
  return widget.numbers.reduceRight(
    (before, span, index) => before.slice(0, span.start) + String(at[index]) + before.slice(span.end),
    text,
  )
}

/** Width and height of a new widget. */
const sizes: Readonly<Record<Widget['type'], readonly [w: number, h: number]>> = {
  kpi: [3, 2],
  chart: [6, 4],
  table: [6, 4],
  text: [6, 2],
  filter: [3, 1],
  form: [6, 4],
  field_mapping: [6, 4],
  run_status: [3, 1],
  run_list: [6, 4],
  run_button: [3, 1],
  log: [6, 4],
}

export const widgetTypes = Object.keys(sizes) as readonly Widget['type'][] // of a record that has them all

/** What a widget of a type needs, with names of the text where it has some; the others are to be written by hand. */
function keysOf(type: Widget['type'], root: YamlMap): string {
  const firstOf = (key: string) => {
    const node = entryOf(root, key)?.value
    return (node?.kind === 'map' ? node.entries[0]?.key : undefined) ?? `name_of_${key}`
  }
  switch (type) {
    case 'kpi':
    case 'table':
      return `data: ${firstOf('data')}, `
    case 'chart':
      return `chart: bar, data: ${firstOf('data')}, x: column, y: [column], `
    case 'text':
      return 'text: Text, '
    case 'filter':
      return `filter: ${firstOf('filters')}, `
    case 'form':
      return 'fields: [{key: field, param: parameter, widget: text}], '
    case 'field_mapping':
      return `param: parameter, source: {options_source: {data: ${firstOf('data')}}}, target: {options_source: {data: ${firstOf('data')}}}, `
    case 'run_status':
    case 'run_list':
    case 'run_button':
    case 'log':
      return ''
  }
}

/** The text with another widget below all others, and its id; null: `widgets` isn’t written with an item a line. */
export function withNewWidget(text: string, type: Widget['type']): { text: string; id: string } | null {
  const { root } = readYaml(text, () => {})
  if (root?.kind !== 'map') return null
  const list = entryOf(root, 'widgets')?.value
  const taken = new Set(list?.kind === 'list' ? list.items.flatMap((item) => idOf(item) ?? []) : [])
  let id: string = type
  for (let number = 2; taken.has(id); number++) id = `${type}_${number}`
  const [w, h] = sizes[type]
  const below = Math.max(0, ...widgetsIn(text).map(({ at }) => at[1] + at[3]))
  const item = `- {id: ${id}, type: ${type}, ${keysOf(type, root)}at: [0, ${below}, ${w}, ${h}]}`
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  if (list === undefined) {
    const before = text === '' || text.endsWith('\n') ? text : text + end
    return { id, text: `${before}widgets:${end}  ${item}${end}` }
  }
  const isEmpty = list.kind === 'list' ? list.items.length === 0 : list.kind === 'scalar' && list.value === null
  if (isEmpty) {
    const key = entryOf(root, 'widgets')!.keySpan
    const behind = list.kind === 'list' ? list.end : key.end + 1
    const rest = lineEnd(text, behind)
    const head = `${text.slice(0, key.end)}:${text.slice(behind, rest)}`
    return { id, text: `${head}${end}  ${item}${text.slice(rest) || end}` }
  }
  const last = list.kind === 'list' ? list.items.at(-1) : undefined
  const lines = last && linesOf(text, last)
  if (!lines) return null
  const before = text.slice(0, lines.end)
  return {
    id,
    text: `${before}${before.endsWith('\n') ? '' : end}${lines.indent}${item}${end}${text.slice(lines.end)}`,
  }
}

/** The text without a widget; null: it doesn’t stand on lines of its own. */
export function withoutWidget(text: string, id: string): string | null {
  const { root } = readYaml(text, () => {})
  const list = root?.kind === 'map' ? entryOf(root, 'widgets') : undefined
  if (list?.value.kind !== 'list') return null
  const item = list.value.items.find((one) => idOf(one) === id)
  const lines = item && linesOf(text, item)
  if (!lines) return null
  const rest = text.slice(0, lines.start) + text.slice(lines.end)
  return list.value.items.length > 1
    ? rest
    : `${rest.slice(0, list.keySpan.end)}: []${rest.slice(list.keySpan.end + 1)}`
}

function idOf(item: YamlNode): string | null {
  const id = item.kind === 'map' ? entryOf(item, 'id')?.value : undefined
  return id?.kind === 'scalar' ? String(id.value) : null
}

const lineEnd = (text: string, at: number): number => {
  const found = text.indexOf('\n', at)
  return found < 0 ? text.length : found - (text[found - 1] === '\r' ? 1 : 0)
}

/** The lines of an item of a list that has one on each line; `indent` stands before its dash. */
function linesOf(text: string, { start, end }: YamlNode): (Span & { indent: string }) | null {
  const first = text.lastIndexOf('\n', start - 1) + 1
  const indent = /^(\s*)-\s*$/.exec(text.slice(first, start))?.[1]
  if (indent === undefined) return null
  const written = start + text.slice(start, end).trimEnd().length
  if (!/^[ \t]*(#.*)?$/.test(text.slice(written, lineEnd(text, written)))) return null
  const next = text.indexOf('\n', written)
  return { start: first, end: next < 0 ? text.length : next + 1, indent }
}
