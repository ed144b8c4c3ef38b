import { SplitPane } from '../../ui/SplitPane.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { EventTriggersTable, NewEventTrigger } from '../event-triggers/EventTriggersTable.tsx'
import { NewTrigger, TriggersTable } from './TriggersTable.tsx'
import classes from './triggers.module.css'

/** What starts one job by itself: at times above, on events below. */
export function JobTriggersPane({ jobId }: { jobId: number }) {
  return (
    <SplitPane id="job-triggers" direction="vertical" initial={0.55} minSize={160}>
      <div className={classes.half}>
        <Toolbar right={<NewTrigger jobId={jobId} />} />
        <TriggersTable jobId={jobId} />
      </div>
      <div className={classes.half}>
        <Toolbar right={<NewEventTrigger jobId={jobId} />} />
        <EventTriggersTable jobId={jobId} />
      </div>
    </SplitPane>
  )
}
