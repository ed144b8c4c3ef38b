import { absoluteTime } from './time.ts'

/** The exact moment with its zone, where it is looked up rather than skimmed: `20 Nov 2026, 18:33:51.120 GMT+1`. */
export function AbsoluteTime({ at, fallback = '–' }: { at: string | null; fallback?: string }) {
  if (at === null) return <span style={{ color: 'var(--hg-text-faint)' }}>{fallback}</span>
  return (
    <time dateTime={at} style={{ whiteSpace: 'nowrap' }}>
      {absoluteTime(new Date(at))}
    </time>
  )
}
