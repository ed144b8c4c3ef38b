/** What ECharts is told to draw of a plot. Pure; no text of the data becomes markup: it is drawn on a canvas. */
import type { EChartsCoreOption } from 'echarts/core'
import { contrast } from '../colors.ts'
import { type DateLook, dateText, roughText } from '../format.ts'
import { measureText } from '../quantity.ts'
import { binaryAbove } from '../time-chart.rules.ts'
import { type Plot, type PlotSeries, timeOf } from './plot.rules.ts'

/** Colors of the window as they are now, and how it likes to be drawn. */
export interface ChartLooks {
  series: readonly string[]
  text: string
  muted: string
  line: string
  surface: string
  accent: string
  fontFamily: string
  /** Series differ by more than their color. */
  patterned: boolean
  motion: boolean
}

export interface ChartState {
  /** Series that are switched off. */
  hidden: ReadonlySet<number>
  /** Exact text of the x whose marks stay bright; null: all are. */
  chosen: string | null
}

export const colorOf = ({ series }: ChartLooks, index: number): string => series[index % series.length] ?? '#808080'

/** Beyond it things are drawn plainly: no symbols, no motion. */
const many = 2_000
const shortLabel = 24

/** Of a category: moments are as round as on an axis of time, other texts have the beginning that there is room for. */
function shortened(text: string, inDays = false): string {
  const time = timeOf(text)
  if (time !== null) return momentLabel(time, inDays)
  return text.length > shortLabel ? `${text.slice(0, shortLabel - 1)}…` : text
}

const axisLabel = (looks: ChartLooks) => ({ color: looks.muted, fontSize: 12, fontFamily: looks.fontFamily })

/** The first moments are not those of months: the first of one is named as the days around it. */
const areDays = ({ places }: Plot): boolean =>
  places.slice(0, 2).some(({ text, at }) => new Date(timeOf(text) ?? at).getUTCDate() !== 1)

/** As round as the moment is: a year, a month, a day, a time of day. */
export function momentLabel(at: number, inDays = false): string {
  const moment = new Date(at)
  const time = at % 86_400_000
  const look: DateLook =
    time !== 0
      ? at % 60_000 === 0
        ? 'clock'
        : 'seconds'
      : inDays || moment.getUTCDate() !== 1
        ? 'dayAndMonth'
        : moment.getUTCMonth() === 0
          ? 'year'
          : 'shortMonth'
  return dateText(moment, look, 'UTC')
}

/** More bars than these are narrower than their names. */
const mostWideBars = 12

function xAxis(plot: Plot, looks: ChartLooks) {
  const inDays = areDays(plot)
  const edge = plot.chart === 'line' || plot.chart === 'area'
  const common = {
    axisLine: { lineStyle: { color: looks.line } },
    axisTick: { show: false },
    splitLine: { show: false },
    axisLabel: {
      ...axisLabel(looks),
      hideOverlap: true,
      // Centered at its place, the first one would cover the number beside it; wide bars are far enough from there.
      alignMinLabel: edge || plot.places.length > mostWideBars ? 'left' : null,
    },
  }
  if (plot.axis === 'time')
    return {
      ...common,
      type: 'time',
      axisLabel: { ...common.axisLabel, formatter: (at: number) => momentLabel(at, inDays) },
    }
  if (plot.axis === 'value')
    return { ...common, type: 'value', scale: true, axisLabel: { ...common.axisLabel, formatter: roughText } }
  return {
    ...common,
    type: 'category',
    boundaryGap: !edge,
    data: plot.places.map(({ text }) => text),
    axisLabel: { ...common.axisLabel, formatter: (text: string) => shortened(text, inDays) },
  }
}

/** Sizes are read in KiB and MiB: lines at round numbers of bytes would be at broken ones of these. */
function byteSteps({ chart, look, places, series }: Plot): object {
  if (look?.unit !== 'bytes') return {}
  const at = (place: number) => series.map(({ values }) => values[place] ?? 0)
  const heights = places.map((_, place) =>
    chart === 'stacked' ? at(place).reduce((sum, value) => sum + value, 0) : Math.max(0, ...at(place)),
  )
  const most = heights.reduce((a, b) => Math.max(a, b), 0)
  if (most === 0 || series.some(({ values }) => values.some((value) => value !== null && value < 0))) return {}
  const interval = binaryAbove(most / 5)
  return { interval, max: Math.ceil(most / interval) * interval }
}

const yAxis = (plot: Plot, looks: ChartLooks) => ({
  type: 'value',
  ...byteSteps(plot),
  scale: plot.chart === 'scatter',
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { lineStyle: { color: looks.line } },
  axisLabel: {
    ...axisLabel(looks),
    formatter: (value: number) => measureText(value, plot.look?.unit ?? '', roughText),
  },
  splitNumber: 4,
})

/** A category axis takes values by their place, any other by both of its numbers. */
const points = (plot: Plot, { values }: PlotSeries) =>
  plot.axis === 'category' ? [...values] : values.map((value, at) => [plot.places[at]!.at, value])

const isDim = (plot: Plot, chosen: string | null, at: number) => chosen !== null && plot.places[at]?.text !== chosen

function bars(plot: Plot, series: PlotSeries, chosen: string | null) {
  return series.values.map((value, at) =>
    isDim(plot, chosen, at) ? { value: value ?? '-', itemStyle: { opacity: 0.3 } } : (value ?? '-'),
  )
}

function cartesian(plot: Plot, looks: ChartLooks, { hidden, chosen }: ChartState) {
  const large = plot.places.length > many
  return plot.series.flatMap((series, index): object[] => {
    if (hidden.has(index)) return []
    const color = colorOf(looks, index)
    const common = {
      id: String(index),
      name: series.name,
      color,
      animation: looks.motion && !large,
      emphasis: { disabled: large, focus: 'none' as const },
    }
    switch (plot.chart) {
      case 'bar':
      case 'stacked':
        return [
          {
            ...common,
            type: 'bar',
            barMaxWidth: 48,
            data: bars(plot, series, chosen),
            ...(plot.chart === 'stacked' ? { stack: 'all' } : {}),
          },
        ]
      case 'scatter':
        return [{ ...common, type: 'scatter', symbolSize: large ? 3 : 7, large, data: points(plot, series) }]
      case 'pie':
      case 'heatmap':
        return []
      case 'line':
      case 'area': {
        // A point between two gaps has no line: only its symbol shows it.
        const alone = series.values.some(
          (value, at) =>
            value !== null && (series.values[at - 1] ?? null) === null && (series.values[at + 1] ?? null) === null,
        )
        return [
          {
            ...common,
            type: 'line',
            sampling: 'minmax',
            symbol: 'circle',
            symbolSize: 6,
            showSymbol: !large && (alone || plot.places.length <= 40),
            connectNulls: plot.axis !== 'category' && plot.series.length > 1,
            lineStyle: { width: 2, ...(looks.patterned ? { type: dashes[index % dashes.length] } : {}) },
            data: points(plot, series),
            ...(plot.chart === 'area' ? { areaStyle: { opacity: 0.18 } } : {}),
          },
        ]
      }
    }
  })
}

const dashes = ['solid', 'dashed', 'dotted', [8, 3, 2, 3]] as const

function pie(plot: Plot, looks: ChartLooks, { hidden, chosen }: ChartState) {
  const [series] = plot.series
  const data = plot.places.flatMap(({ text }, at) => {
    const value = series?.values[at] ?? null
    if (value === null || hidden.has(at)) return []
    const itemStyle = { color: colorOf(looks, at), opacity: isDim(plot, chosen, at) ? 0.3 : 1 }
    return [{ id: String(at), name: text, value, itemStyle }]
  })
  return {
    series: [
      {
        id: '0',
        type: 'pie',
        radius: ['45%', '78%'],
        animation: looks.motion,
        itemStyle: { borderColor: looks.surface, borderWidth: 1 },
        label: { show: false },
        emphasis: { scale: looks.motion, label: { show: false } },
        data,
      },
    ],
  }
}

function heatmap(plot: Plot, looks: ChartLooks) {
  const values = plot.series.flatMap((series) => series.values.filter((value) => value !== null))
  const [low, high] = values.reduce(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  )
  const few = plot.places.length <= 10 && plot.series.length <= 10
  const category = (data: string[]) => ({
    type: 'category',
    data,
    axisLine: { show: false },
    axisTick: { show: false },
    splitArea: { show: false },
    axisLabel: { ...axisLabel(looks), hideOverlap: true, formatter: (text: string) => shortened(text) },
  })
  const dark = contrast(looks.surface, '#ffffff') > contrast(looks.surface, '#000000')
  return {
    xAxis: category(plot.places.map(({ text }) => text)),
    yAxis: { ...category(plot.series.map(({ name }) => name)), inverse: true },
    visualMap: {
      type: 'continuous',
      min: low,
      // One value alone has a color, too.
      max: high > low ? high : low + 1,
      show: false,
      inRange: { color: dark ? [looks.line, looks.accent, '#b7ecf7'] : ['#dceef2', looks.accent, '#052a33'] },
    },
    series: plot.series.map((series, index) => ({
      id: String(index),
      name: series.name,
      type: 'heatmap',
      animation: false,
      itemStyle: { borderColor: looks.surface, borderWidth: 1 },
      label: {
        show: few,
        fontSize: 11,
        fontFamily: looks.fontFamily,
        formatter: ({ value }: { value: readonly number[] }) => roughText(value[2] ?? 0),
      },
      data: series.values.flatMap((value, at) => (value === null ? [] : [[at, index, value]])),
    })),
  }
}

/** `label` is read out for the picture; what stands in it is read with the arrow keys. */
export function optionsOf(plot: Plot, looks: ChartLooks, state: ChartState, label: string): EChartsCoreOption {
  const common = {
    useUTC: true,
    animation: looks.motion,
    // What is new is there at once; what changes is seen to move.
    animationDuration: 0,
    animationDurationUpdate: 250,
    textStyle: { fontFamily: looks.fontFamily, color: looks.text },
    aria: { enabled: true, label: { description: label }, decal: { show: looks.patterned } },
  }
  if (plot.chart === 'pie') return { ...common, ...pie(plot, looks, state) }
  const grid = { left: 8, right: 12, top: 10, bottom: 4, outerBoundsMode: 'same', outerBoundsContain: 'axisLabel' }
  if (plot.chart === 'heatmap') return { ...common, grid, ...heatmap(plot, looks) }
  return {
    ...common,
    grid,
    xAxis: xAxis(plot, looks),
    yAxis: yAxis(plot, looks),
    series: cartesian(plot, looks, state),
  }
}
