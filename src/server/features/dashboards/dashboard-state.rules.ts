/** What people entered belongs to the forms and field mappings of a dashboard. Pure. */
import type { DashboardState } from '../../../contract/dashboards.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { msg } from '../../../contract/messages.ts'
import type { DashboardDocument } from '../../../language/dashboard/dashboard.types.ts'

/** Names as they are told: a key of a body can have any length. */
const told = (name: string) => name.slice(0, 60)

function placesIn({ widgets }: DashboardDocument) {
  const forms = new Map<string, ReadonlySet<string>>()
  const mappings = new Set<string>()
  const sides = new Set<string>()
  for (const widget of widgets) {
    if (widget.type === 'form') {
      forms.set(widget.id, new Set(widget.fields.map(({ key }) => key)))
      for (const { key } of widget.fields) sides.add(`${widget.id}/${key}`)
    } else if (widget.type === 'field_mapping') {
      mappings.add(widget.id)
      for (const side of ['source', 'target']) sides.add(`${widget.id}/${side}`)
    }
  }
  return { forms, mappings, sides }
}

/** Each value that no widget is for, at its place in the body. */
export function strayIn(document: DashboardDocument, { forms = {}, mappings = {}, labels = {} }: DashboardState) {
  const places = placesIn(document)
  const details: ErrorDetail[] = []
  for (const [form, values] of Object.entries(forms)) {
    const fields = places.forms.get(form)
    if (!fields) details.push({ path: `body.state.forms.${form}`, ...msg('form_unknown', { name: told(form) }) })
    for (const key of fields ? Object.keys(values) : [])
      if (!fields?.has(key))
        details.push({ path: `body.state.forms.${form}.${key}`, ...msg('form_field_unknown', { name: told(key) }) })
  }
  for (const id of Object.keys(mappings))
    if (!places.mappings.has(id))
      details.push({ path: `body.state.mappings.${id}`, ...msg('field_mapping_unknown', { name: told(id) }) })
  for (const side of Object.keys(labels))
    if (!places.sides.has(side))
      details.push({ path: `body.state.labels.${side}`, ...msg('label_side_unknown', { name: told(side) }) })
  return details
}

const kept = <T>(values: Readonly<Record<string, T>>, isKept: (name: string) => boolean): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => isKept(name)))

/** What an earlier version of the dashboard was for is left out: it stays in the store, should the widget come back. */
export function knownState(document: DashboardDocument, state: DashboardState): DashboardState {
  const { forms, mappings, sides } = placesIn(document)
  return {
    ...(state.forms && {
      forms: Object.fromEntries(
        Object.entries(state.forms).flatMap(([form, values]) => {
          const fields = forms.get(form)
          return fields ? [[form, kept(values, (key) => fields.has(key))]] : []
        }),
      ),
    }),
    ...(state.mappings && { mappings: kept(state.mappings, (id) => mappings.has(id)) }),
    ...(state.labels && { labels: kept(state.labels, (side) => sides.has(side)) }),
  }
}
