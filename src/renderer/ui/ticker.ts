import { useSyncExternalStore } from 'react'

/** One timer for every relative time and running duration on the page; it stands still while nobody listens. */
function createTicker(intervalMs: number) {
  const listeners = new Set<() => void>()
  let now = Date.now()
  let timer: ReturnType<typeof setInterval> | undefined
  return {
    now: () => now,
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      if (timer === undefined) {
        now = Date.now()
        timer = setInterval(() => {
          now = Date.now()
          for (const each of listeners) each()
        }, intervalMs)
      }
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
  }
}

const second = createTicker(1000)
const tenth = createTicker(100)

/** The time, renewed every second. */
export const useNow = () => useSyncExternalStore(second.subscribe, second.now)

const still = () => () => {}

/** A text that may grow older, as it is by the same clock: drawn again when it says something else, not every second. */
export const useAged = (text: string | undefined | ((now: number) => string)) =>
  useSyncExternalStore(typeof text === 'function' ? second.subscribe : still, () =>
    typeof text === 'function' ? text(second.now()) : text,
  )

/** The time, renewed ten times a second while `active`. */
export const useFastNow = (active: boolean) => useSyncExternalStore(active ? tenth.subscribe : still, tenth.now)
