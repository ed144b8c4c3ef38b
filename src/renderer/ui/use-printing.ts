import { useEffect, useRef } from 'react'

/** Called before and after the page is printed, when its parts have other sizes. */
export function usePrinting(onChange: () => void): void {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const media = matchMedia('print')
    const change = () => latest.current()
    media.addEventListener('change', change)
    addEventListener('beforeprint', change)
    addEventListener('afterprint', change)
    return () => {
      media.removeEventListener('change', change)
      removeEventListener('beforeprint', change)
      removeEventListener('afterprint', change)
    }
  }, [])
}
