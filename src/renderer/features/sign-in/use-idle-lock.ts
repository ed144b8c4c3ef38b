import { useEffect, useRef } from 'react'

/** Windows of one desktop share it: who works in one is not locked out in another. */
const memory = 'headgate.last-input'
const inputs = ['pointerdown', 'pointermove', 'keydown', 'wheel'] as const
const checkEveryMs = 5000
/** A lock that the server was not there for is tried again. */
const againAfterMs = 10_000

/** Calls `lock` once nobody has touched pointer or keys for so many minutes; 0: never. A machine that slept is locked when it wakes. */
export function useIdleLock(minutes: number, lock: () => void): void {
  const latest = useRef(lock)
  useEffect(() => {
    latest.current = lock
  })
  useEffect(() => {
    if (minutes <= 0) return
    let last = Date.now()
    let locked = false
    let again: ReturnType<typeof setTimeout> | undefined
    localStorage.setItem(memory, String(last))
    const isDue = () => {
      const seen = Math.max(last, Number(localStorage.getItem(memory)) || 0)
      return Date.now() - seen >= minutes * 60_000
    }
    const check = () => {
      if (locked || !isDue()) return
      locked = true
      again = setTimeout(() => (locked = false), againAfterMs)
      latest.current()
    }
    const note = () => {
      // The movement that wakes a machine comes too late.
      check()
      const now = Date.now()
      if (locked || now - last < 1000) return
      last = now
      localStorage.setItem(memory, String(now))
    }
    for (const type of inputs) globalThis.addEventListener(type, note, { passive: true, capture: true })
    globalThis.addEventListener('focus', check)
    const timer = setInterval(check, checkEveryMs)
    return () => {
      clearInterval(timer)
      clearTimeout(again)
      globalThis.removeEventListener('focus', check)
      for (const type of inputs) globalThis.removeEventListener(type, note, { capture: true })
    }
  }, [minutes])
}
