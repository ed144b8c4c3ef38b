import { dateText } from './format.ts'
import { orDash } from './nothing.tsx'
import { absoluteTime } from './time.ts'

const isThisYear = (moment: Date) => moment.getFullYear() === new Date().getFullYear()

/**
 * When something happened, where it is read rather than skimmed: `20 Nov 2026, 18:33 GMT+1`, without loss on hover. Where it
 * is looked up (`exact`), that is what stands there: `20 Nov 2026, 18:33:51.120 GMT+1`. Beside others like it the `seconds`
 * tell them apart, `full` in a comparison: `20 Nov 2026, 18:33:51 GMT+1`, `brief` in a list: `20 Nov, 18:33:51`. Where the year
 * is another one, it takes their place there: `20 Nov 2025, 18:33`.
 */
export function AbsoluteTime({ at, exact, seconds }: { at: string | null; exact?: true; seconds?: 'full' | 'brief' }) {
  if (at === null) return orDash(null)
  const moment = new Date(at)
  const brief = isThisYear(moment) ? 'shortSeconds' : 'moment'
  const look = seconds === 'brief' ? brief : seconds ? 'secondsInZone' : 'momentInZone'
  return (
    <time dateTime={at} title={absoluteTime(moment)} style={{ whiteSpace: 'nowrap' }}>
      {exact ? absoluteTime(moment) : dateText(moment, look)}
    </time>
  )
}
