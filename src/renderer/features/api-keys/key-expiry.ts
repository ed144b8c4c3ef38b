/** How long an API key lives, and whether it still does. Pure. */
import type { ApiKey } from '../../../contract/auth.ts'

export const expiryChoices = ['week', 'month', 'quarter', 'year', 'never'] as const
export type ExpiryChoice = (typeof expiryChoices)[number]

const days = { week: 7, month: 30, quarter: 90, year: 365 } as const

/** ISO moment of the end, undefined for none. */
export const expiryOf = (choice: ExpiryChoice, now: Date): string | undefined =>
  choice === 'never' ? undefined : new Date(now.getTime() + days[choice] * 86_400_000).toISOString()

export const isPast = (at: string | null, now: Date) => at !== null && Date.parse(at) <= now.getTime()

export type KeyState = 'live' | 'revoked' | 'expired'

export function keyState(key: Pick<ApiKey, 'revoked_at' | 'expires_at'>, now: Date): KeyState {
  if (key.revoked_at !== null) return 'revoked'
  return isPast(key.expires_at, now) ? 'expired' : 'live'
}
