import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Me, logout } from '../../../contract/auth.ts'
import type { ServerEvent } from '../../../contract/events.ts'
import { allows, allowsOthers } from '../../../contract/policy.ts'
import { lockDesktop } from '../../../contract/sessions.ts'
import { ApiFailure, call, setForbiddenListener, setUnauthenticatedListener } from '../../api/client.ts'
import { useServerEvents } from '../../api/events.ts'
import { type Session, SessionContext } from '../../api/session.ts'
import { desktopBridge } from '../../desktop-bridge.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { type Found, findSession, signedOut, wasLocked } from './find-session.ts'
import { useIdleLock } from './use-idle-lock.ts'

// Most visits are signed in already and never see these.
const SignInDialog = lazyPart(async () => (await import('./SignInDialog.tsx')).SignInDialog)
const SignInPage = lazyPart(async () => (await import('./SignInPage.tsx')).SignInPage)
const GivenPasswordPage = lazyPart(async () => (await import('./GivenPasswordPage.tsx')).GivenPasswordPage)
const WelcomePage = lazyPart(async () => (await import('../welcome/WelcomePage.tsx')).WelcomePage)

/** `expired`: the page stays with what was typed into it, and a dialog asks for the password again; `locked` hides the page, too. */
type Ended = 'expired' | 'locked' | null

type State =
  | { phase: 'asking' }
  | Exclude<Found, { phase: 'signed-in' }>
  | { phase: 'signed-in'; me: Me; ended: Ended; welcome: boolean }

/** What was found changes what is shown; a page with input in it is not thrown away. */
function merged(before: State, found: Found): State {
  if (before.phase !== 'signed-in') {
    return found.phase === 'signed-in' ? { ...found, ended: null, welcome: false } : found
  }
  if (found.phase === 'signed-in') return { ...before, me: found.me, ended: null }
  if (found.phase === 'failed') return before
  return { ...before, ended: found.locked ? 'locked' : (before.ended ?? 'expired') }
}

function useGate() {
  const [state, setState] = useState<State>({ phase: 'asking' })
  const client = useQueryClient()
  const ask = useCallback(async (welcome = false) => {
    const found = await findSession()
    setState((before) => {
      const next = merged(before, found)
      return next.phase === 'signed-in' && welcome ? { ...next, welcome } : next
    })
    if (found.phase === 'signed-in') signedOut.clear()
  }, [])
  const end = useCallback(
    (ended: Exclude<Ended, null>) =>
      setState((before) => {
        if (before.phase !== 'signed-in' || before.ended === 'locked') return before
        return { ...before, ended }
      }),
    [],
  )
  const endWelcome = useCallback(
    () => setState((before) => (before.phase === 'signed-in' ? { ...before, welcome: false } : before)),
    [],
  )
  const leave = useCallback(async () => {
    await call(logout)
    signedOut.set()
    client.clear()
    setState({ phase: 'asking' })
    await ask()
  }, [ask, client])
  return { state, ask, end, endWelcome, leave }
}

/** No answer, or that of a server which is about to end. */
const isAway = (error: Error) => error instanceof ApiFailure && (error.status === 0 || error.status === 503)

const againAfterMs = 2_000

/** A window that was opened while the server was away asks again by itself: nothing else on it would hear that it is back. */
function useAgainWhileAway(away: boolean, ask: () => Promise<void>): void {
  useEffect(() => {
    if (!away) return
    const timer = setInterval(() => void ask(), againAfterMs)
    return () => clearInterval(timer)
  }, [away, ask])
}

/** Keeps what is known of the caller in step: a session that ended, rights that changed. */
function useChanges(myId: number | null, ask: () => Promise<void>, end: (ended: 'expired' | 'locked') => void): void {
  const askedAt = useRef(0)
  useEffect(() => {
    void ask()
  }, [ask])
  useEffect(() => {
    setUnauthenticatedListener(() => {
      end('expired')
      void wasLocked().then((locked) => locked && end('locked'))
    })
    // A page that is refused again and again does not ask again and again.
    setForbiddenListener(() => {
      if (Date.now() - askedAt.current < 5000) return
      askedAt.current = Date.now()
      void ask()
    })
    return () => {
      setUnauthenticatedListener(undefined)
      setForbiddenListener(undefined)
    }
  }, [ask, end])
  const onEvent = useCallback(
    (event: ServerEvent) => {
      if (event.type === 'user.changed' && event.entity_id === myId) void ask()
    },
    [ask, myId],
  )
  useServerEvents(onEvent)
}

function useSessionOf(me: Me | null, open: boolean, gate: ReturnType<typeof useGate>): Session | null {
  const { t } = useTranslation('signIn')
  const { ask, end, leave } = gate
  const lock = useCallback(async () => {
    try {
      await call(lockDesktop)
      end('locked')
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      notifications.show({ color: 'red', message: t('locked.failed', { reason }) })
    }
  }, [end, t])
  return useMemo(() => {
    if (!me) return null
    const { role } = me.user
    return {
      me,
      open,
      can: (op) => allows(op, { role, scopes: me.scopes }),
      canFor: (op, owner) => allows(op, { role, scopes: me.scopes }) && allowsOthers(op, role, owner),
      signOut: leave,
      lock: desktopBridge() ? lock : null,
      refresh: () => void ask(),
    }
  }, [me, open, leave, lock, ask])
}

/** Shows the app to whom is signed in and the sign-in page to everybody else, at the same address. */
export function SessionGate({ children }: { children: ReactNode }) {
  const client = useQueryClient()
  const gate = useGate()
  const { state, ask, endWelcome } = gate
  const me = state.phase === 'signed-in' ? state.me : null
  const ended = state.phase === 'signed-in' ? state.ended : null
  useChanges(me?.user.id ?? null, ask, gate.end)
  useAgainWhileAway(state.phase === 'failed' && isAway(state.error), ask)
  const session = useSessionOf(me, ended === null, gate)
  useIdleLock(desktopBridge() && me && !ended ? me.lock_after_minutes : 0, () => void session?.lock?.())

  const signedIn = useCallback(
    (first: boolean) => {
      signedOut.clear()
      void ask(first).then(() => client.invalidateQueries())
    },
    [ask, client],
  )
  const launchNow = () => {
    signedOut.clear()
    void ask()
  }
  if (state.phase === 'asking') return null
  if (state.phase === 'failed') return <ErrorState error={state.error} onRetry={() => void ask()} />
  if (state.phase === 'signed-out') {
    return (
      <Suspense fallback={null}>
        <SignInPage
          bootstrap={state.needsBootstrap}
          locked={state.locked ? 'anew' : null}
          notice={state.notice}
          onLaunch={state.mayLaunch ? launchNow : null}
          onSignedIn={signedIn}
        />
      </Suspense>
    )
  }
  const { user } = state.me
  const page = user.password_change_required ? (
    <GivenPasswordPage username={user.username} onChanged={() => void ask()} onOther={() => void gate.leave()} />
  ) : state.welcome ? (
    <WelcomePage onDone={endWelcome} />
  ) : (
    children
  )
  return (
    <SessionContext value={session}>
      {/* Somebody else who signs in finds nothing of what was typed before. */}
      <div key={user.id} hidden={ended === 'locked'} inert={ended === 'locked'} style={{ height: '100%' }}>
        <Suspense fallback={null}>{page}</Suspense>
      </div>
      <Suspense fallback={null}>
        {ended === 'expired' ? <SignInDialog username={user.username} onSignedIn={() => signedIn(false)} /> : null}
        {ended === 'locked' ? (
          <SignInPage bootstrap={false} locked="here" username={user.username} onSignedIn={signedIn} />
        ) : null}
      </Suspense>
    </SessionContext>
  )
}
