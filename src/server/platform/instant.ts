import { msg } from '../../contract/messages.ts'
import { invalid } from './refusal.ts'

/** A time as the store writes it; times of requests come with any offset and precision. */
export function instant(text: string, path: string): string
export function instant(text: string | undefined, path: string): string | undefined
export function instant(text: string | undefined, path: string): string | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  // The format also admits leap seconds, which Date does not know.
  if (Number.isNaN(date.getTime())) invalid([{ path, ...msg('not_a_time') }])
  return date.toISOString()
}
