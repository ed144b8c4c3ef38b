import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type RunStatus, listRuns } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import classes from './home.module.css'
import { countText } from '../../ui/format.ts'
import { orDash } from '../../ui/nothing.tsx'

function Count({ status, from }: { status: RunStatus; from?: string }) {
  const runs = useOperation(listRuns, { query: { status: [status], from, limit: 1 } }, { keepPrevious: true })
  const total = runs.data?.total
  return (
    <Link
      to={paths.runs({ status, from })}
      className={classes.count}
      data-zero={total === 0 || undefined}
      title={total === undefined ? runs.error?.message : undefined}
    >
      <b>{orDash(countText(total))}</b>
      <StatusBadge status={status} />
    </Link>
  )
}

const now = ['pending', 'running'] as const
const ended = ['success', 'completed', 'failed', 'cancelled'] as const

/** How many runs are under way, and how those of the last day ended; each number leads to its list. */
export function RunCounts({ from }: { from: string }) {
  const { t } = useTranslation('home')
  return (
    <section className={classes.counts} aria-label={t('counts.label')}>
      <div className={classes.countGroup}>
        <h2>{t('counts.now')}</h2>
        <div className={classes.countLine}>
          {now.map((status) => (
            <Count key={status} status={status} />
          ))}
        </div>
      </div>
      <div className={classes.countGroup}>
        <h2>{t('counts.day')}</h2>
        <div className={classes.countLine}>
          {ended.map((status) => (
            <Count key={status} status={status} from={from} />
          ))}
        </div>
      </div>
    </section>
  )
}
