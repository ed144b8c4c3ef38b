import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useLooks } from '../looks.ts'
import { type Status, statusLooks } from '../status.ts'
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

let latest: ChartLooks | undefined
/** Equal looks are one object, so that no chart is drawn again for them. */
function kept(looks: ChartLooks): ChartLooks {
  if (latest && JSON.stringify(looks) === JSON.stringify(latest)) return latest
  latest = looks
  return looks
}

const { documentElement: page } = document
/** The scheme that the page shows, which is light while it is printed. */
const schemeOf = () => page.dataset['mantineColorScheme']
function onScheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(page, { attributeFilter: ['data-mantine-color-scheme'] })
  return () => observer.disconnect()
}

const markOf = (status: Status) =>
  getComputedStyle(page).getPropertyValue(`--hg-status-${statusLooks[status].tone}-mark`).trim()

/** The looks of charts, renewed when those of the window change. `statuses`: what the series are, where they are that. */
export function useChartLooks(statuses: readonly Status[] | null): ChartLooks {
  const { contrast, motion } = useLooks()
  const scheme = useSyncExternalStore(onScheme, schemeOf)
  // The variables of a new look are in the page after this drawing of it.
  const [drawn, setDrawn] = useState(0)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setDrawn((count) => count + 1))
    return () => cancelAnimationFrame(frame)
  }, [contrast, scheme])
  const looks = useMemo(
    () => kept(readLooks(contrast === 'high', motion === 'full')),
    // oxlint-disable-next-line react/exhaustive-deps -- what is read depends on the scheme and on when it was drawn.
    [contrast, motion, scheme, drawn],
  )
  return useMemo(() => (statuses ? { ...looks, series: statuses.map(markOf) } : looks), [looks, statuses])
}
