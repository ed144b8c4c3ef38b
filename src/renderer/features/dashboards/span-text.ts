import { useTranslation } from 'react-i18next'
import { durationText } from '../../ui/time.ts'

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** A length of time in words, in the largest unit that it is a multiple of. */
export function useSpanText(): (ms: number) => string {
  const { t } = useTranslation('dashboards')
  return (ms) => {
    if (ms % day === 0) return t('window.days', { count: ms / day })
    if (ms % hour === 0) return t('window.hours', { count: ms / hour })
    if (ms % minute === 0) return t('window.minutes', { count: ms / minute })
    return ms % second === 0 ? t('window.seconds', { count: ms / second }) : durationText(ms)
  }
}
