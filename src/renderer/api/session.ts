import { createContext, useContext } from 'react'
import type { Me } from '../../contract/auth.ts'
import type { OperationId } from '../../contract/operations.ts'

export interface Session {
  me: Me
  /** Whether the policy table lets this user perform the operation; what it refuses is not shown. */
  can: (op: OperationId) => boolean
  signOut: () => Promise<void>
}

export const SessionContext = createContext<Session | null>(null)

/** Who is signed in. Only below the session gate, where there always is somebody. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession() is used outside the signed-in part of the window')
  return session
}
