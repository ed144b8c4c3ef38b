import { useComputedColorScheme } from '@mantine/core'
import { useMemo, useState, useEffect } from 'react'
import { useLooks } from '../looks.ts'
import type { ChartLooks } from './options.rules.ts'

const seriesColors = 8

/** A canvas knows no CSS variables: their values, as they are now. */
function readLooks(patterned: boolean, motion: boolean): ChartLooks {
  const style = getComputedStyle(document.documentElement)
  const read = (name: string) => style.getPropertyValue(name).trim()
  return {
    series: Array.from({ length: seriesColors }, (_, index) => read(`--hg-chart-${index + 1}`)),
    text: read('--hg-text'),
    muted: read('--hg-text-muted'),
    line: read('--hg-line'),
    surface: read('--hg-surface'),
    accent: read('--hg-accent'),
    fontFamily: getComputedStyle(document.body).fontFamily,
    patterned,
    motion,
  }
}

/** The looks of charts, renewed when those of the window change. */
export function useChartLooks(): ChartLooks {
  const { contrast, motion } = useLooks()
  const scheme = useComputedColorScheme('light')
  // The variables of a new look are in the page after this drawing of it.
  const [drawn, setDrawn] = useState(0)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn((count) => count + 1))
    return () => cancelAnimationFrame(frame)
  }, [contrast, scheme])
  return useMemo(
    () => readLooks(contrast === 'high', motion === 'full'),
    // oxlint-disable-next-line react/exhaustive-deps -- what is read depends on the scheme and on when it was drawn.
    [contrast, motion, scheme, drawn],
  )
}
