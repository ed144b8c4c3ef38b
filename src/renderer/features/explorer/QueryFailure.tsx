import { IconCircleX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../../api/client.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import classes from './explorer.module.css'
import { causeOf } from './query-failure.rules.ts'

/** Columns that the tables of the query have. */
export type Instead = readonly { table: string; columns: readonly string[] }[]

const none: Instead = []
const mostColumns = 40
const named = (columns: readonly string[]) =>
  columns
    .slice(0, mostColumns)
    .map((column) => `\`${column}\``)
    .join(', ') + (columns.length > mostColumns ? ', …' : '')

/** Why a query failed: once, in the words of the connected system. */
export function QueryFailure({ error, instead = none }: { error: Error; instead?: Instead }) {
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
        {instead.map(({ table, columns }) => (
          <p key={table}>
            <CodeWords text={t('result.columnsOf', { table, columns: named(columns) })} />
          </p>
        ))}
        {advice && instead.length === 0 ? (
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
