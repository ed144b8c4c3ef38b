import { Button } from '@mantine/core'
import { IconPlayerPause } from '@tabler/icons-react'
import { Trans, useTranslation } from 'react-i18next'
import { useLocation } from 'react-router'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import classes from '../shell/Shell.module.css'
import { concernsSchedules } from './scheduler-pages.ts'
import { useScheduler } from './use-scheduler.ts'

/** Says on pages that speak of schedules that none of them fires, and since when. */
export function SchedulerBanner() {
  const { t } = useTranslation('shell')
  const { pathname, search } = useLocation()
  const { scheduler, set, busy, may } = useScheduler()
  if (!scheduler?.paused || !concernsSchedules(pathname, search)) return null
  return (
    <div className={classes.banner} data-tone="paused" role="status">
      <IconPlayerPause size={15} aria-hidden />
      <b>
        <Trans
          t={t}
          i18nKey={scheduler.paused_by === null ? 'scheduler.since' : 'scheduler.sinceBy'}
          values={{ name: scheduler.paused_by }}
          components={{ at: <RelativeTime at={scheduler.paused_at} /> }}
        />
      </b>
      <span>{t('scheduler.text')}</span>
      {may ? (
        <Button size="compact-xs" variant="default" loading={busy} onClick={() => set(false)}>
          {t('scheduler.resume')}
        </Button>
      ) : null}
    </div>
  )
}
