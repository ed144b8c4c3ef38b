import { type RefObject, useCallback, useLayoutEffect, useState } from 'react'

/** Where an element is scrolled to, and how much of it is in sight; in px. */
export interface ScrollPlace {
  top: number
  left: number
  height: number
  width: number
}

const unmeasured: ScrollPlace = { top: 0, left: 0, height: 400, width: 800 }

/** The place of a scroller. `look`: for `onScroll`, and after the program has scrolled. */
export function useScrollPlace(scrollerRef: RefObject<HTMLElement | null>): [ScrollPlace, look: () => void] {
  const [place, setPlace] = useState(unmeasured)
  // Told several times a frame: what stays the same draws nothing.
  const look = useCallback(() => {
    const {
      scrollTop: top = 0,
      scrollLeft: left = 0,
      clientHeight: height = 0,
      clientWidth: width = 0,
    } = scrollerRef.current ?? {}
    setPlace((now) =>
      now.top === top && now.left === left && now.height === height && now.width === width
        ? now
        : { top, left, height, width },
    )
  }, [scrollerRef])
  useLayoutEffect(() => {
    const element = scrollerRef.current
    if (!element) return
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => observer.disconnect()
  }, [scrollerRef, look])
  return [place, look]
}
