/** Options of filters, forms, and field mappings: searched and paged by the database, or here where its query does not. */
import { createHash } from 'node:crypto'
import { type Truncated, mostRows } from '../../../contract/dashboard-views.ts'
import type {
  WidgetOption,
  WidgetOptionsResponse,
  resolveDashboardWidgetOptions,
} from '../../../contract/dashboards.ts'
import { msg } from '../../../contract/messages.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { Option, OptionsSource } from '../../../language/dashboard/dashboard.types.ts'
import { FILTER_BAR } from '../../../language/dashboard/limits.ts'
import { findBinds } from '../../../language/sql-binds.ts'
import type { Platform } from '../../platform/platform.ts'
import { Refusal, invalid, notFound } from '../../platform/refusal.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'
import { createResourceOptions } from './resource-options.ts'
import type { RowsOfJob } from './dashboards.service.ts'
import { chosenIn, holds, optionsIn } from './options.rules.ts'
import type { WidgetSources } from './widget-sources.ts'
import { scopeOf } from './widgets.service.ts'

interface Dependencies {
  sources: WidgetSources
  connectors: Pick<ConnectorsService, 'resources'>
}
type Body = BodyOf<typeof resolveDashboardWidgetOptions>

/** Where options come from, and what of the draft is their own value. */
type Side =
  | { kind: 'source'; source: OptionsSource; own: unknown; siblings: Record<string, unknown> }
  | { kind: 'listed'; options: readonly Option[]; own: unknown }
  | { kind: 'files'; connector: string; own: unknown }

const listedPage = 50
/** More than any page: what the database would page is asked for as a whole. */
const noLimit = 2_147_483_647

export function createWidgetOptionsService(
  { store, clock }: Pick<Platform, 'store' | 'clock'>,
  { sources, connectors }: Dependencies,
) {
  const files = createResourceOptions(connectors)

  /** A place in a list; VALIDATION_ERROR for a damaged one, and for one of another list. */
  function decode(cursor: string, list: string): string | number | null {
    try {
      return store.cursors.decode(cursor, list).values[0] ?? null
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      invalid([{ path: 'body.cursor', ...msg('option_cursor_invalid') }])
    }
  }
  const encode = (value: string | number, list: string) =>
    store.cursors.encode({ direction: 'next', values: [value] }, list)

  /** All options that the words find; those of the chosen values stay, whatever is searched for. */
  function searched(
    all: readonly WidgetOption[],
    truncated: Truncated | null,
    { q = '' }: Body,
    size: number,
    from: number,
    list: string,
    own: unknown,
  ): WidgetOptionsResponse {
    const chosen = new Set(chosenIn(own))
    const found = q === '' ? all : all.filter((option) => holds(option, q))
    const options = found.slice(from, from + size)
    const end = from + options.length
    return {
      options,
      next_cursor: end < found.length ? encode(end, list) : null,
      selected: all.filter(({ value }) => chosen.has(value)),
      truncated,
    }
  }

  async function fromSource(
    open: RowsOfJob,
    { source, own, siblings }: Extract<Side, { kind: 'source' }>,
    body: Body,
    list: string,
  ): Promise<WidgetOptionsResponse> {
    const { document } = open
    const scope = scopeOf(open, body, clock.now().getTime())
    const data = document.data[source.data]
    const names = new Set(data?.kind === 'query' ? findBinds(data.query, 'postgres').map(({ name }) => name) : [])
    const paged = data?.kind === 'query' && names.has('cursor') && !Object.hasOwn(data.params, 'cursor')
    const size = source.page_size
    const from = body.cursor === undefined ? null : decode(body.cursor, list)
    const most = mostRows
    if (!paged) {
      const rows = await sources.rows(open, source.data, { scope, binds: siblings, most })
      return searched(optionsIn(rows, source.data), rows.truncated, body, size, Number(from ?? 0), list, own)
    }
    // One more than a page has says whether there is another one.
    const asked = { search: body.q ?? '', cursor: from === null ? null : String(from), limit: size + 1 }
    const rows = await sources.rows(open, source.data, { scope, binds: { ...siblings, ...asked }, most })
    const read = optionsIn(rows, source.data)
    const options = read.slice(0, size)
    const last = options.at(-1)
    const missing = chosenIn(own).filter((value) => !options.some((option) => option.value === value))
    const here = chosenIn(own).flatMap((value) => options.find((option) => option.value === value) ?? [])
    const whole = { search: '', cursor: null, limit: noLimit }
    const elsewhere =
      missing.length === 0
        ? []
        : optionsIn(
            await sources.rows(open, source.data, { scope, binds: { ...siblings, ...whole }, chosen: missing, most }),
            source.data,
          )
    return {
      options,
      // A page that the limit of bytes has cut goes on with the next one.
      next_cursor: (read.length > size || rows.truncated) && last ? encode(last.value, list) : null,
      selected: [...here, ...elsewhere],
      truncated: null,
    }
  }

  return {
    async options(open: RowsOfJob, widgetId: string, body: Body, signal: AbortSignal): Promise<WidgetOptionsResponse> {
      const side = sideOf(open, widgetId, body)
      const siblings = side.kind === 'source' ? side.siblings : null
      const words = JSON.stringify([body.q ?? '', siblings, body.filters ?? null, body.time_window ?? null])
      const hash = createHash('sha256').update(words).digest('base64url')
      const list = `options:${open.row.id ?? `preview of ${open.row.job_id}`}:${open.row.template_version}:${widgetId}:${body.side ?? ''}:${hash}`
      if (side.kind === 'source') return fromSource(open, side, body, list)
      const from = body.cursor === undefined ? 0 : Number(decode(body.cursor, list))
      const { options, truncated } =
        side.kind === 'listed'
          ? { options: side.options, truncated: null }
          : await files.of(sources.connectorOf(open, side.connector), body.q, signal)
      return searched(options, truncated, body, listedPage, from, list, side.own)
    },
  }
}
export type WidgetOptionsService = ReturnType<typeof createWidgetOptionsService>

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

/** NOT_FOUND: no such widget. VALIDATION_ERROR: the widget has no such side. */
function sideOf({ document }: RowsOfJob, widgetId: string, { side, value }: Body): Side {
  const noSide = (sides: readonly string[]): never =>
    invalid([{ path: 'body.side', ...msg('side_missing', { sides }) }])
  const widget = document.widgets.find(({ id }) => id === widgetId)
  if (!widget && widgetId !== FILTER_BAR) notFound()
  const name = widget?.type === 'filter' ? widget.filter : widgetId === FILTER_BAR ? side : undefined
  if (widgetId === FILTER_BAR || widget?.type === 'filter') {
    const filter = name !== undefined && Object.hasOwn(document.filters, name) ? document.filters[name] : undefined
    if (!filter) return noSide(Object.keys(document.filters))
    if (filter.type !== 'select' && filter.type !== 'multiselect')
      invalid([{ path: 'body.side', ...msg('widget_has_no_options') }])
    return choices(filter, value, {})
  }
  if (widget?.type === 'field_mapping') {
    if (side !== 'source' && side !== 'target') return noSide(['source', 'target'])
    const mapping = asRecord(value)
    const own = side === 'source' ? Object.values(mapping) : Object.keys(mapping)
    return { kind: 'source', source: widget[side], own, siblings: {} }
  }
  if (widget?.type !== 'form') invalid([{ path: 'params.widgetId', ...msg('widget_has_no_options') }])
  const field = widget.fields.find(({ key }) => key === side)
  if (!field) return noSide(widget.fields.map(({ key }) => key))
  const draft = asRecord(value)
  const own = Object.hasOwn(draft, field.key) ? draft[field.key] : undefined
  if (field.widget === 'file') return { kind: 'files', connector: field.connector ?? '', own }
  if (field.widget !== 'select' && field.widget !== 'multiselect')
    invalid([{ path: 'body.side', ...msg('widget_has_no_options') }])
  const siblings = Object.fromEntries(
    widget.fields
      .filter(({ key }) => key !== field.key)
      .map(({ key }) => [key, Object.hasOwn(draft, key) && draft[key] !== '' ? draft[key] : null]),
  )
  return choices(field, own, siblings)
}

const choices = (
  { options, options_source }: { options: Option[] | null; options_source: OptionsSource | null },
  own: unknown,
  siblings: Record<string, unknown>,
): Side =>
  options_source
    ? { kind: 'source', source: options_source, own, siblings }
    : { kind: 'listed', options: options ?? [], own }
