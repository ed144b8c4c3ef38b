import type { SessionRow } from './auth.table.ts'

/** How long a session lasts without being used. Times in ms. */
export interface IdleTerms {
  idleMs: number
  /** Of the desktop's own window, which locks itself; 0: like any other. */
  desktopIdleMs: number
}

type Lifetime = Pick<SessionRow, 'expires_at' | 'last_seen_at' | 'desktop'>

/** When it ends unless it is used, in ms since 1970. */
export function idleEnd({ last_seen_at, desktop }: Lifetime, { idleMs, desktopIdleMs }: IdleTerms): number {
  const bound = desktop && desktopIdleMs > 0 ? Math.min(idleMs, desktopIdleMs) : idleMs
  return Date.parse(last_seen_at) + bound
}

/** Whether a session still counts: within its longest life and not idle for too long. */
export const sessionIsAlive = (session: Lifetime, now: number, terms: IdleTerms) =>
  now < Date.parse(session.expires_at) && now < idleEnd(session, terms)

/**
 * Whether the desktop has locked itself: its window was left alone for too long, and no other of its sessions is in use.
 * Without a password nobody could open it again.
 */
export function desktopIdledOut(
  sessions: readonly (Lifetime & { has_password: boolean })[],
  now: number,
  terms: IdleTerms,
): boolean {
  if (terms.desktopIdleMs === 0) return false
  const ofDesktop = sessions.filter(({ desktop }) => desktop)
  const idle = ofDesktop.some((session) => session.has_password && now >= idleEnd(session, terms))
  return idle && !ofDesktop.some((session) => sessionIsAlive(session, now, terms))
}
