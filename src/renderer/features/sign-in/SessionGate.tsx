import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { getAuthStatus, getMe, launch, logout } from '../../../contract/auth.ts'
import type { Me } from '../../../contract/auth.ts'
import { allows } from '../../../contract/policy.ts'
import { ApiFailure, call, setUnauthenticatedListener } from '../../api/client.ts'
import { type Session, SessionContext } from '../../api/session.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'

// Most visits are signed in already and never see these.
const SignInDialog = lazyPart(async () => (await import('./SignInDialog.tsx')).SignInDialog)
const SignInPage = lazyPart(async () => (await import('./SignInPage.tsx')).SignInPage)

type State =
  | { phase: 'asking' }
  | { phase: 'failed'; error: Error }
  | { phase: 'signed-out'; needsBootstrap: boolean; notice?: string }
  /** `expired`: the page stays with what was typed into it, and a dialog asks for the password again. */
  | { phase: 'signed-in'; me: Me; expired: boolean }

const signedOutKey = 'headgate.signed-out'
const isUnauthenticated = (error: unknown) => error instanceof ApiFailure && error.status === 401

/** The desktop's own window signs in without a password, unless its user has just signed out. */
async function signInByLaunch(): Promise<string | undefined> {
  const bridge = desktopBridge()
  if (!bridge || sessionStorage.getItem(signedOutKey)) return undefined
  try {
    const token = await bridge.launchToken()
    await call(launch, { body: { token } })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

async function findSession(): Promise<State> {
  try {
    return { phase: 'signed-in', me: await call(getMe), expired: false }
  } catch (error) {
    if (!isUnauthenticated(error)) return { phase: 'failed', error: error as Error }
  }
  try {
    const status = await call(getAuthStatus)
    const byLaunch = status.desktop_sign_in && desktopBridge() !== undefined
    const notice = byLaunch ? await signInByLaunch() : undefined
    if (byLaunch && !notice && !sessionStorage.getItem(signedOutKey)) {
      return { phase: 'signed-in', me: await call(getMe), expired: false }
    }
    return {
      phase: 'signed-out',
      needsBootstrap: status.needs_bootstrap,
      notice,
    }
  } catch (error) {
    return { phase: 'failed', error: error as Error }
  }
}

/** Shows the app to whom is signed in and the sign-in page to everybody else, at the same address. */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const [state, setState] = useState<State>({ phase: 'asking' })

  const ask = useCallback(async () => {
    const found = await findSession()
    setState((before) =>
      before.phase === 'signed-in' && found.phase === 'signed-out' ? { ...before, expired: true } : found,
    )
    if (found.phase === 'signed-in') sessionStorage.removeItem(signedOutKey)
  }, [])
  useEffect(() => {
    void ask()
  }, [ask])
  useEffect(() => {
    setUnauthenticatedListener(() =>
      setState((before) => (before.phase === 'signed-in' && !before.expired ? { ...before, expired: true } : before)),
    )
    return () => setUnauthenticatedListener(undefined)
  }, [])

  const signedIn = useCallback(() => {
    sessionStorage.removeItem(signedOutKey)
    void ask().then(() => client.invalidateQueries())
  }, [ask, client])
  const me = state.phase === 'signed-in' ? state.me : null
  const session = useMemo((): Session | null => {
    if (!me) return null
    return {
      me,
      can: (op) => allows(op, { role: me.user.role, scopes: me.scopes }),
      signOut: async () => {
        await call(logout)
        sessionStorage.setItem(signedOutKey, 'yes')
        client.clear()
        setState({ phase: 'signed-out', needsBootstrap: false })
      },
    }
  }, [me, client])

  if (state.phase === 'asking') return null
  if (state.phase === 'failed') return <ErrorState error={state.error} onRetry={() => void ask()} />
  if (state.phase === 'signed-out') {
    return (
      <Suspense fallback={null}>
        <SignInPage bootstrap={state.needsBootstrap} notice={state.notice} onSignedIn={signedIn} />
      </Suspense>
    )
  }
  return (
    <SessionContext value={session}>
      {children}
      {state.expired ? (
        <Suspense fallback={null}>
          <SignInDialog username={state.me.user.username} onSignedIn={signedIn} />
        </Suspense>
      ) : null}
    </SessionContext>
  )
}
