import { useSyncExternalStore } from 'react'

/** Of the page, in pixels. */
const least = 1100

const page = () => document.getElementById('content')

/** The page and not the window: the navigation takes its part of it. */
const isNarrow = () => (page()?.clientWidth ?? globalThis.innerWidth) <= least

function watch(onChange: () => void) {
  const observer = new ResizeObserver(onChange)
  const element = page()
  if (element) observer.observe(element)
  return () => observer.disconnect()
}

/** Whether lines of a log would be cut beside a list: panes stand above each other then. */
export const useNarrow = (): boolean => useSyncExternalStore(watch, isNarrow)
