import { useEffect, useRef } from 'react'

/** Called before and after the page is printed, when its parts have other sizes. */
export function usePrinting(onChange: (isPrinted: boolean) => void): void {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const media = matchMedia('print')
    const change = () => latest.current(media.matches)
    const before = () => latest.current(true)
    const after = () => latest.current(false)
    media.addEventListener('change', change)
    addEventListener('beforeprint', before)
    addEventListener('afterprint', after)
    return () => {
      media.removeEventListener('change', change)
      removeEventListener('beforeprint', before)
      removeEventListener('afterprint', after)
    }
  }, [])
}
