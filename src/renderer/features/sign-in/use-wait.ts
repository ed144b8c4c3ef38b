import { useCallback, useEffect, useState } from 'react'

/** Counts down the seconds that the server wants to be left alone; 0 when it may be asked again. */
export function useWait(): { left: number; begin: (seconds: number) => void } {
  const [until, setUntil] = useState(0)
  const [left, setLeft] = useState(0)
  useEffect(() => {
    if (until === 0) return
    // Counted against the clock: a window in the background is not told of every second.
    const update = () => setLeft(Math.max(0, Math.ceil((until - Date.now()) / 1000)))
    update()
    const timer = setInterval(update, 250)
    return () => clearInterval(timer)
  }, [until])
  const begin = useCallback((seconds: number) => {
    setUntil(Date.now() + seconds * 1000)
    setLeft(seconds)
  }, [])
  return { left, begin }
}

/** `45 s`, `14:05 min`. */
export function waitText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} min`
}
