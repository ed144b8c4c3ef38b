import { IconChartBarOff, IconTableOff } from '@tabler/icons-react'
import type { EChartsType } from 'echarts/core'
import { type Ref, Suspense, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../EmptyState.tsx'
import { numberText } from '../format.ts'
import { lazyPart } from '../lazy-part.ts'
import { usePrinting } from '../use-printing.ts'
import classes from './Chart.module.css'
import { ChartLegend, legendOf } from './ChartLegend.tsx'
import { type ChartPick, ChartPlot } from './ChartPlot.tsx'
import { useChartLooks } from './chart-looks.ts'
import { useSeriesColors } from './series-colors.ts'
import { statusesIn, withNames } from './status-series.ts'
import { loadEngine } from './load-engine.ts'
import { type ChartData, type ChartSpec, type Plot, type PlotProblem, isPlot, plotOf } from './plot.rules.ts'
import { pngOf, pngScale } from './png.ts'
import { type Zoom, zoomed } from './zoom.rules.ts'

const StaticGrid = lazyPart(async () => (await import('../grid/StaticGrid.tsx')).StaticGrid)

export interface ChartHandle {
  /** The picture with its title and the key to its colors. */
  png(): Promise<Blob>
}

export interface ChartProps {
  label: string
  spec: ChartSpec
  data: ChartData
  /** The rows themselves in place of the picture. */
  asTable?: boolean
  /** Whether the names of several series stand above. */
  hasLegend?: boolean
  /** Exact text of an x whose marks stay bright. */
  chosen?: string | null
  onPick?: ((pick: ChartPick) => void) | undefined
  ref?: Ref<ChartHandle> | undefined
}

/** Rows of a query as a chart. The drawing is loaded with the first one; what is read stays exact. */
export function Chart({
  label,
  spec,
  data,
  asTable = false,
  hasLegend = true,
  chosen = null,
  onPick,
  ref,
}: ChartProps) {
  const { t, i18n } = useTranslation()
  const plot = useMemo(() => plotOf(spec, data), [spec, data])
  // Here, so that it outlasts new rows, and a look at the table.
  const [zoom, setZoom] = useState<Zoom | null>(null)
  const [isPrinted, setPrinted] = useState(false)
  // The browser prints what is there right after it has said so.
  usePrinting((now) => flushSync(() => setPrinted(now)))
  if (asTable)
    return (
      <Suspense>
        <StaticGrid label={label} fields={data.fields} rows={data.rows} />
      </Suspense>
    )
  if (!isPlot(plot)) return <Problem problem={plot} />
  return (
    <>
      <Drawing
        // Others have other series to hide; another language writes other numbers and moments.
        key={`${i18n.language} ${plot.chart} ${plot.series.length}`}
        label={label}
        plot={plot}
        hasLegend={hasLegend}
        chosen={chosen}
        onPick={onPick}
        handle={ref}
        zoom={isPrinted ? null : zoom}
        onZoom={setZoom}
      />
      {plot.undrawn > 0 ? (
        <div className={classes.note}>
          {t('chart.undrawn', { count: plot.undrawn, formatted: numberText(plot.undrawn) })}
        </div>
      ) : null}
    </>
  )
}

function Problem({ problem }: { problem: PlotProblem }) {
  const { t } = useTranslation()
  if (problem.kind === 'empty')
    return <EmptyState compact icon={IconTableOff} title={t('chart.empty')} text={t('chart.emptyText')} />
  const { kind } = problem
  // Each names one of these.
  const params = { column: '', amount: 0, most: 0, ...problem }
  return (
    <EmptyState
      compact
      icon={IconChartBarOff}
      title={t(`chart.problems.${kind}.title`, params)}
      text={t(`chart.problems.${kind}.text`, params)}
    />
  )
}

interface DrawingProps {
  label: string
  plot: Plot
  hasLegend: boolean
  chosen: string | null
  onPick: ((pick: ChartPick) => void) | undefined
  handle: Ref<ChartHandle> | undefined
  zoom: Zoom | null
  onZoom: (zoom: Zoom | null) => void
}

function Drawing({ label, plot: given, hasLegend, chosen, onPick, handle, zoom, onZoom }: DrawingProps) {
  const { t } = useTranslation()
  const statuses = useMemo(() => statusesIn(given), [given])
  const looks = useSeriesColors(given, useChartLooks(statuses), statuses !== null)
  const plot = useMemo(
    () =>
      statuses
        ? withNames(
            given,
            statuses.map((status) => t(`status.${status}`)),
          )
        : given,
    [given, statuses, t],
  )
  const host = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<EChartsType | null>(null)
  const [hidden, setHidden] = useState<ReadonlySet<number>>(new Set())
  const keys = useMemo(() => legendOf(plot, looks, hidden), [plot, looks, hidden])
  const seen = useMemo(() => zoomed(plot, zoom), [plot, zoom])
  const { chart: kind } = plot
  useEffect(() => {
    let gone = false
    let made: EChartsType | undefined
    let observer: ResizeObserver | undefined
    const draw = () => made?.resize()
    const start = async () => {
      const { startChart } = await loadEngine(kind)
      const element = host.current
      if (gone || !element) return
      const started = startChart(element)
      made = started
      observer = new ResizeObserver(() => started.resize())
      observer.observe(element)
      // Letters that come later are drawn again.
      document.fonts.addEventListener('loadingdone', draw)
      setChart(started)
    }
    void start()
    return () => {
      gone = true
      observer?.disconnect()
      document.fonts.removeEventListener('loadingdone', draw)
      made?.dispose()
      setChart(null)
    }
  }, [kind])
  useImperativeHandle(
    handle,
    () => ({
      png: () => {
        if (!chart) return Promise.reject(new Error('The chart isn’t drawn yet.'))
        const shown = keys
          .filter(({ index }) => !hidden.has(index))
          .map(({ name, color, share }) => ({ name: share === undefined ? name : `${name} ${share}`, color }))
        return pngOf(chart.renderToCanvas({ pixelRatio: pngScale }), { title: label, keys: shown, looks })
      },
    }),
    [chart, label, keys, hidden, looks],
  )
  const toggle = (index: number) =>
    setHidden((now) => {
      const next = new Set(now)
      if (!next.delete(index)) next.add(index)
      // One of them is always seen.
      return next.size === keys.length ? now : next
    })
  return (
    <div className={classes.chart}>
      {hasLegend && keys.length > 1 ? <ChartLegend keys={keys} hidden={hidden} onToggle={toggle} /> : null}
      {seen === plot ? null : (
        <div className={classes.zoom}>
          <span role="status">{`${seen.places[0]?.text} – ${seen.places.at(-1)?.text}`}</span>
          <button type="button" className={classes.key} onClick={() => onZoom(null)}>
            {t('chart.resetZoom')}
          </button>
        </div>
      )}
      <ChartPlot
        host={host}
        chart={chart}
        label={label}
        plot={seen}
        whole={plot}
        zoom={zoom}
        onZoom={onZoom}
        looks={looks}
        hidden={hidden}
        chosen={chosen}
        onPick={onPick}
      />
    </div>
  )
}
