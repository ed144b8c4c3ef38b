import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listTriggers } from '../../../contract/triggers.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import classes from './home.module.css'

const shown = 8

/** What is next: each trigger with its next firing, soonest first. */
export function NextFirings() {
  const { t } = useTranslation('home')
  const triggers = useOperation(listTriggers, { query: { enabled: true, sort: 'next_fire_at', limit: shown } })
  const rows = (triggers.data?.result ?? []).filter((trigger) => trigger.next_fire_at !== null)
  return (
    <section className={classes.section}>
      <div className={classes.head}>
        <h2>{t('next.title')}</h2>
        <Link to={paths.triggers()}>{t('next.all')}</Link>
      </div>
      {triggers.error && !triggers.data ? (
        <ErrorState compact error={triggers.error} onRetry={() => void triggers.refetch()} />
      ) : null}
      {triggers.data && rows.length === 0 ? <p className={classes.calm}>{t('next.none')}</p> : null}
      <ul className={classes.list}>
        {rows.map((trigger) => (
          <li key={trigger.id}>
            <Link
              className={classes.grow}
              to={paths.job(trigger.job_id, { tab: 'triggers' })}
              title={trigger.task_key ? `${trigger.job_name} · ${trigger.task_key}` : trigger.job_name}
            >
              {trigger.job_name}
              {trigger.task_key ? <span className={classes.part}> · {trigger.task_key}</span> : null}
            </Link>
            <span className={classes.part}>
              <RelativeTime at={trigger.next_fire_at} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
