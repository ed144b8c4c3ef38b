import { useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useState } from 'react'

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
  return { printing, print: () => setPrinting(true) }
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
