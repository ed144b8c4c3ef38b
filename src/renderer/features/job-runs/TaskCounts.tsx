import { useTranslation } from 'react-i18next'
import type { JobRun } from '../../../contract/job-runs.ts'
import { statusColor, statusLooks } from '../../ui/status.ts'
import classes from './TaskCounts.module.css'
import { countOrder, nodeLook } from './node-status.ts'
import { numberText } from '../../ui/format.ts'
import { orDash } from '../../ui/nothing.tsx'

/** How many tasks stand how: an icon and a number each, what needs somebody first. */
export function TaskCounts({ counts }: { counts: JobRun['task_counts'] }) {
  const { t } = useTranslation('jobRuns')
  const shown = countOrder.filter((status) => (counts[status] ?? 0) > 0)
  if (shown.length === 0) return orDash(null)
  return (
    <span className={classes.counts}>
      {shown.map((status) => {
        const look = nodeLook(status)
        const { icon: Icon } = statusLooks[look]
        const word = t(`nodeStatus.${status}`)
        const count = numberText(counts[status] ?? 0)
        return (
          <span key={status} className={classes.count} title={`${count} × ${word}`}>
            <Icon size={13} stroke={2} aria-hidden style={{ color: statusColor(look) }} />
            {count}
            <span className={classes.hidden}> {word}</span>
          </span>
        )
      })}
    </span>
  )
}
