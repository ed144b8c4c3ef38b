import { useTranslation } from 'react-i18next'
import { durationText } from '../../ui/time.ts'

const day = 86_400_000

/** The length of a time window in words. */
export function useSpanText(): (ms: number) => string {
  const { t } = useTranslation('dashboards')
  return (ms) => (ms % day === 0 ? t('window.days', { count: ms / day }) : durationText(ms))
}
