import type { EChartsType } from 'echarts/core'
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { usePrinting } from '../use-printing.ts'
import classes from './Chart.module.css'
import { type ChartLooks, colorOf, optionsOf } from './options.rules.ts'
import { nearestPlace, nextPlace } from './place-at.rules.ts'
import { type Plot, type Reading, readingAt } from './plot.rules.ts'
import { scaleOf } from './scale.ts'
import { type Zoom, isZoomable, zoomIn, zoomOut, zoomTo } from './zoom.rules.ts'

/** What was clicked, or chosen with Enter. */
export interface ChartPick {
  /** Number of a row that the mark was drawn from. */
  row: number
  /** Where on the page. */
  x: number
  y: number
}

interface ChartPlotProps {
  host: RefObject<HTMLDivElement | null>
  chart: EChartsType | null
  label: string
  /** What is seen of the whole. */
  plot: Plot
  whole: Plot
  zoom: Zoom | null
  onZoom: (zoom: Zoom | null) => void
  looks: ChartLooks
  hidden: ReadonlySet<number>
  chosen: string | null
  onPick: ((pick: ChartPick) => void) | undefined
}

/** Places that are marked to be zoomed into, from the one where that began. */
interface Range {
  from: number
  to: number
  /** Where they are on the picture. */
  left: number
  width: number
}

/** A hand that clicks is not quite still. */
const stillPixels = 5

/** Where the pointer is, in the measure of the picture. */
const xIn = ({ currentTarget: on, clientX }: MouseEvent<HTMLElement>) =>
  (clientX - on.getBoundingClientRect().left) / scaleOf(on)
const yIn = ({ currentTarget: on, clientY }: MouseEvent<HTMLElement>) =>
  (clientY - on.getBoundingClientRect().top) / scaleOf(on)

/** A place that is read, and where on the picture it is. */
interface Pointed {
  place: number
  /** One mark; null: everything at the place. */
  series: number | null
  x: number
  y: number
}

/** The mark that ECharts tells of; its series are named by their number. */
const markOf = (plot: Plot, event: unknown): { place: number; series: number } | null => {
  // By ECharts' documentation.
  const { seriesId, dataIndex, data, name } = event as {
    seriesId?: string
    dataIndex?: number
    data?: unknown
    name?: string
  }
  if (seriesId === undefined || dataIndex === undefined) return null
  const series = Number(seriesId)
  if (plot.chart === 'heatmap') return Array.isArray(data) ? { place: Number(data[0]), series } : null
  if (plot.chart === 'pie') {
    const id = typeof data === 'object' && data !== null && 'id' in data ? Number(data.id) : Number.NaN
    return Number.isNaN(id) ? null : { place: id, series: 0 }
  }
  return name === undefined && plot.places[dataIndex] === undefined ? null : { place: dataIndex, series }
}

/** The picture, read by pointer and arrow keys alike. */
export function ChartPlot({
  host,
  chart,
  label,
  plot,
  whole,
  zoom,
  onZoom,
  looks,
  hidden,
  chosen,
  onPick,
}: ChartPlotProps) {
  const { t } = useTranslation()
  const [pointed, setPointed] = useState<Pointed | null>(null)
  const [range, setRange] = useState<Range | null>(null)
  /** Where a drag began. */
  const pressed = useRef<{ x: number; place: number } | null>(null)
  const isDragged = useRef(false)
  const canZoom = isZoomable(plot)
  const onAxis = plot.chart !== 'pie' && plot.chart !== 'heatmap' && plot.chart !== 'scatter'
  usePrinting(() => {
    chart?.resize()
    // Paper waits for no frame, and until then its marks stand where they were.
    chart?.getZr().flush()
  })
  useLayoutEffect(() => {
    setPointed(null)
    setRange(null)
    chart?.setOption(optionsOf(plot, looks, { hidden, chosen }, label), { notMerge: true })
  }, [chart, plot, looks, hidden, chosen, label])
  // The mark under the pointer is known to the drawing. Charts without a common axis are read mark by mark.
  const hit = useRef<Pointed | null>(null)
  useEffect(() => {
    if (!chart) return
    const over = (event: unknown) => {
      const mark = markOf(plot, event)
      const { offsetX = 0, offsetY = 0 } = (event as { event?: { offsetX: number; offsetY: number } }).event ?? {}
      hit.current = mark && { ...mark, x: offsetX, y: offsetY }
      if (mark && !onAxis) setPointed(hit.current)
    }
    const out = () => {
      hit.current = null
      if (!onAxis) setPointed(null)
    }
    chart.on('mousemove', over)
    chart.on('globalout', out)
    chart.on('mouseout', out)
    return () => {
      chart.off('mousemove', over)
      chart.off('globalout', out)
      chart.off('mouseout', out)
    }
  }, [chart, onAxis, plot])

  const pixelOf = (place: number, series: number | null): { x: number; y: number } => {
    const middle = { x: (host.current?.offsetWidth ?? 0) / 2, y: (host.current?.offsetHeight ?? 0) / 2 }
    if (!chart || plot.chart === 'pie') return middle
    const at = plot.places[place]?.at ?? 0
    const value = plot.chart === 'heatmap' ? (series ?? 0) : (plot.series[series ?? 0]?.values[place] ?? 0)
    // A pair gives a pair.
    const pixel = chart.convertToPixel({ gridIndex: 0 }, [at, value]) as unknown as number[] | undefined
    return pixel ? { x: pixel[0] ?? 0, y: onAxis ? 8 : (pixel[1] ?? 0) } : middle
  }
  /** What the pointer is at: the place on a common axis, else the mark. */
  const under = (event: MouseEvent<HTMLDivElement>): Pointed | null => {
    if (!chart || !onAxis) return hit.current
    const at = [xIn(event), yIn(event)]
    if (!chart.containPixel({ gridIndex: 0 }, at)) return null
    const value = chart.convertFromPixel({ gridIndex: 0 }, at) as unknown as number[] | undefined
    const place = nearestPlace(plot, value?.[0] ?? 0)
    return { place, series: null, ...pixelOf(place, null) }
  }
  /** The place nearest to the pointer, wherever it is. */
  const placeBy = (event: PointerEvent<HTMLDivElement>): number => {
    const at = [xIn(event), event.currentTarget.offsetHeight / 2]
    // A pair gives a pair.
    const value: unknown = chart?.convertFromPixel({ gridIndex: 0 }, at)
    return nearestPlace(plot, Array.isArray(value) ? Number(value[0]) : 0)
  }
  const mark = (from: number, to: number) => {
    const [one, other] = [pixelOf(from, null).x, pixelOf(to, null).x]
    // A bar is as wide as its place.
    const isBar = plot.chart === 'bar' || plot.chart === 'stacked'
    const half = isBar ? Math.abs(pixelOf(1, null).x - pixelOf(0, null).x) / 2 : 0
    setRange({ from, to, left: Math.min(one, other) - half, width: Math.abs(other - one) + 2 * half })
  }
  const press = (event: PointerEvent<HTMLDivElement>) => {
    isDragged.current = false
    if (chart && canZoom && event.button === 0) pressed.current = { x: event.clientX, place: placeBy(event) }
  }
  const zoomInto = (part: Range) => {
    const next = zoomTo(plot, part.from, part.to)
    if (next) onZoom(next)
    setRange(null)
  }
  const release = () => {
    pressed.current = null
    if (isDragged.current && range) zoomInto(range)
  }
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const start = pressed.current
    if (start && (isDragged.current || Math.abs(event.clientX - start.x) > stillPixels)) {
      if (!isDragged.current) event.currentTarget.setPointerCapture(event.pointerId)
      isDragged.current = true
      setPointed(null)
      mark(start.place, placeBy(event))
      return
    }
    if (!onAxis) return
    const next = under(event)
    setPointed((now) => (now?.place === next?.place ? now : next))
  }
  const pick = ({ place, series, x, y }: Pointed) => {
    const from = series ?? plot.series.findIndex(({ rows }, index) => !hidden.has(index) && (rows[place] ?? -1) >= 0)
    const row = plot.series[from]?.rows[place] ?? -1
    if (row < 0 || !host.current) return
    const scale = scaleOf(host.current)
    const { left, top } = host.current.getBoundingClientRect()
    onPick?.({ row, x: left + x * scale, y: top + y * scale })
  }
  /** Marks one after the other: a heatmap has a row for each series. */
  const step = (by: number, across: number) => {
    const from = pointed ?? { place: by < 0 ? plot.places.length : -1, series: onAxis ? null : 0 }
    const series = onAxis ? null : Math.max(0, Math.min(plot.series.length - 1, (from.series ?? 0) + across))
    const place = by === 0 ? Math.max(0, from.place) : nextPlace(plot, from.place, by, hidden)
    setPointed({ place, series, ...pixelOf(place, series) })
  }
  /** The end of the range goes on by so many places. */
  const stretch = (by: number) => {
    const at = range?.to ?? pointed?.place ?? (by < 0 ? plot.places.length - 1 : 0)
    const to = nextPlace(plot, at, by, hidden)
    mark(range?.from ?? at, to)
    setPointed({ place: to, series: onAxis ? null : 0, ...pixelOf(to, null) })
  }
  const zoomByKey = ({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (!canZoom || ctrlKey || metaKey || altKey) return false
    if (shiftKey && key === 'ArrowLeft') stretch(-1)
    else if (shiftKey && key === 'ArrowRight') stretch(1)
    else if (key === 'Enter' && range) zoomInto(range)
    else if (key === '+' || key === '=') onZoom(zoomIn(plot, pointed?.place ?? plot.places.length >> 1) ?? zoom)
    else if (key === 'Escape' && range) setRange(null)
    else return false
    return true
  }
  const pressKey = (event: KeyboardEvent) => {
    const { length } = plot.places
    const moves: Record<string, readonly [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
      Home: [-length, 0],
      End: [length, 0],
    }
    const steps = moves[event.key]
    const isZoomed = plot !== whole
    if (zoomByKey(event)) event.preventDefault()
    else if (steps) {
      setRange(null)
      step(...steps)
    } else if ((event.key === 'Enter' || event.key === ' ') && pointed && onPick) pick(pointed)
    else if (event.key === 'Escape' && pointed) setPointed(null)
    else if (event.key === 'Escape' && isZoomed) onZoom(null)
    else if (event.key === '-' && isZoomed) onZoom(zoomOut(whole, zoom))
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const reading = pointed
    ? readingAt(plot, pointed.place, pointed.series, plot.chart === 'pie' ? new Set() : hidden)
    : null
  const marked = range && [range.from, range.to].map((place) => plot.places[place]?.text ?? '').join(' – ')
  const told = reading && [marked, spoken(reading)].filter(Boolean).join(' · ')
  return (
    <div
      className={classes.plot}
      role="slider"
      tabIndex={0}
      aria-label={label}
      aria-valuemin={1}
      aria-valuemax={plot.places.length}
      aria-valuenow={(pointed?.place ?? 0) + 1}
      aria-valuetext={told ?? t(canZoom ? 'chart.howToZoom' : 'chart.howToRead')}
      data-drawn={chart !== null}
      data-pickable={onPick !== undefined}
      data-zoomable={canZoom}
      onKeyDown={pressKey}
      onPointerDown={press}
      onPointerMove={move}
      onPointerUp={release}
      onPointerCancel={() => {
        pressed.current = null
        setRange(null)
      }}
      onPointerLeave={() => setPointed(null)}
      onBlur={() => {
        setPointed(null)
        setRange(null)
      }}
      onDoubleClick={() => onZoom(null)}
      onClick={(event) => {
        // The end of a drag.
        if (isDragged.current) return
        const at = under(event)
        if (at) pick({ ...at, series: at.series ?? hit.current?.series ?? null })
      }}
    >
      <div ref={host} className={classes.canvas} />
      {range ? <div className={classes.range} style={{ left: range.left, width: range.width }} /> : null}
      {pointed && onAxis ? <div className={classes.pointer} style={{ left: pointed.x }} /> : null}
      {pointed && reading ? <Tip pointed={pointed} plot={plot} looks={looks} reading={reading} /> : null}
    </div>
  )
}

const spoken = ({ title, values }: Reading) =>
  [title, ...values.map(({ name, text }) => `${name}: ${text}`)].join(' · ')

const mostListed = 14

interface TipProps {
  pointed: Pointed
  plot: Plot
  looks: ChartLooks
  reading: Reading
}

/** What stands at the place, beside it and within the picture. */
function Tip({ pointed, plot, looks, reading }: TipProps) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ left: 0, top: 0 })
  useLayoutEffect(() => {
    const own = box.current
    const around = own?.parentElement
    if (!own || !around) return
    const right = pointed.x + 12
    const left = right + own.offsetWidth > around.clientWidth ? pointed.x - own.offsetWidth - 12 : right
    const top = Math.min(pointed.y, Math.max(0, around.clientHeight - own.offsetHeight))
    setPlace({ left: Math.max(-8, left), top })
    // oxlint-disable-next-line react/exhaustive-deps -- its size is that of what is read.
  }, [pointed, reading])
  const rest = reading.values.length - mostListed
  return (
    <div ref={box} className={classes.tip} style={place} aria-hidden>
      <div className={classes.tipTitle}>{reading.title}</div>
      {reading.values.slice(0, mostListed).map(({ series, name, text }) => (
        <div key={series} className={classes.tipRow}>
          <i style={{ background: colorOf(looks, plot.chart === 'pie' ? pointed.place : series) }} />
          <span>{name}</span>
          <b>{text}</b>
        </div>
      ))}
      {rest > 0 ? <div className={classes.tipMore}>{t('chart.more', { count: rest })}</div> : null}
    </div>
  )
}
