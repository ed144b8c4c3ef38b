import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import classes from './TimeChart.module.css'
import {
  type ChartLimit,
  type ChartSeries,
  gridNames,
  gridOf,
  heightOf,
  labelled,
  linePaths,
  placeOf,
  rangeOf,
  stackedBars,
} from './time-chart.rules.ts'

export interface TimeChartProps {
  label: string
  kind: 'bars' | 'lines'
  series: readonly ChartSeries[]
  /** Drawn across all times, and named with their values. */
  limits?: readonly ChartLimit[]
  /** One for each value: what is shown below it, and in full when it is pointed at. */
  times: readonly { short: string; full: string }[]
  format: (value: number) => string
  /** Of bytes: the ends are round in their units. */
  binary?: boolean
  /** What is behind a time; absent: nothing. */
  to?: (index: number) => string
}

const noLimits: readonly ChartLimit[] = []

/** Values over time. Arrow keys and the pointer read one time after the other; Enter and a click open what is behind it. */
export function TimeChart({ label, kind, series, limits = noLimits, times, format, binary, to }: TimeChartProps) {
  const [at, setAt] = useState<number | null>(null)
  const navigate = useNavigate()
  const count = times.length
  const range = rangeOf(kind, series, limits, binary)
  const valuesAt = (index: number) =>
    series
      .map(({ name, values }) => `${name}: ${format(values[index] ?? 0)}`)
      .filter((_, n) => series[n]!.values[index] !== null)
  const read = (index: number) =>
    [times[index]!.full, ...valuesAt(index), ...limits.map(({ name, value }) => `${name}: ${format(value)}`)].join(
      ' · ',
    )
  const open = () => at !== null && to && void navigate(to(at))
  const move = (event: PointerEvent<HTMLDivElement>) => {
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setAt(Math.min(count - 1, Math.max(0, Math.floor(((event.clientX - left) / width) * count))))
  }
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, Home: -count, End: count }
    const step = steps[event.key]
    if (event.key === 'Enter') open()
    else if (step === undefined) return
    else setAt((index) => Math.min(count - 1, Math.max(0, (index ?? count) + step)))
    event.preventDefault()
  }
  const shown = at !== null && at < count ? at : null
  return (
    <div className={classes.chart}>
      <div className={classes.legend}>
        {series.map(({ name, color, values }) => (
          <span key={name} className={classes.key}>
            <i style={{ background: color }} />
            {name}
            {shown === null || values[shown] === null ? null : <b>{format(values[shown] ?? 0)}</b>}
          </span>
        ))}
        {limits.map(({ name, color, value }) => (
          <span key={name} className={classes.key}>
            <i data-limit style={{ color }} />
            {name}
            <b>{format(value)}</b>
          </span>
        ))}
        <span className={classes.moment}>{shown === null ? null : times[shown]!.full}</span>
      </div>
      <div className={classes.axis} aria-hidden>
        {gridNames(range, format).map(({ name, at: height }) => (
          <span key={height} style={{ top: `${height}%` }}>
            {name}
          </span>
        ))}
      </div>
      <div
        className={classes.plot}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={1}
        aria-valuemax={count}
        aria-valuenow={(shown ?? count - 1) + 1}
        aria-valuetext={read(shown ?? count - 1)}
        onKeyDown={press}
        onPointerMove={move}
        onPointerLeave={() => setAt(null)}
        onBlur={() => setAt(null)}
        onClick={open}
      >
        <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden>
          <path
            className={classes.grid}
            d={gridOf(range)
              .map((value) => `M0 ${heightOf(value, range)}H1000`)
              .join('')}
          />
          {shown === null ? null : (
            <rect className={classes.chosen} x={(shown * 1000) / count} width={1000 / count} y={0} height={100} />
          )}
          {kind === 'bars'
            ? stackedBars(series, range).map(({ series: n, index, y, height }) => (
                <rect
                  key={`${n} ${index}`}
                  fill={series[n]!.color}
                  x={((index + 0.1) * 1000) / count}
                  width={800 / count}
                  y={y}
                  height={height}
                />
              ))
            : series.map(({ name, color, values }) => (
                <path key={name} className={classes.line} stroke={color} d={linePaths(values, range)} />
              ))}
          {limits.map(({ name, color, value }) => (
            <path key={name} className={classes.limit} stroke={color} d={`M0 ${heightOf(value, range)}H1000`} />
          ))}
        </svg>
      </div>
      <div className={classes.times} aria-hidden>
        {labelled(count).map((index) => (
          <span key={index} style={placeOf(index, count)}>
            {times[index]!.short}
          </span>
        ))}
      </div>
    </div>
  )
}
