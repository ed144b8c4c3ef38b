import type { Role, Scope } from '../../contract/roles.ts'

/** Who makes a request. */
export interface Caller {
  kind: 'session' | 'api_key'
  user_id: number
  username: string
  role: Role
  /** Empty: every scope of the role. */
  scopes: Scope[]
  session_id?: number
  api_key_id?: number
  /** A session that still waits for its TOTP code. */
  pending: boolean
  /** Until the password is changed, nothing else is open to him. */
  password_change_required?: boolean
}

/** Names the credential behind a caller: what is revoked, limited and counted by. */
export const callerKey = (caller: Caller): string =>
  caller.kind === 'session' ? `session:${caller.session_id}` : `api_key:${caller.api_key_id}`

/** Turns the credentials of a request into a caller. Given to the HTTP layer by the accounts features. */
export interface Authenticator {
  /** The caller of a session cookie; undefined when it is unknown, expired or revoked. */
  session(token: string): Caller | undefined
  /** The caller of an API key (`svc_<hex>`). */
  apiKey(key: string): Caller | undefined
  /** False when the credential has been revoked or has expired since. */
  stillValid(caller: Caller): boolean
}
