import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listMetrics } from '../../../contract/metrics.ts'
import { useOperation } from '../../api/queries.ts'
import { translateKept } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { measureText } from '../../ui/quantity.ts'
import { stateLook } from './metric-values.ts'
import classes from './metrics.module.css'
import { orDash } from '../../ui/nothing.tsx'

/** Freshness, and custom metrics that something is wrong with. Nothing where there are none. */
export function CustomStates() {
  const { t } = useTranslation('metrics')
  const { data } = useOperation(listMetrics)
  const shown = (data ?? []).flatMap(({ custom, ...metric }) =>
    custom && (custom.kind === 'freshness' || custom.state === 'violated' || custom.state === 'failing')
      ? [{ ...metric, custom }]
      : [],
  )
  if (shown.length === 0) return null
  const amissFirst = shown.toSorted((a, b) => Number(a.custom.state === 'ok') - Number(b.custom.state === 'ok'))
  return (
    <section className={classes.panel} aria-label={t('custom.states')}>
      <h2>{t('custom.states')}</h2>
      <ul className={classes.states}>
        {amissFirst.map(({ name, unit, custom: { state, value, deadline_at, error_message, error_params } }) => (
          <li key={name}>
            <StatusBadge status={stateLook[state]} label={t(`states.${state}`)} />
            <Link to={paths.customMetrics({ metric: name })}>{name}</Link>
            <b>{orDash(value === null ? null : measureText(value, unit))}</b>
            <span>
              {state === 'violated' && deadline_at !== null ? (
                <>
                  {t('details.due')} <RelativeTime at={deadline_at} />
                </>
              ) : (
                translateKept(error_message, error_params)
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
