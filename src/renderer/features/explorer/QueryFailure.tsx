import { IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../../api/client.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import classes from './explorer.module.css'
import { causeOf } from './query-failure.rules.ts'

/** Why a query failed: once, in the words of the connected system. */
export function QueryFailure({ error }: { error: Error }) {
  const { t } = useTranslation('explorer')
  const failure = error instanceof ApiFailure ? error : { message: error.message, details: [] }
  const { cause, advice } = causeOf(failure) ?? { cause: null, advice: error.message }
  // The details of what a system says repeat it.
  const more = cause === null ? failure.details.filter(({ message }) => !error.message.includes(message)) : []
  return (
    <div className={classes.cause} role="alert">
      <IconCircleX size={16} aria-hidden />
      <div>
        <b>{t('result.failed')}</b>
        {cause === null ? null : <p className={classes.causeText}>{cause}</p>}
        {advice ? (
          <p>
            <CodeWords text={advice} />
          </p>
        ) : null}
        {more.map(({ message }) => (
          <p key={message} className={classes.causeText}>
            {message}
          </p>
        ))}
      </div>
    </div>
  )
}
