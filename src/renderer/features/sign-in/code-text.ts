/** Codes of an authenticator app, as people type and paste them. Pure. */
export const codeDigits = 6

/** `123 456` and `123-456` are pasted, too; digits of other scripts mean the same. */
export const onlyDigits = (text: string) => text.normalize('NFKC').replaceAll(/\D/g, '').slice(0, codeDigits)

/** A secret in groups of four, so that it can be typed. */
export const inGroups = (secret: string) => secret.match(/.{1,4}/g)?.join(' ') ?? ''
