import Type, { type Static } from 'typebox'
import { Id, IdParams, NullableString, Success, Timestamp, listQuery, paginated } from './common.ts'
import { operation, ref } from './operation.ts'

export const Session = Type.Object(
  {
    id: Id,
    user_id: Id,
    username: Type.String(),
    via: Type.Enum(['password', 'bootstrap', 'launch'], {
      description: 'How the session was started; launch: by the desktop app',
    }),
    current: Type.Boolean({ description: 'The session of this request' }),
    pending: Type.Boolean({ description: 'Waiting for its TOTP code' }),
    address: NullableString,
    user_agent: NullableString,
    last_seen_at: Timestamp,
    idle_until: Type.String({ format: 'date-time', description: 'When it expires if idle' }),
    expires_at: Type.String({ format: 'date-time', description: 'When it expires in any case' }),
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
  summary: 'List your sessions; with user_id, those of a user below your own role',
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
  summary: 'End a session immediately, including its open streams',
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
  summary: 'End all your sessions except this one',
  security: 'caller',
  responses: { 200: Type.Object({ ended: Type.Integer() }) },
  errors: [],
})
export const lockDesktop = operation({
  id: 'lockDesktop',
  method: 'POST',
  path: '/api/auth/lock',
  tag: 'Auth',
  summary: 'Lock the desktop app’s own window: this session ends, and signing in again requires a password',
  description:
    '400 INVALID_STATE if this is not the desktop app’s own window (signed in with its launch token, or on this computer with the password of a superadmin), or if the account has no password. A superadmin who signs in on this computer unlocks it.',
  security: 'caller',
  responses: { 200: ref(Success) },
  errors: ['INVALID_STATE'],
})
