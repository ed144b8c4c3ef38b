import { Button } from '@mantine/core'
import { IconAlertOctagon, IconHourglass } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listExecutors } from '../../../contract/executors.ts'
import type { Run } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { RunErrorLink } from '../../ui/HelpLink.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useNow } from '../../ui/ticker.ts'
import classes from './RunPage.module.css'
import { waitingFor } from './waiting.ts'
import { translateError } from '../../i18n/translate.ts'

function WaitingBanner({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const now = useNow()
  const executors = useOperation(listExecutors)
  const waiting = waitingFor(run, executors.data ?? [], now)
  if (!waiting || !executors.data) return null
  const text =
    waiting.reason === 'backoff'
      ? t('waiting.backoff', { attempt: run.attempt + 1, max: run.max_attempts })
      : waiting.reason === 'busy'
        ? t('waiting.busy', { slots: waiting.slots })
        : t(`waiting.${waiting.reason}`)
  return (
    <div className={classes.banner} role="status">
      <IconHourglass size={16} aria-hidden />
      <div className={classes.bannerText}>
        <b>{t('waiting.title')}</b> {text} {waiting.reason === 'backoff' ? <RelativeTime at={waiting.at} /> : null}
      </div>
      {waiting.reason === 'none' || waiting.reason === 'draining' ? (
        <Button component={Link} to={paths.executors()} variant="default" size="compact-xs">
          {t('waiting.executors')}
        </Button>
      ) : null}
    </div>
  )
}

/** What stands in the way: why a queued run waits, or why a run failed. */
export function RunBanner({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  if (run.status === 'pending') return <WaitingBanner run={run} />
  if (run.error_message === null) return null
  return (
    <div className={classes.banner} data-tone="failed" role="status">
      <IconAlertOctagon size={16} aria-hidden />
      <div className={classes.bannerText}>
        <b>{t('page.failed')}</b>
        {run.error_code ? (
          <>
            {' '}
            <RunErrorLink code={run.error_code} reason={run.error_params?.['reason']} />
          </>
        ) : null}
        {'\n'}
        <CodeWords text={translateError(run) ?? ''} />
      </div>
    </div>
  )
}
