/** What somebody has typed as his second factor. */
export type TypedCode = { kind: 'totp' | 'recovery'; code: string } | undefined

/** Letters and digits that are not mistaken for each other (Crockford's base 32). */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const CODE_LENGTH = 12
const CODE = new RegExp(`^[${ALPHABET}]{${CODE_LENGTH}}$`)

/** Bytes that `recoveryCode` needs: it uses 60 bits of them. */
export const RECOVERY_CODE_BYTES = 8
export const RECOVERY_CODES = 10

/** `4f7k-9x2m-c0vd`, from random bytes in hexadecimal. */
export function recoveryCode(hex: string): string {
  const bits = BigInt(`0x${hex}`)
  const letters = Array.from({ length: CODE_LENGTH }, (_, i) => ALPHABET[Number((bits >> BigInt(5 * i)) & 31n)])
  return letters.join('').replaceAll(/(.{4})(?=.)/g, '$1-')
}

/** However it is typed: with spaces or dashes, in capitals, `O` for `0`; what is kept of a recovery code is its bare form. */
export function typedCode(text: string): TypedCode {
  const bare = text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '')
  if (/^\d{6}$/.test(bare)) return { kind: 'totp', code: bare }
  const code = bare.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return CODE.test(code) ? { kind: 'recovery', code } : undefined
}
