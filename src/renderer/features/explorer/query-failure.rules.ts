/** What is shown of a failed query. Pure. */
import type { ErrorDetail } from '../../../contract/errors.ts'

type Mistake = { from: number; to: number; message: string }
type Failed = { message: string; details: readonly Pick<ErrorDetail, 'message' | 'params'>[] }

/** Where the connected system says what is wrong: that alone, as it stands beside its connector, and what to do. null: it doesn’t. */
export function causeOf({ message, details }: Failed): { cause: string; advice: string } | null {
  const [detail] = details
  const cause = detail?.params['cause']
  if (!detail || typeof cause !== 'string' || !message.startsWith(detail.message)) return null
  return { cause, advice: message.slice(detail.message.length).replace(/^[.\s]+/, '') }
}

/** What systems name where a query is wrong, the nearest first. */
const named = [
  /near ["'](.+?)["'](?: at line|:|$)/m,
  /["']([^"']+)["']/,
  /no such \w+: (\S+)/,
  /(?:name|column|function) ([\w.]+)/i,
]

/**
 * Where in the query the mistake is, from 0: the word that the system names, if it stands there once. null: it names none,
 * or it could be several.
 */
export function placeOf(cause: string, query: string): { from: number; to: number } | null {
  const word = named.map((pattern) => pattern.exec(cause)?.[1]).find((found) => found !== undefined)
  if (word === undefined) return null
  const escaped = (word.split('.').at(-1) || word).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const found = [...query.matchAll(new RegExp(`(?<!\\w)${escaped}(?!\\w)`, 'g'))]
  return found.length === 1 && found[0] ? { from: found[0].index, to: found[0].index + found[0][0].length } : null
}

/** The same of an error, with what the system says; null where it says no place. */
export function mistakeOf(error: Error & Partial<Failed>, query: string): Mistake | null {
  const found = causeOf({ message: error.message, details: error.details ?? [] })
  const place = found && placeOf(found.cause, query)
  return place && { ...place, message: found.cause }
}
