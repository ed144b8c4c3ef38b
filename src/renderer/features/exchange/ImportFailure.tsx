import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { IconFileAlert, IconPlugConnectedX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ErrorDetail } from '../../../contract/errors.ts'
import { ApiFailure } from '../../api/client.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { useErrorText } from '../../ui/ErrorState.tsx'
import { lineOf } from './bundle-index.ts'
import classes from './exchange.module.css'
import { excerptOf } from './import-state.ts'
import type { Bundle } from './use-bundle.ts'
import { numberText } from '../../ui/format.ts'

const shownDetails = 20

function Where({ bundle, detail }: { bundle: Bundle; detail: ErrorDetail }) {
  const { t } = useTranslation('exchange')
  const { line, column } = detail
  const { index, file } = bundle
  const text = useQuery({
    queryKey: ['bundle-line', file.name, file.lastModified, file.size, line],
    queryFn: async () => (index && line ? ((await lineOf(file, index, line)) ?? '') : ''),
    enabled: index !== null && line !== undefined,
  })
  const excerpt = excerptOf(text.data ?? '', column ?? 1)
  return (
    <li>
      <div>
        <b>
          {line === undefined
            ? detail.path
            : column === undefined
              ? t('failure.line', { line: numberText(line) })
              : t('failure.where', { line: numberText(line), column: numberText(column) })}
        </b>{' '}
        {detail.message}
      </div>
      {excerpt.text ? (
        <pre className={classes.excerpt}>
          {excerpt.text}
          {'\n'}
          {`${' '.repeat(Math.max(0, excerpt.at))}^`}
        </pre>
      ) : null}
    </li>
  )
}

/** The way to the server, or the server itself, gave up on the way. */
function BrokenOff({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const { t } = useTranslation('exchange')
  const { t: word } = useTranslation()
  const { text } = useErrorText({ error, onRetry })
  const away = error instanceof ApiFailure && error.code === 'NETWORK'
  return (
    <div className={classes.failure} role="alert">
      <h2>
        <IconPlugConnectedX size={16} aria-hidden />
        {away ? t('failure.away') : t('failure.other')}
      </h2>
      <p>{away ? t('failure.awayText') : <CodeWords text={text} />}</p>
      <Button variant="default" size="compact-xs" onClick={onRetry}>
        {word('error.retry')}
      </Button>
    </div>
  )
}

/** A bundle that the server did not take: every line that is wrong, as it stands in the file. Nothing was applied. */
export function ImportFailure({ error, bundle, onRetry }: { error: Error; bundle: Bundle; onRetry: () => void }) {
  const { t } = useTranslation('exchange')
  if (!(error instanceof ApiFailure) || error.code !== 'IMPORT_ERROR') {
    return <BrokenOff error={error} onRetry={onRetry} />
  }
  return (
    <div className={classes.failure} role="alert">
      <h2>
        <IconFileAlert size={16} aria-hidden />
        {t('failure.title')}
      </h2>
      {error.details.length === 0 ? <p>{error.message}</p> : null}
      <ul>
        {error.details.slice(0, shownDetails).map((detail) => (
          <Where key={`${detail.path} ${detail.line ?? ''} ${detail.message}`} bundle={bundle} detail={detail} />
        ))}
      </ul>
      {error.details.length > shownDetails ? (
        <p>{t('failure.more', { count: error.details.length - shownDetails })}</p>
      ) : null}
    </div>
  )
}
