import { Button } from '@mantine/core'
import { IconHourglass } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listExecutors } from '../../../contract/executors.ts'
import type { Run } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { useNow } from '../../ui/ticker.ts'
import classes from './RunPage.module.css'
import { waitingFor } from './waiting.ts'

/** Why a queued run waits. */
export function WaitingBanner({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const now = useNow()
  const executors = useOperation(listExecutors, {}, { enabled: run.status === 'pending' })
  const waiting = waitingFor(run, executors.data ?? [], now)
  if (run.status !== 'pending' || !waiting || !executors.data) return null
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
