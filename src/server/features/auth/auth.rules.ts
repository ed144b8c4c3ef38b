import type { SessionRow } from './auth.table.ts'

/** Whether a session still counts: within its longest life and not idle for too long. Times in ms since 1970. */
export function sessionIsAlive(
  session: Pick<SessionRow, 'expires_at' | 'last_seen_at'>,
  now: number,
  idleMs: number,
): boolean {
  return now < Date.parse(session.expires_at) && now < Date.parse(session.last_seen_at) + idleMs
}

/** How failed sign-ins are counted. One account from one place is strict; the wider nets stop spreading over either. */
export const throttles = {
  pair: { limit: 10, windowMs: 15 * 60_000 },
  account: { limit: 100, windowMs: 15 * 60_000 },
  source: { limit: 100, windowMs: 15 * 60_000 },
} as const
export type Throttle = (typeof throttles)[keyof typeof throttles]

export interface FailureCount {
  failures: number
  window_started_at: string
}

/** The count as it stands now: a window that has passed begins anew. */
export function currentCount(count: FailureCount | undefined, { windowMs }: Throttle, now: Date): FailureCount {
  if (count && now.getTime() < Date.parse(count.window_started_at) + windowMs) return count
  return { failures: 0, window_started_at: now.toISOString() }
}

/** Seconds until the next try is allowed; 0: now. */
export function waitSeconds(count: FailureCount, { limit, windowMs }: Throttle, now: Date): number {
  if (count.failures < limit) return 0
  return Math.max(1, Math.ceil((Date.parse(count.window_started_at) + windowMs - now.getTime()) / 1000))
}

/** What login answers, as the seed has it. `pending` is whether the session still waits for TOTP. */
export function loginResult(user: { totp_enabled: boolean; password_change_required: boolean }, pending: boolean) {
  return {
    requires_totp: pending && user.totp_enabled,
    needs_totp_setup: pending && !user.totp_enabled,
    // An unverified enrolment can only exist where enrolment does.
    can_restart_totp_setup: false,
    authenticated: !pending,
    password_change_required: user.password_change_required,
  }
}
