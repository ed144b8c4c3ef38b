import { useTranslation } from 'react-i18next'
import { useFastNow } from './ticker.ts'
import { durationText } from './time.ts'
import { numberText } from './format.ts'

export interface DurationProps {
  /** Milliseconds; null or undefined when it is not known. */
  ms?: number | null
  /** Of something under way: counts from here, live. */
  since?: string | null
}

export function Duration({ ms, since }: DurationProps) {
  const { t } = useTranslation()
  const running = (ms === null || ms === undefined) && Boolean(since)
  const now = useFastNow(running)
  const value = running && since ? Math.max(0, now - Date.parse(since)) : ms
  if (value === null || value === undefined) {
    return <span style={{ color: 'var(--hg-text-faint)' }}>{t('duration.none')}</span>
  }
  return (
    <span style={{ whiteSpace: 'nowrap' }} title={`${numberText(value)} ms`}>
      {durationText(value)}
    </span>
  )
}
