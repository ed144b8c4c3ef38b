import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import type { Paper } from './dashboard-source.ts'

/** What a widget shows while its rows, its code, or its picture are on their way. */
const awaited = '[data-waiting], [data-drawn="false"], .mantine-Skeleton-root'
/** A widget that is there may ask for more, such as the lines of its log: it must be quiet for so many frames. */
const quietFrames = 5

/** Ink is dark: a page that is shown in the dark is printed in the light. */
function inTheLight(): () => void {
  const { documentElement: page } = document
  const shown = page.dataset['mantineColorScheme']
  page.dataset['mantineColorScheme'] = 'light'
  return () => {
    if (shown !== undefined) page.dataset['mantineColorScheme'] = shown
  }
}

/** The browser’s own menu waits for nothing: whatever is out of sight is loaded before, when nothing has been loading for this long. */
const idleMs = 2_000

/** Whether widgets out of sight load, too: those in sight come first. */
function useLoadedAhead(): boolean {
  const client = useQueryClient()
  const [ahead, setAhead] = useState(false)
  useEffect(() => {
    if (ahead) return
    let quietSince = Date.now()
    const timer = setInterval(() => {
      if (client.isFetching() > 0) quietSince = Date.now()
      else if (Date.now() - quietSince >= idleMs) setAhead(true)
    }, 250)
    return () => clearInterval(timer)
  }, [ahead, client])
  return ahead
}

/** Whether the browser prints by itself, from its menu. */
function useOnPaper(printing: boolean): boolean {
  const [onPaper, setOnPaper] = useState(false)
  useEffect(() => {
    if (printing) return
    let asBefore: (() => void) | undefined
    const before = () => {
      asBefore = inTheLight()
      flushSync(() => setOnPaper(true))
    }
    const after = () => {
      asBefore?.()
      asBefore = undefined
      setOnPaper(false)
    }
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
      after()
    }
  }, [printing])
  return onPaper
}

/** Prints once every widget has its rows and every chart its picture, also those that were never in sight. */
export function usePrint(board: RefObject<HTMLElement | null>) {
  const client = useQueryClient()
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    if (!printing) return
    const asBefore = inTheLight()
    let quiet = 0
    let frame = requestAnimationFrame(function look() {
      const waits = client.isFetching() > 0 || board.current?.querySelector(awaited)
      quiet = waits ? 0 : quiet + 1
      if (quiet < quietFrames) {
        frame = requestAnimationFrame(look)
        return
      }
      globalThis.print()
      setPrinting(false)
    })
    return () => {
      cancelAnimationFrame(frame)
      asBefore()
    }
  }, [printing, client, board])
  const onPaper = useOnPaper(printing)
  const ahead = useLoadedAhead()
  const paper: Paper = printing || onPaper ? 'now' : ahead ? 'ready' : 'no'
  return { printing, paper, print: () => setPrinting(true) }
}

/** The browser’s own key prints so, too: once it prints by itself, nothing can be waited for. */
export function usePrintKey(print: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return
      event.preventDefault()
      print()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  })
}
