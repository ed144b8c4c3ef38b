/**
 * Our right to work, on the monotonic clock. It is counted from when a heartbeat was sent, so that it always ends before
 * the control plane's own count, which begins later.
 */
export class Lease {
  readonly #onExpired: () => void
  #leaseMs = 0
  #since = 0
  #timer: NodeJS.Timeout | null = null

  constructor(onExpired: () => void) {
    this.#onExpired = onExpired
  }

  /** A heartbeat or registration that was sent at `sentAt` (`performance.now()`) has been answered. */
  renew(sentAt: number, leaseMs = this.#leaseMs): void {
    this.#leaseMs = leaseMs
    this.#since = sentAt
    this.stop()
    this.#timer = setTimeout(this.#onExpired, Math.max(0, this.leftMs()))
  }

  leftMs(): number {
    return this.#since + this.#leaseMs - performance.now()
  }

  stop(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
  }
}
