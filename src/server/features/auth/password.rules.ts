import { type Message, msg } from '../../../contract/messages.ts'
/**
 * The form in which a password is hashed, as OpaqueString of RFC 8265 has it: the same keys give the same password on every
 * system, whether it composes `é` or not, and whatever kind of space it types. Case is kept.
 */
export const preparePassword = (password: string) => password.replaceAll(/\p{Zs}/gu, ' ').normalize('NFC')

/** The form in which passwords are compared with names and with those that are known. */
export const comparable = (text: string) => preparePassword(text).trim().normalize('NFKC').toLowerCase()

export interface PasswordTerms {
  username: string
  minLength: number
  /** Whether this is, in its comparable form, among the first that are tried. */
  isKnown: (comparable: string) => boolean
}

/** What is wrong with a new password; undefined when nothing is. */
export function passwordMistake(
  password: string,
  { username, minLength, isKnown }: PasswordTerms,
): Message | undefined {
  if (!password.isWellFormed()) return msg('half_character')
  if (/\p{Cc}/u.test(password)) return msg('control_characters')
  if ([...preparePassword(password)].length < minLength) return msg('password_short', { least: minLength })
  const plain = comparable(password)
  if (plain === comparable(username)) return msg('password_is_name')
  if (isKnown(plain)) return msg('password_known')
  return undefined
}
