import { createContext, useContext } from 'react'
import type { Me } from '../../contract/auth.ts'
import type { OperationId } from '../../contract/operations.ts'
import type { Role } from '../../contract/roles.ts'

export interface Session {
  me: Me
  /** False once it has ended, while the page stands behind the question for the password: nothing may reach it then. */
  open: boolean
  /** Whether the policy table lets this user perform the operation; what it refuses is not shown. */
  can: (op: OperationId) => boolean
  /** Whether it lets this user do it to what belongs to somebody of the role `owner`. */
  canFor: (op: OperationId, owner: Role) => boolean
  signOut: () => Promise<void>
  /** Locks the desktop's own window; null in a browser. What was typed into the page stays. */
  lock: (() => Promise<void>) | null
  /** Reads anew who is signed in, after he has changed something about himself. */
  refresh: () => void
}

export const SessionContext = createContext<Session | null>(null)

/** Who is signed in. Only below the session gate, where there always is somebody. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession() is used outside the signed-in part of the window')
  return session
}
