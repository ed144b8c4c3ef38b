import { generatedPassword } from '../sign-in/password-rules.ts'

/** A password to begin with, from the browser's own source of randomness. */
export const newPassword = (minLength: number) =>
  generatedPassword((count) => crypto.getRandomValues(new Uint8Array(count)), minLength)
