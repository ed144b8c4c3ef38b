import { absoluteTime } from '../../ui/time.ts'

/** The moment a job run stands for, to the minute in UTC as expressions see it; the exact one on hover. */
export function LogicalDate({ at, zone = true }: { at: string; zone?: boolean }) {
  const moment = new Date(at)
  const text = Number.isNaN(moment.getTime())
    ? at
    : `${moment.toISOString().slice(0, 16).replace('T', ' ')}${zone ? ' UTC' : ''}`
  return (
    <time dateTime={at} title={absoluteTime(moment)} style={{ whiteSpace: 'nowrap' }}>
      {text}
    </time>
  )
}
