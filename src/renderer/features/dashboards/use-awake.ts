import { useEffect } from 'react'

/** The screen stays on while the page is in sight: the browser lets go of it when it is hidden, and it is asked for again. */
export function useAwake(): void {
  useEffect(() => {
    let held: WakeLockSentinel | undefined
    let gone = false
    const ask = async () => {
      if (document.visibilityState !== 'visible' || !isSecureContext || (held && !held.released)) return
      const lock = await navigator.wakeLock.request('screen')
      if (gone) await lock.release()
      else held = lock
    }
    // A battery that is low, for example: the screen goes dark as it otherwise would.
    const tryTo = () => void ask().catch(() => undefined)
    tryTo()
    document.addEventListener('visibilitychange', tryTo)
    return () => {
      gone = true
      document.removeEventListener('visibilitychange', tryTo)
      void held?.release().catch(() => undefined)
    }
  }, [])
}
