import { type ReactNode, createContext, createElement, useContext, useMemo, useState } from 'react'
import type { ChartLooks } from './options.rules.ts'
import type { Plot } from './plot.rules.ts'
import { type TakenColors, colorsFor } from './series-colors.rules.ts'

const TakenContext = createContext<TakenColors | null>(null)

/** Around charts that stand together: a name has the same color in all of them. */
export function SharedColors({ children }: { children?: ReactNode }) {
  const [taken] = useState((): TakenColors => new Map())
  return createElement(TakenContext, { value: taken }, children)
}

/** The looks with the colors of the series in their order. */
export function useSeriesColors(plot: Plot, looks: ChartLooks, areStatuses: boolean): ChartLooks {
  const taken = useContext(TakenContext)
  return useMemo(() => {
    if (areStatuses || !taken) return looks
    const series = colorsFor(plot, looks.series.length, taken).map((color) => looks.series[color] ?? '')
    return series.length > 0 ? { ...looks, series } : looks
  }, [plot, looks, areStatuses, taken])
}
