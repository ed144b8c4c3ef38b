import { Loader } from '@mantine/core'
import { IconBan, IconTerminal2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { durationText } from '../../ui/time.ts'
import { ApiFailure } from '../../api/client.ts'
import { type Instead, QueryFailure } from './QueryFailure.tsx'
import { Result, type ResultProps } from './Result.tsx'
import classes from './explorer.module.css'
import type { QueryState } from './use-query.ts'

interface ResultPaneProps extends ResultProps {
  state: QueryState
  /** Of a query that failed: columns that its tables have. */
  instead: Instead
}

/** What became of the query: its rows as they are scrolled to, or why there are none. */
export function ResultPane({ state, instead, onRunAgain, ...props }: ResultPaneProps) {
  const { t } = useTranslation('explorer')
  if (state.kind === 'result') return <Result result={state.result} onRunAgain={onRunAgain} {...props} />
  return (
    <div className={classes.result} role="status">
      {state.kind === 'running' ? <Running since={state.since} /> : null}
      {state.kind === 'none' ? (
        <EmptyState icon={IconTerminal2} title={t('result.none')} text={t('result.noneText')} compact />
      ) : null}
      {state.kind === 'canceled' ? (
        <EmptyState icon={IconBan} title={t('result.canceled')} text={t('result.canceledText')} compact />
      ) : null}
      {state.kind === 'failed' ? <Failed error={state.error} instead={instead} onRetry={onRunAgain} /> : null}
    </div>
  )
}

function Failed({ error, instead, onRetry }: { error: Error; instead: Instead; onRetry: () => void }) {
  // What the system said of the query is read beside the query; anything else is a state of the server.
  if (error instanceof ApiFailure && (error.code === 'CONNECTOR_ERROR' || error.status === 400)) {
    return (
      <div className={classes.failed}>
        <QueryFailure error={error} instead={instead} />
      </div>
    )
  }
  return <ErrorState error={error} onRetry={onRetry} compact />
}

function Running({ since }: { since: number }) {
  const { t } = useTranslation('explorer')
  const [now, setNow] = useState(since)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100)
    return () => clearInterval(timer)
  }, [])
  return (
    <div className={classes.running}>
      <Loader size={14} aria-hidden />
      {t('result.running', { time: durationText(Math.max(0, now - since)) })}
    </div>
  )
}
