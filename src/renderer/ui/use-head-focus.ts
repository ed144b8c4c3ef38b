import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router'

/** The page that the window opened with: there the focus stays where the browser puts it, before the skip link. */
const firstPage = 'default'

/**
 * A page that comes into sight takes the focus to its head, so that the keyboard and a screen reader go on from there. Not from what has
 * it already within the page or above it: a field that asked for it, a dialog.
 */
export function useHeadFocus(): RefObject<HTMLHeadingElement | null> {
  const head = useRef<HTMLHeadingElement>(null)
  const { key } = useLocation()
  const first = useRef(key === firstPage)
  useLayoutEffect(() => {
    const { activeElement: focused } = document
    const elsewhere = !focused || focused === document.body || focused.closest('nav[data-main]') !== null
    if (elsewhere && !first.current) head.current?.focus({ preventScroll: true })
  }, [])
  return head
}
