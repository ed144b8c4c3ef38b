/** Time comes in as a parameter, so that tests can move it. */
export interface Clock {
  now(): Date
  /** UTC with milliseconds, as the wire and the store have it. */
  iso(): string
  /** Milliseconds that never jump: for leases and durations. */
  monotonic(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  iso: () => new Date().toISOString(),
  monotonic: () => performance.now(),
}
