/** Who is signed in when the window opens, or why nobody is. */
import { type Me, getAuthStatus, getMe, launch } from '../../../contract/auth.ts'
import { ApiFailure, call } from '../../api/client.ts'
import { desktopBridge } from '../../desktop-bridge.ts'

export type Found =
  | { phase: 'failed'; error: Error }
  | {
      phase: 'signed-out'
      needsBootstrap: boolean
      /** The desktop's own window was locked: only a password opens it. */
      locked: boolean
      /** The desktop may sign in by itself, but did not: its user has signed out. */
      mayLaunch: boolean
      notice?: string | undefined
    }
  | { phase: 'signed-in'; me: Me }

const signedOutKey = 'headgate.signed-out'

/** Whether the user of this window has signed out: it does not sign in again by itself. */
export const signedOut = {
  is: () => sessionStorage.getItem(signedOutKey) !== null,
  set: () => sessionStorage.setItem(signedOutKey, 'yes'),
  clear: () => sessionStorage.removeItem(signedOutKey),
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))
const isUnauthenticated = (error: unknown) => error instanceof ApiFailure && error.status === 401

/** The desktop's own window signs in without a password. */
async function signInByLaunch(token: () => Promise<string>): Promise<string | undefined> {
  try {
    await call(launch, { body: { token: await token() } })
    return undefined
  } catch (error) {
    return asError(error).message
  }
}

async function signInOrAsk(): Promise<Found> {
  const status = await call(getAuthStatus)
  const bridge = desktopBridge()
  const locked = bridge !== undefined && status.desktop_locked
  const byLaunch = bridge !== undefined && status.desktop_sign_in && !locked && !status.needs_bootstrap
  let notice: string | undefined
  if (byLaunch && !signedOut.is()) {
    notice = await signInByLaunch(() => bridge.launchToken())
    if (notice === undefined) return { phase: 'signed-in', me: await call(getMe) }
  }
  return { phase: 'signed-out', needsBootstrap: status.needs_bootstrap, locked, mayLaunch: byLaunch, notice }
}

export async function findSession(): Promise<Found> {
  try {
    return { phase: 'signed-in', me: await call(getMe) }
  } catch (error) {
    if (!isUnauthenticated(error)) return { phase: 'failed', error: asError(error) }
  }
  try {
    return await signInOrAsk()
  } catch (error) {
    return { phase: 'failed', error: asError(error) }
  }
}

/** Whether the session of this window ended because the desktop was locked. */
export async function wasLocked(): Promise<boolean> {
  if (!desktopBridge()) return false
  try {
    return (await call(getAuthStatus)).desktop_locked
  } catch {
    return false
  }
}
