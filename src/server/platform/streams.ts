import { type Authenticator, type Caller, callerKey } from './caller.ts'
import type { Platform } from './platform.ts'

/** The answers that stay open, so that they can be ended from outside. */
export interface Streams {
  /** `end` is called when the caller's credential is revoked, or the server drains. Returns the function that forgets it. */
  add(caller: Caller, end: () => void): () => void
  /** Ends what the credential (`callerKey`) has open. */
  revoke(key: string): void
  /** False when the credential is revoked or has expired: asked at each heartbeat. */
  stillValid(caller: Caller): boolean
  readonly open: number
}

export function createStreams({ draining }: Platform, authenticator: Authenticator): Streams {
  const streams = new Set<{ key: string; end: () => void }>()
  const endWhere = (wanted: (key: string) => boolean) => {
    for (const stream of streams) if (wanted(stream.key)) stream.end()
  }
  draining.addEventListener('abort', () => endWhere(() => true), { once: true })
  return {
    add(caller, end) {
      const stream = { key: callerKey(caller), end }
      streams.add(stream)
      if (draining.aborted) end()
      return () => void streams.delete(stream)
    },
    revoke: (key) => endWhere((open) => open === key),
    stillValid: authenticator.stillValid,
    get open() {
      return streams.size
    },
  }
}
