import { type RefObject, useLayoutEffect, useState } from 'react'

/** Pixels that an element has for what is in it, side by side; 0 until it is drawn. */
export function useRoom(of: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const element = of.current
    if (!element) return
    const measure = () => setRoom(element.clientWidth)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [of])
  return room
}
