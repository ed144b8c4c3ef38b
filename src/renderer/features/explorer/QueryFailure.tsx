import { IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../../api/client.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { Failure } from '../../ui/Failure.tsx'
import classes from './explorer.module.css'
import { causeOf } from './query-failure.rules.ts'

/** Why a query failed: once, in the words of the connected system. */
export function QueryFailure({ error }: { error: Error }) {
  const { t } = useTranslation('explorer')
  const failure = error instanceof ApiFailure ? error : { message: error.message, details: [] }
  const found = causeOf(failure)
  // The details of what a system says repeat it.
  const details = failure.details.filter(({ message }) => !error.message.includes(message))
  if (!found) return <Failure failure={{ message: error.message, details }} />
  return (
    <div className={classes.cause} role="alert">
      <IconCircleX size={16} aria-hidden />
      <div>
        <b>{t('result.failed')}</b>
        <p className={classes.causeText}>{found.cause}</p>
        {found.advice ? (
          <p>
            <CodeWords text={found.advice} />
          </p>
        ) : null}
      </div>
    </div>
  )
}
