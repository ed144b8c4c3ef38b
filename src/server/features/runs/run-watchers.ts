/** Tells those who follow a run that there is something new to read. Holds nothing but who is listening right now. */
export interface RunWatchers {
  notify(runId: number): void
  watch(runId: number): RunWatch
  /** Wakes everybody: the server is about to end. */
  notifyAll(): void
}

export interface RunWatch {
  /** Resolves once something has happened since the last call (or since `watch`), or when the signal is aborted. */
  changed(signal: AbortSignal): Promise<void>
  close(): void
}

interface Watcher {
  dirty: boolean
  wake: (() => void) | null
}

export function createRunWatchers(): RunWatchers {
  const byRun = new Map<number, Set<Watcher>>()

  function rouse(watcher: Watcher): void {
    watcher.dirty = true
    watcher.wake?.()
  }

  return {
    notify(runId) {
      byRun.get(runId)?.forEach(rouse)
    },
    notifyAll() {
      for (const watchers of byRun.values()) watchers.forEach(rouse)
    },
    watch(runId) {
      const watcher: Watcher = { dirty: false, wake: null }
      const watchers = byRun.get(runId) ?? new Set()
      byRun.set(runId, watchers.add(watcher))
      return {
        async changed(signal) {
          if (!watcher.dirty && !signal.aborted) {
            await new Promise<void>((resolve) => {
              const wake = () => {
                signal.removeEventListener('abort', wake)
                watcher.wake = null
                resolve()
              }
              watcher.wake = wake
              signal.addEventListener('abort', wake, { once: true })
            })
          }
          watcher.dirty = false
        },
        close() {
          watchers.delete(watcher)
          if (watchers.size === 0) byRun.delete(runId)
        },
      }
    },
  }
}
