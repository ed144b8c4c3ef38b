import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { EventTriggersTable, NewEventTrigger } from '../event-triggers/EventTriggersTable.tsx'
import { NewTrigger, TriggersTable } from './TriggersTable.tsx'
import classes from './triggers.module.css'

/** What starts one job by itself: at times above, on events below. */
export function JobTriggersPane({ jobId }: { jobId: number }) {
  const { t } = useTranslation('triggers')
  // Both have the same keys: those of the list in which the user works count.
  const [worked, setWorked] = useState<'times' | 'events'>('times')
  return (
    <SplitPane id="job-triggers" direction="vertical" initial={0.55} minSize={160}>
      <div className={classes.half} onFocusCapture={() => setWorked('times')}>
        <div className={classes.paneHead}>
          <h2>{t('atTimes')}</h2>
          <NewTrigger jobId={jobId} variant="default" />
        </div>
        <TriggersTable jobId={jobId} quiet={worked !== 'times'} />
      </div>
      <div className={classes.half} onFocusCapture={() => setWorked('events')}>
        <div className={classes.paneHead}>
          <h2>{t('views.events')}</h2>
          <NewEventTrigger jobId={jobId} variant="default" />
        </div>
        <EventTriggersTable jobId={jobId} quiet={worked !== 'events'} />
      </div>
    </SplitPane>
  )
}
