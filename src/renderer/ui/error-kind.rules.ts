/** What kind of failure somebody has before him: it decides the words, the sign and the way on. Pure. */

export const errorKinds = [
  'offline',
  'signedOut',
  'forbidden',
  'notFound',
  'changed',
  'tooLarge',
  'tooMany',
  'serverFault',
  'unavailable',
  'other',
] as const
export type ErrorKind = (typeof errorKinds)[number]

/** How it goes on: ask again, load what is there now, go back to where one came from, go home. */
export type WayOn = 'retry' | 'reload' | 'back' | 'home'

const byCode: Readonly<Record<string, ErrorKind>> = {
  NETWORK: 'offline',
  AUTH_ERROR: 'signedOut',
  FORBIDDEN: 'forbidden',
  NOT_FOUND: 'notFound',
  CONFLICT: 'changed',
  PAYLOAD_TOO_LARGE: 'tooLarge',
  RATE_LIMITED: 'tooMany',
  INTERNAL_ERROR: 'serverFault',
  BAD_ANSWER: 'serverFault',
  UNAVAILABLE: 'unavailable',
  TIMEOUT: 'unavailable',
}
const byStatus: Readonly<Record<number, ErrorKind>> = {
  401: 'signedOut',
  403: 'forbidden',
  404: 'notFound',
  409: 'changed',
  412: 'changed',
  413: 'tooLarge',
  429: 'tooMany',
  503: 'unavailable',
  504: 'unavailable',
}

/** By its code, else by its status: what stands between window and server (a proxy) knows only that. */
export function errorKindOf({ code, status }: { code: string; status: number }): ErrorKind {
  const known = code === 'BAD_ANSWER' ? byStatus[status] : byCode[code]
  return (
    known ?? byCode[code] ?? byStatus[status] ?? (status >= 500 && code !== 'CONNECTOR_ERROR' ? 'serverFault' : 'other')
  )
}

const waysOn: Partial<Record<ErrorKind, WayOn>> = { notFound: 'back', forbidden: 'home', changed: 'reload' }

/** Nothing broke: there is no such record, or it is not for everybody. Its sign is not red. */
const harmless: ReadonlySet<ErrorKind> = new Set(['notFound', 'forbidden', 'signedOut'])
export const isFault = (kind: ErrorKind) => !harmless.has(kind)

export const wayOnOf = (kind: ErrorKind): WayOn => waysOn[kind] ?? 'retry'
