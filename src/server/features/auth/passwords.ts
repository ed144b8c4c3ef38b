import { type Message, msg } from '../../../contract/messages.ts'
import type { PasswordCost, Platform } from '../../platform/platform.ts'
import { rateLimited } from '../../platform/refusal.ts'
import { loadKnownPasswords } from './known-passwords.ts'
import { passwordMistake, preparePassword } from './password.rules.ts'

/** argon2id with 64 MiB and three passes, as RFC 9106 recommends where memory is limited. */
export const passwordCost: PasswordCost = { memoryCost: 65_536, timeCost: 3 }
/** Each hash takes 64 MiB and a core for a tenth of a second. */
const MAX_CONCURRENT = 2
const MAX_WAITING = 16

export interface Passwords {
  hash(password: string): Promise<string>
  /** With no hash (unknown user) it takes just as long and is false. */
  verify(hash: string | null | undefined, password: string): Promise<boolean>
  /** What is wrong with a new password; undefined when nothing is. */
  mistake(password: string, of: { username: string }): Promise<Message | undefined>
}

export function createPasswords(platform: Pick<Platform, 'config' | 'passwordCost'>): Passwords {
  const cost = { ...(platform.passwordCost ?? passwordCost), parallelism: 1 }
  const waiting: (() => void)[] = []
  let running = 0
  let dummy: Promise<string> | undefined
  let known: Promise<ReadonlySet<string>> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < MAX_CONCURRENT) running += 1
    else {
      if (waiting.length >= MAX_WAITING) rateLimited(2, msg('sign_ins_busy'))
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await work()
    } finally {
      // The place goes straight to the next one in the queue.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }

  // Loaded when somebody signs in: the native part costs start time and memory.
  const argon2 = () => import('@node-rs/argon2')
  const hash = async (password: string) => (await argon2()).hash(preparePassword(password), cost)
  return {
    hash: (password) => inTurn(() => hash(password)),
    verify: (of, password) =>
      inTurn(async () => {
        const against = of ?? (await (dummy ??= hash('nobody has this password')))
        const matches = await (await argon2()).verify(against, preparePassword(password))
        // Half characters all look alike in UTF-8; no password has any.
        return matches && password.isWellFormed() && of !== null && of !== undefined
      }),
    async mistake(password, { username }) {
      const list = await (known ??= loadKnownPasswords())
      const { passwordMinLength: minLength } = platform.config
      return passwordMistake(password, { username, minLength, isKnown: (text) => list.has(text) })
    },
  }
}
