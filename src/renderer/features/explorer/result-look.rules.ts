/** How a tab shows its result, as the tab keeps it. Pure. */
import type { ExplorerPresetDefinition } from '../../../contract/explorer-presets.ts'
import { type ChartType, chartTypes } from '../../ui/chart/plot.rules.ts'

export const resultViews = ['table', 'chart', 'json'] as const
export type ResultViewKind = (typeof resultViews)[number]

/** What is drawn of a result, by the names of its columns. */
export interface ChartChoice {
  chart: ChartType
  x: string
  y: readonly string[]
  series: string | null
}

export interface ResultLook {
  view: ResultViewKind
  /** undefined: what suits the columns. */
  chart?: ChartChoice | undefined
  jsonata?: string | undefined
}

export const tableLook: ResultLook = { view: 'table' }

const isText = (value: unknown): value is string => typeof value === 'string'

function chartOf(value: unknown): ChartChoice | undefined {
  const { chart, x, y, series } = (value ?? {}) as Partial<Record<keyof ChartChoice, unknown>> // whatever the storage has
  const kind = chartTypes.find((one) => one === chart)
  if (!kind || !isText(x) || !Array.isArray(y)) return undefined
  return { chart: kind, x, y: y.filter(isText), series: isText(series) ? series : null }
}

/** The look that a browser has kept, which an older or newer window may have written. */
export function lookOf(value: unknown): ResultLook {
  const { view, chart, jsonata } = (value ?? {}) as Partial<Record<keyof ResultLook, unknown>> // whatever the storage has
  return {
    view: resultViews.find((one) => one === view) ?? 'table',
    chart: chartOf(chart),
    jsonata: isText(jsonata) ? jsonata : undefined,
  }
}

/** What a preset says of it. */
export const lookOfPreset = ({ resultView = 'table', jsonata }: ExplorerPresetDefinition): ResultLook => ({
  view: resultView,
  jsonata,
})

/** The definition with what a preset keeps of it: charts have no place there. */
export function withLook(
  { resultView: _, jsonata: __, ...definition }: ExplorerPresetDefinition,
  { view, jsonata = '' }: ResultLook,
): ExplorerPresetDefinition {
  return {
    ...definition,
    ...(view === 'json' && { resultView: view }),
    ...(jsonata.trim() !== '' && { jsonata }),
  }
}
