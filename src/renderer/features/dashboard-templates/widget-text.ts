/** Widgets in the text of a dashboard template. Every change writes over what it changes and touches nothing else. */
import type { Placement } from '../../../language/dashboard/dashboard.types.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { type Span, type YamlNode, entryOf } from '../../../language/yaml/yaml-tree.ts'
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
