import { orDash } from './nothing.tsx'
import { useFastNow } from './ticker.ts'
import { durationText } from './time.ts'
import { numberText } from './format.ts'

export interface DurationProps {
  /** Milliseconds; null or undefined when it is not known. */
  ms?: number | null
  /** Of something under way: counts from here, live. */
  since?: string | null
  /** Milliseconds that it had taken before `since`. */
  before?: number
}

export function Duration({ ms, since, before = 0 }: DurationProps) {
  const running = (ms === null || ms === undefined) && Boolean(since)
  const now = useFastNow(running)
  const value = running && since ? before + Math.max(0, now - Date.parse(since)) : ms
  if (value === null || value === undefined) return orDash(null)
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={`${numberText(value)} ms`}>
      {durationText(value)}
    </span>
  )
}
