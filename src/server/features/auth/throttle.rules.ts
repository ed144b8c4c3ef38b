/** One way of counting failed attempts. */
export interface Net {
  /** What is counted by: what the account and the source have in common is one count. */
  subject: (account: string, source: string) => string
  limit: number
  windowMs: number
  /** A right attempt forgives what was wrong before; otherwise it only does not count itself. */
  forgiving: boolean
}

const MINUTE = 60_000
const byAccount = (kind: string) => (account: string) => `${kind}:${account}`
const bySource = (kind: string) => (_: string, source: string) => `${kind}:${source}`

/** Wrong passwords. One account from one place is strict; the wider nets stop spreading over either. */
export const signInNets = {
  pair: {
    subject: (account, source) => `pair:${account}\n${source}`,
    limit: 10,
    windowMs: 15 * MINUTE,
    forgiving: true,
  },
  account: { subject: byAccount('account'), limit: 100, windowMs: 15 * MINUTE, forgiving: false },
  source: { subject: bySource('source'), limit: 100, windowMs: 15 * MINUTE, forgiving: false },
} as const satisfies Record<string, Net>

/**
 * Wrong codes. Three of a million codes are right at a time, and only who knows the password may try: few tries do, and over
 * days, too, they must not add up.
 */
export const codeNets = {
  account: { subject: byAccount('code-account'), limit: 5, windowMs: 15 * MINUTE, forgiving: true },
  day: { subject: byAccount('code-day'), limit: 50, windowMs: 24 * 60 * MINUTE, forgiving: false },
  source: { subject: bySource('code-source'), limit: 50, windowMs: 15 * MINUTE, forgiving: false },
} as const satisfies Record<string, Net>

const all: readonly Net[] = [...Object.values(signInNets), ...Object.values(codeNets)]
/** Counts older than this say nothing any more. */
export const LONGEST_WINDOW_MS = Math.max(...all.map(({ windowMs }) => windowMs))

export interface FailureCount {
  failures: number
  window_started_at: string
}

/** The count as it stands now: a window that has passed begins anew; so does one that a clock which was wrong has begun far ahead. */
export function currentCount(
  count: FailureCount | undefined,
  { windowMs }: Pick<Net, 'windowMs'>,
  now: Date,
): FailureCount {
  if (count && Math.abs(now.getTime() - Date.parse(count.window_started_at)) < windowMs) return count
  return { failures: 0, window_started_at: now.toISOString() }
}

/** Seconds until the next try is allowed; 0: now. */
export function waitSeconds(
  count: FailureCount,
  { limit, windowMs }: Pick<Net, 'limit' | 'windowMs'>,
  now: Date,
): number {
  if (count.failures < limit) return 0
  return Math.max(1, Math.ceil((Date.parse(count.window_started_at) + windowMs - now.getTime()) / 1000))
}
