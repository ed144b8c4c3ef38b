/** Wakes whoever waits for something to have changed. */
export class Signal {
  readonly #waiting = new Set<() => void>()

  raise(): void {
    const woken = [...this.#waiting]
    this.#waiting.clear()
    for (const wake of woken) wake()
  }

  /** Resolves at the next `raise`, when `signal` is aborted, or after `ms`. */
  wait(signal: AbortSignal, ms = Infinity): Promise<void> {
    return new Promise((resolve) => {
      if (signal.aborted) return resolve()
      const wake = (): void => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        clearTimeout(timer)
        resolve()
      }
      const timer = ms === Infinity ? undefined : setTimeout(wake, ms)
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
    })
  }
}
