import Type, { type Static } from 'typebox'
import { Id, Name, NullableInteger, NullableString, NullableTimestamp, Success, Timestamp } from './common.ts'
import { operation, ref } from './operation.ts'
import { roles, scopes } from './roles.ts'

/** Trimmed; stored as it is given, compared in one form that all its spellings share (case, width). */
export const Username = Type.String({ minLength: 1, maxLength: 200, examples: ['ada'] })
/** At least `auth.password_min_length` characters and on no list of known passwords; the upper bound keeps hashing affordable. */
export const NewPassword = Type.String({ minLength: 8, maxLength: 1024, examples: ['correct horse battery staple'] })

export const User = Type.Object(
  {
    id: Id,
    username: Type.String(),
    display_name: NullableString,
    email: NullableString,
    role: Type.Enum([...roles]),
    disabled: Type.Boolean(),
    totp_enabled: Type.Boolean({ description: 'An authenticator app is enrolled and verified' }),
    password_change_required: Type.Boolean({
      description: 'Someone else set the password: the user must change it before doing anything else',
    }),
    last_login_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

export const AuthStatus = Type.Object(
  {
    needs_bootstrap: Type.Boolean({ description: 'No user exists yet' }),
    totp_required: Type.Boolean(),
    desktop_sign_in: Type.Boolean({ description: 'The desktop app’s own window can sign in with a launch token' }),
    desktop_locked: Type.Boolean({
      description: 'The desktop app’s own window is locked: only a password unlocks it, not a launch token',
    }),
    password_min_length: Type.Integer({ description: 'Minimum length of a new password, in characters' }),
  },
  { $id: 'AuthStatus' },
)
export const LoginResult = Type.Object(
  {
    requires_totp: Type.Boolean({ description: 'The user has a TOTP secret and must verify' }),
    needs_totp_setup: Type.Boolean({ description: 'The user has no TOTP secret and must enroll' }),
    can_restart_totp_setup: Type.Boolean({ description: 'An unverified enrollment exists and can be restarted' }),
    authenticated: Type.Boolean({ description: 'A full session was issued' }),
    password_change_required: Type.Boolean({ description: 'The next call must be changeOwnPassword' }),
  },
  { $id: 'LoginResult' },
)
export const Me = Type.Object(
  {
    user: ref(User),
    via: Type.Enum(['session', 'api_key']),
    scopes: Type.Array(Type.Enum([...scopes])),
    session_id: NullableInteger,
    lock_after_minutes: Type.Integer({
      description: 'Minutes without input after which a desktop window locks; 0: never',
    }),
    last_event_id: Type.Integer({
      minimum: 0,
      description: 'Newest event at this time; an event stream opened with it as `after` reports all later changes',
    }),
  },
  { $id: 'Me' },
)
export type Me = Static<typeof Me>

const credentials = Type.Object(
  { username: Username, password: Type.String({ minLength: 1, maxLength: 1024 }) },
  { additionalProperties: false },
)

export const getAuthStatus = operation({
  id: 'getAuthStatus',
  method: 'GET',
  path: '/api/auth/status',
  tag: 'Auth',
  summary: 'Get what a sign-in page needs to know',
  security: 'none',
  responses: { 200: ref(AuthStatus) },
  errors: [],
})
export const bootstrap = operation({
  id: 'bootstrap',
  method: 'POST',
  path: '/api/auth/bootstrap',
  tag: 'Auth',
  summary: 'Create the first account, a superadmin, and sign in',
  description: 'Only while no user exists; afterwards 409.',
  security: 'none',
  body: Type.Object(
    { username: Username, password: NewPassword, display_name: Type.Optional(Name) },
    { additionalProperties: false },
  ),
  responses: { 201: ref(LoginResult) },
  errors: ['VALIDATION_ERROR', 'CONFLICT', 'RATE_LIMITED'],
})
export const login = operation({
  id: 'login',
  method: 'POST',
  path: '/api/auth/login',
  tag: 'Auth',
  summary: 'Validate the password and set a session cookie',
  description:
    'Sets a pending `svc_session` cookie that TOTP verification completes. If `auth.totp_required` is false, the full session is set immediately and `authenticated` is true.',
  security: 'none',
  body: credentials,
  responses: { 200: ref(LoginResult) },
  errors: ['VALIDATION_ERROR', 'AUTH_ERROR', 'RATE_LIMITED'],
})
export const launch = operation({
  id: 'launch',
  method: 'POST',
  path: '/api/auth/launch',
  tag: 'Auth',
  summary: 'Sign in the desktop app’s own window with a one-time launch token',
  description: 'Only from loopback, once, and within 30 seconds of the token’s creation.',
  security: 'none',
  body: Type.Object({ token: Type.String({ minLength: 1, maxLength: 200 }) }, { additionalProperties: false }),
  responses: { 200: ref(LoginResult) },
  errors: ['VALIDATION_ERROR', 'AUTH_ERROR', 'RATE_LIMITED'],
})
export const logout = operation({
  id: 'logout',
  method: 'POST',
  path: '/api/auth/logout',
  tag: 'Auth',
  summary: 'End this session',
  security: 'pending',
  responses: { 200: ref(Success) },
  errors: [],
})
export const getMe = operation({
  id: 'getMe',
  method: 'GET',
  path: '/api/auth/me',
  tag: 'Auth',
  summary: 'Get the caller',
  security: 'caller',
  responses: { 200: ref(Me) },
  errors: [],
})

export const ApiKey = Type.Object(
  {
    id: Id,
    name: Type.String(),
    prefix: Type.String({ description: 'The first characters, to identify the key' }),
    role: Type.Enum([...roles]),
    scopes: Type.Array(Type.Enum([...scopes]), { description: 'Empty: all scopes of the role' }),
    user_id: Id,
    username: Type.String(),
    expires_at: NullableTimestamp,
    last_used_at: NullableTimestamp,
    revoked_at: NullableTimestamp,
    created_at: Timestamp,
    updated_at: NullableTimestamp,
  },
  { $id: 'ApiKey' },
)
export type ApiKey = Static<typeof ApiKey>
export const CreatedApiKey = Type.Object(
  { ...ApiKey.properties, key: Type.String({ description: 'Shown only once', examples: ['svc_5f2c…'] }) },
  { $id: 'CreatedApiKey' },
)
