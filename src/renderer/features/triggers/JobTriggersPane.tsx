import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EventTriggers } from './EventTriggers.tsx'
import { TimedTriggers } from './TimedTriggers.tsx'
import { NewTrigger } from './TriggersList.tsx'
import classes from './triggers.module.css'

/** What starts one job: at times above, on events below. */
export function JobTriggersPane({ jobId }: { jobId: number }) {
  const { t } = useTranslation('triggers')
  // Both have the same keys: those of the list in which the user works count.
  const [worked, setWorked] = useState<'times' | 'events'>('times')
  return (
    <>
      <div className={classes.half} onFocusCapture={() => setWorked('times')}>
        <div className={classes.paneHead}>
          <h2>{t('atTimes')}</h2>
          <NewTrigger jobId={jobId} variant="default" />
        </div>
        <TimedTriggers jobId={jobId} quiet={worked !== 'times'} />
      </div>
      <div className={classes.half} onFocusCapture={() => setWorked('events')}>
        <div className={classes.paneHead}>
          <h2>{t('views.events')}</h2>
        </div>
        <EventTriggers jobId={jobId} quiet={worked !== 'events'} />
      </div>
    </>
  )
}
