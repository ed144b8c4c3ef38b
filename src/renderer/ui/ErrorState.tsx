import { Button } from '@mantine/core'
import { IconAlertTriangle, IconLock, IconMapOff, IconPlugConnectedX, type TablerIcon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ApiFailure } from '../api/client.ts'
import classes from './EmptyState.module.css'

export interface ErrorStateProps {
  error: Error
  onRetry?: () => void
  compact?: boolean
}

const icons: Readonly<Record<string, TablerIcon>> = {
  NETWORK: IconPlugConnectedX,
  FORBIDDEN: IconLock,
  NOT_FOUND: IconMapOff,
}

/** The sentence for people: what is wrong and what to do. */
export function useErrorText(): (error: Error) => { title: string; text: string } {
  const { t } = useTranslation()
  return (error) => {
    if (error instanceof ApiFailure) {
      if (error.code === 'NETWORK') return { title: t('error.title'), text: t('error.network') }
      if (error.code === 'NOT_FOUND') return { title: t('error.notFoundTitle'), text: t('error.notFound') }
      if (error.code === 'FORBIDDEN') return { title: t('error.forbiddenTitle'), text: t('error.forbidden') }
      if (error.retryAfter) {
        return {
          title: t('error.title'),
          text: `${error.message} ${t('error.retryAfter', { count: error.retryAfter })}`,
        }
      }
    }
    return { title: t('error.title'), text: error.message }
  }
}

/** What failed, why, and the way on. Stands where the content would be, so that its neighbours stay usable. */
export function ErrorState({ error, onRetry, compact }: ErrorStateProps) {
  const { t } = useTranslation()
  const { title, text } = useErrorText()(error)
  const failure = error instanceof ApiFailure ? error : undefined
  const Icon = icons[failure?.code ?? ''] ?? IconAlertTriangle
  return (
    <div className={classes.empty} data-compact={compact || undefined} role="alert">
      <Icon size={compact ? 20 : 28} stroke={1.5} aria-hidden className={classes.icon} data-tone="failed" />
      <div className={classes.title}>{title}</div>
      <div className={classes.text}>{text}</div>
      {failure && failure.details.length > 0 ? (
        <ul className={classes.details}>
          {failure.details.slice(0, 8).map((detail) => (
            <li key={`${detail.path} ${detail.message}`}>
              <code>{detail.path}</code> {detail.message}
              {detail.line ? ` (${t('error.where', { line: detail.line, column: detail.column ?? 1 })})` : null}
            </li>
          ))}
        </ul>
      ) : null}
      {failure?.request_id && failure.status >= 500 ? (
        <div className={classes.small}>{t('error.requestId', { id: failure.request_id })}</div>
      ) : null}
      {onRetry && failure?.code !== 'FORBIDDEN' && failure?.code !== 'NOT_FOUND' ? (
        <div className={classes.action}>
          <Button variant="default" onClick={onRetry}>
            {t('error.retry')}
          </Button>
        </div>
      ) : null}
    </div>
  )
}
