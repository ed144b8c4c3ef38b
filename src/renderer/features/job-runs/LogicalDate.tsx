import { dateText } from '../../ui/format.ts'
import { absoluteTime } from '../../ui/time.ts'

/** The moment a job run stands for, to the minute on the clocks of its zone; the reader's own time on hover. */
export function LogicalDate({ at, timezone }: { at: string; timezone: string }) {
  const moment = new Date(at)
  return (
    <time dateTime={at} title={`${timezone} · ${absoluteTime(moment)}`} style={{ whiteSpace: 'nowrap' }}>
      {dateText(moment, 'momentInZone', timezone)}
    </time>
  )
}
