import { dateText } from './format.ts'
import { orDash } from './nothing.tsx'
import { absoluteTime } from './time.ts'

/**
 * When something happened, where it is read rather than skimmed: `20 Nov 2026, 18:33 GMT+1`, without loss on hover. Where it
 * is looked up (`exact`), that is what stands there: `20 Nov 2026, 18:33:51.120 GMT+1`.
 */
export function AbsoluteTime({ at, exact }: { at: string | null; exact?: true }) {
  if (at === null) return orDash(null)
  const moment = new Date(at)
  return (
    <time dateTime={at} title={absoluteTime(moment)} style={{ whiteSpace: 'nowrap' }}>
      {exact ? absoluteTime(moment) : dateText(moment, 'momentInZone')}
    </time>
  )
}
