import { createHash } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { Ids } from '../../platform/ids.ts'

export const LAUNCH_TOKEN_MS = 30_000
const MAX_OUTSTANDING = 100

/** One-time tokens for the desktop's own window, kept as hashes and in memory only. */
export interface LaunchTokens {
  make(): string
  /** True once, within 30 seconds of `make`. */
  redeem(token: string): boolean
}

export function createLaunchTokens(clock: Clock, ids: Ids): LaunchTokens {
  const expiries = new Map<string, number>()
  const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')
  const forgetExpired = () => {
    for (const [hash, expiry] of expiries) if (expiry <= clock.monotonic()) expiries.delete(hash)
  }
  return {
    make() {
      forgetExpired()
      const [oldest] = expiries.keys()
      if (expiries.size >= MAX_OUTSTANDING && oldest !== undefined) expiries.delete(oldest)
      const token = ids.token()
      expiries.set(hashOf(token), clock.monotonic() + LAUNCH_TOKEN_MS)
      return token
    },
    redeem(token) {
      forgetExpired()
      return expiries.delete(hashOf(token))
    },
  }
}
