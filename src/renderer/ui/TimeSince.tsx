import { useTranslation } from 'react-i18next'
import { useNow } from './ticker.ts'
import { absoluteTime, spanText } from './time.ts'

/** `for 3 min`: how long something has been as it is, with the moment at which that began on hover. */
export function TimeSince({ at }: { at: string }) {
  const { t } = useTranslation()
  const moment = new Date(at)
  const span = spanText(moment, new Date(useNow()))
  return (
    <time dateTime={at} title={absoluteTime(moment)} style={{ whiteSpace: 'nowrap' }}>
      {t('time.for', { span })}
    </time>
  )
}
