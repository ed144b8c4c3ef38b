import { type Message, msg } from '../../../contract/messages.ts'
export interface Enrolment {
  totp_enabled: boolean
  totp_sealed: string | null
}

export type EnrolmentState = 'none' | 'unverified' | 'verified'

export const enrolmentState = ({ totp_sealed, totp_enabled }: Enrolment): EnrolmentState =>
  totp_sealed === null ? 'none' : totp_enabled ? 'verified' : 'unverified'

export interface SetupTerms {
  state: EnrolmentState
  /** Throws away what was begun. */
  restart: boolean
  /** The secret can be opened. */
  readable: boolean
  /** The session still waits for its code: the password alone was given. */
  pending: boolean
}

/** What stands against beginning an enrolment; undefined when nothing does. */
export function objectionToSetup({ state, restart, readable, pending }: SetupTerms): Message | undefined {
  if (state === 'verified') {
    // Whoever is in, and has just given the password, replaces a secret that nobody can read any more.
    if (!readable && !pending) return undefined
    return msg('already_enrolled')
  }
  if (state === 'unverified' && !restart) return msg('enrolment_begun')
  if (state === 'none' && restart) return msg('nothing_to_restart')
  return undefined
}
