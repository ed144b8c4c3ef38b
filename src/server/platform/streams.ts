import { type Authenticator, type Caller, callerKey } from './caller.ts'
import type { Platform } from './platform.ts'

/** The answers that stay open, so that they can be ended from outside. */
export interface Streams {
  /** `end` is called when the caller's credential is revoked, or the server drains. Returns the function that forgets it. */
  add(caller: Caller, end: () => void): () => void
  /** Ends what the credential (`callerKey`) has open. */
  revoke(key: string): void
  /** Ends all that the user has open: what he may has changed, and whoever still may comes back. */
  revokeUser(userId: number): void
  /** False when the credential is revoked or has expired: asked at each heartbeat. */
  stillValid(caller: Caller): boolean
  readonly open: number
}

export function createStreams({ draining }: Platform, authenticator: Authenticator): Streams {
  const streams = new Set<{ key: string; userId: number; end: () => void }>()
  const endWhere = (wanted: (stream: { key: string; userId: number }) => boolean) => {
    for (const stream of streams) if (wanted(stream)) stream.end()
  }
  draining.addEventListener('abort', () => endWhere(() => true), { once: true })
  return {
    add(caller, end) {
      // Between the gate and here the credential may have ended.
      if (draining.aborted || !authenticator.stillValid(caller)) {
        end()
        return () => {}
      }
      const stream = { key: callerKey(caller), userId: caller.user_id, end }
      streams.add(stream)
      return () => void streams.delete(stream)
    },
    revoke: (key) => endWhere((stream) => stream.key === key),
    revokeUser: (userId) => endWhere((stream) => stream.userId === userId),
    stillValid: authenticator.stillValid,
    get open() {
      return streams.size
    },
  }
}
