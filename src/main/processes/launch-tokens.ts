import type { ChildHandle } from '../../process/child.ts'
import { isMessage, type OwnerMessage } from '../../process/messages.ts'
import type { Words } from '../words.ts'

const TIMEOUT_MS = 5_000

export interface LaunchTokens {
  request(server: ChildHandle): Promise<string>
  hear(message: unknown): void
  rejectAll(reason: string): void
}

interface Waiting {
  resolve(token: string): void
  reject(error: Error): void
  timer: NodeJS.Timeout
}

/** Matches the server's answers to the requests for one-time sign-in tokens. */
export function launchTokens(words: () => Words, timeoutMs = TIMEOUT_MS): LaunchTokens {
  const waiting = new Map<number, Waiting>()
  let lastId = 0

  function take(id: unknown): Waiting | undefined {
    const found = typeof id === 'number' ? waiting.get(id) : undefined
    if (!found) return undefined
    waiting.delete(id as number)
    clearTimeout(found.timer)
    return found
  }

  return {
    request(server) {
      const id = ++lastId
      return new Promise((resolve, reject) => {
        const late = (): void => take(id)?.reject(new Error(words().serverLate))
        waiting.set(id, { resolve, reject, timer: setTimeout(late, timeoutMs) })
        server.send({ type: 'launch-token', id } satisfies OwnerMessage)
      })
    },
    hear(message) {
      if (!isMessage(message, 'event', 'launch-token')) return
      const asked = take(message.id)
      if (typeof message.token === 'string') asked?.resolve(message.token)
      else asked?.reject(new Error(typeof message.message === 'string' ? message.message : words().desktopSignInOff))
    },
    rejectAll(reason) {
      for (const id of waiting.keys()) take(id)?.reject(new Error(reason))
    },
  }
}
