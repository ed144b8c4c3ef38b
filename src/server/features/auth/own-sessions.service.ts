import type { Paginated } from '../../../contract/common.ts'
import type { QueryOf } from '../../../contract/operation.ts'
import type { OperationId } from '../../../contract/operations.ts'
import { allowsOthers } from '../../../contract/policy.ts'
import type { Session, listSessions } from '../../../contract/sessions.ts'
import type { Caller } from '../../platform/caller.ts'
import { notFound } from '../../platform/refusal.ts'
import type { UsersService } from '../users/users.service.ts'
import type { SessionsService } from './sessions.service.ts'

export type OwnSessionsService = ReturnType<typeof createOwnSessionsService>

/** What people see and end of their sessions, and of those of whom they manage. */
export function createOwnSessionsService({ users, sessions }: { users: UsersService; sessions: SessionsService }) {
  /** Whom one may not manage has nothing that is there. */
  function check(op: OperationId, caller: Caller, userId: number): void {
    if (userId === caller.user_id) return
    const user = users.forLogin(userId)
    if (!user || !allowsOthers(op, caller.role, user.role)) notFound()
  }
  return {
    list({ user_id, ...page }: QueryOf<typeof listSessions>, caller: Caller): Paginated<Session> {
      const userId = user_id ?? caller.user_id
      check('listSessions', caller, userId)
      return sessions.list(userId, caller.session_id, page)
    },
    end(id: number, caller: Caller): void {
      const session = sessions.find(id) ?? notFound()
      check('endSession', caller, session.user_id)
      if (!sessions.end(id)) notFound()
    },
    /** The ids of what ended. */
    endOthers: (caller: Caller): number[] => sessions.endOfUser(caller.user_id, caller.session_id),
  }
}
