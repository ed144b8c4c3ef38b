import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import { dateRangeText } from '../../ui/format.ts'
import { type Choice, filtersOfBar, valueOf } from './dashboard-choice.rules.ts'
import classes from './KioskPage.module.css'
import { useFilterText } from './filter-text.ts'
import { useSpanText } from './span-text.ts'

/** What the dashboard is filtered by, in a line: nobody sits at a wall to change it. */
export function WallFilters({ view, choice }: { view: DashboardView; choice: Choice }) {
  const { t } = useTranslation('dashboards')
  const spanText = useSpanText()
  const text = useFilterText()
  const shown = filtersOfBar(view).map(([name, filter]) => ({
    name,
    label: filter.label ?? name,
    value: text(filter, valueOf(name, filter, choice)),
  }))
  const { time_window: window } = view
  if (!window && shown.length === 0) return null
  const chosen = choice.time_window
  const period =
    chosen && 'from' in chosen
      ? dateRangeText(new Date(chosen.from), new Date(chosen.to), 'shortMoment')
      : window && t('window.last', { span: spanText(chosen?.last_ms ?? window.default_ms) })
  return (
    <dl className={classes.filters} aria-label={t('filters.label')}>
      {window ? (
        <div>
          <dt>{t('window.label')}</dt>
          <dd>{period}</dd>
        </div>
      ) : null}
      {shown.map(({ name, label, value }) => (
        <div key={name}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
