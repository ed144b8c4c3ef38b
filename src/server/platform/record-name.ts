import { invalid } from './refusal.ts'

/** A record's name as it is kept: trimmed, not empty, without control characters. */
export function recordName(given: string, path = 'body.name'): string {
  const name = given.trim()
  if (name === '') invalid([{ path, message: 'must not be empty' }])
  if (/\p{Cc}/u.test(name)) invalid([{ path, message: 'must not hold control characters' }])
  return name
}
