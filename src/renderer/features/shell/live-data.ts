import { useCallback } from 'react'
import { getMe } from '../../../contract/auth.ts'
import { call } from '../../api/client.ts'
import { useEventStream } from '../../api/events.ts'
import { useSession } from '../../api/session.ts'

/** Keeps what is shown in step with the server for as long as the shell stands. */
export function useLiveData(): void {
  // When the stream was refused because the session has ended, this call opens the sign-in dialog. Without a server it
  // fails, too, and the banner already says so.
  const checkSession = useCallback(() => void call(getMe).catch(() => undefined), [])
  const { me } = useSession()
  useEventStream(me.last_event_id, checkSession)
}
