/** What can be said of a new password while it is typed. The server says the last word: it also knows the known ones. Pure. */

export interface PasswordRule {
  id: 'length' | 'username'
  met: boolean
}

const comparable = (text: string) => text.trim().normalize('NFKC').toLowerCase()

export function passwordRules(password: string, terms: { minLength: number; username: string }): PasswordRule[] {
  const rules: PasswordRule[] = [{ id: 'length', met: [...password.normalize('NFC')].length >= terms.minLength }]
  const name = comparable(terms.username)
  // A name too short to be a password needs no rule of its own.
  if ([...name].length >= terms.minLength) {
    rules.push({ id: 'username', met: password !== '' && comparable(password) !== name })
  }
  return rules
}

const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789'
const groupSize = 5

/**
 * A password that can be read out: groups of letters and digits that are not mistaken for each other. Four groups are 98 bits;
 * more where a longer one is wanted.
 */
export function generatedPassword(random: (count: number) => Uint8Array, minLength = 0): string {
  const groups = Math.max(4, Math.ceil((minLength + 1) / (groupSize + 1)))
  // What does not divide evenly is thrown away, so that every sign is as likely.
  const fair = Math.floor(256 / alphabet.length) * alphabet.length
  let signs = ''
  while (signs.length < groups * groupSize) {
    for (const byte of random(64)) if (byte < fair) signs += alphabet.charAt(byte % alphabet.length)
  }
  return Array.from({ length: groups }, (_, at) => signs.slice(at * groupSize, (at + 1) * groupSize)).join('-')
}
