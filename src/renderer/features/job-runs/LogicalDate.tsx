import { absoluteTime } from '../../ui/time.ts'

/** The moment a job run stands for, to the minute on the clocks of its zone, as expressions see it; the reader's own time on hover. */
export function LogicalDate({ at, timezone }: { at: string; timezone: string }) {
  const moment = new Date(at)
  const text = Number.isNaN(moment.getTime()) ? at : `${local(moment, timezone)} ${shortZone(moment, timezone)}`
  return (
    <time dateTime={at} title={`${timezone} · ${absoluteTime(moment)}`} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  )
}

/** `2026-03-01 00:00`: the form that tasks see, in every language. */
const local = (moment: Date, timeZone: string) =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(moment)

/** `UTC`, `GMT+1`. */
function shortZone(moment: Date, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'shortOffset' }).formatToParts(moment)
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
  return /^GMT(\+0)?$/.test(name) ? 'UTC' : name
}
