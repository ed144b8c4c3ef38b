/**
 * Our right to work, on the monotonic clock. It is counted from when a heartbeat was sent, so that it always ends before
 * the control plane's own count, which begins later.
 */
export class Lease {
  readonly #onExpired: () => void
  #leaseMs = 0
  #since = 0
  #timer: NodeJS.Timeout | null = null
  #asleep = false

  constructor(onExpired: () => void) {
    this.#onExpired = onExpired
  }

  /** A heartbeat or registration that was sent at `sentAt` (`performance.now()`) has been answered. */
  renew(sentAt: number, leaseMs = this.#leaseMs): void {
    this.#leaseMs = leaseMs
    this.#since = sentAt
    this.stop()
    if (this.#asleep) return
    this.#timer = setTimeout(this.#onExpired, Math.max(0, this.leftMs()))
  }

  /** The machine is about to sleep, and the control plane with it: nothing runs out until `wake`. */
  sleep(): void {
    this.#asleep = true
    this.stop()
  }

  /** The control plane gives everybody a whole lease after a sleep, and so do we. */
  wake(): void {
    this.#asleep = false
    if (this.#leaseMs > 0) this.renew(performance.now())
  }

  /** Infinity while the machine is about to sleep. */
  leftMs(): number {
    if (this.#asleep) return Infinity
    return this.#since + this.#leaseMs - performance.now()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}

/** What is left of a lease as workers are told it: JSON knows no Infinity. */
export const leaseOnWire = (ms: number): number | null => (Number.isFinite(ms) ? ms : null)
