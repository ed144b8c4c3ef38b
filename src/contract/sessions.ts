import Type, { type Static } from 'typebox'
import { Id, IdParams, NullableString, Success, Timestamp, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'

export const Session = Type.Object(
  {
    id: Id,
    user_id: Id,
    username: Type.String(),
    via: Type.Enum(['password', 'bootstrap', 'launch'], { description: 'How it was begun; launch: by the desktop' }),
    current: Type.Boolean({ description: 'The one that asks' }),
    pending: Type.Boolean({ description: 'Still waits for its code' }),
    address: NullableString,
    user_agent: NullableString,
    last_seen_at: Timestamp,
    idle_until: Type.String({ format: 'date-time', description: 'When it ends unless it is used' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it ends in any case' }),
    created_at: Timestamp,
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

export const listSessions = operation({
  id: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  tag: 'Auth',
  summary: 'Your sessions; with user_id those of a user below your own role',
  security: 'caller',
  query: listQuery({ user_id: Type.Optional(Id) }),
  responses: { 200: paginated(ref(Session)) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const endSession = operation({
  id: 'endSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{id}',
  tag: 'Auth',
  summary: 'End a session, at once, open streams included',
  security: 'caller',
  params: IdParams,
  responses: { 200: ref(Success) },
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
})
export const endOtherSessions = operation({
  id: 'endOtherSessions',
  method: 'DELETE',
  path: '/api/auth/sessions',
  tag: 'Auth',
  summary: 'End all your sessions but this one',
  security: 'caller',
  responses: { 200: Type.Object({ ended: Type.Integer() }) },
  errors: [],
})
export const lockDesktop = operation({
  id: 'lockDesktop',
  method: 'POST',
  path: '/api/auth/lock',
  tag: 'Auth',
  summary: "Lock the desktop's own window: this session ends, and only a password signs in again",
  description:
    "400 INVALID_STATE when this is not the desktop's own window (opened by its launch token, or at this computer by the password of a superadmin), and when the account has no password. A superadmin who signs in at this computer unlocks it.",
  security: 'caller',
  responses: { 200: ref(Success) },
  errors: ['INVALID_STATE'],
})
