import { rateLimited } from '../../platform/refusal.ts'

/** argon2id with 64 MiB and three passes, as RFC 9106 recommends where memory is limited. */
const cost = { memoryCost: 65_536, timeCost: 3, parallelism: 1 } as const
/** Each hash takes 64 MiB and a core for a tenth of a second. */
const MAX_CONCURRENT = 2
const MAX_WAITING = 16

export interface Passwords {
  hash(password: string): Promise<string>
  /** With no hash (unknown user) it takes just as long and is false. */
  verify(hash: string | null | undefined, password: string): Promise<boolean>
}

export function createPasswords(): Passwords {
  const waiting: (() => void)[] = []
  let running = 0
  let dummy: Promise<string> | undefined

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < MAX_CONCURRENT) running += 1
    else {
      if (waiting.length >= MAX_WAITING) rateLimited(2, 'Too many sign-ins at once. Try again in a moment.')
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
  const hash = async (password: string) => (await argon2()).hash(password, cost)
  return {
    hash: (password) => inTurn(() => hash(password)),
    verify: (known, password) =>
      inTurn(async () => {
        const against = known ?? (await (dummy ??= hash('nobody has this password')))
        const matches = await (await argon2()).verify(against, password)
        return matches && known !== null && known !== undefined
      }),
  }
}
