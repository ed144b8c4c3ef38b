import { useTranslation } from 'react-i18next'
import { orDash } from './nothing.tsx'
import { useNow } from './ticker.ts'
import { absoluteTime, relativeTime } from './time.ts'

interface RelativeTimeProps {
  at: string | null | undefined
  fallback?: string
  /** It is about the last time: without one, there was none. */
  last?: true
}

/** `3 min ago`, with the exact moment and its zone on hover; where there is none, `fallback`. */
export function RelativeTime({ at, last, fallback }: RelativeTimeProps) {
  const { t } = useTranslation()
  const now = useNow()
  const none = last ? t('time.never') : fallback
  if (!at) return none === undefined ? orDash(null) : <span style={{ color: 'var(--hg-text-faint)' }}>{none}</span>
  const moment = new Date(at)
  // Clocks of two machines differ by a little: what just happened never lies in the future.
  const shown = Math.abs(moment.getTime() - now) < 5000 && moment.getTime() > now ? new Date(now) : moment
  return (
    <time dateTime={at} title={absoluteTime(moment)} style={{ whiteSpace: 'nowrap' }}>
      {relativeTime(shown, new Date(now), t('time.justNow'))}
    </time>
  )
}
