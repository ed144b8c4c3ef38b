import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import type { DashboardFilter, FilterValue } from '../../../language/dashboard/dashboard.types.ts'
import { dateRangeText, dateText, numberText } from '../../ui/format.ts'
import { type Choice, filtersOfBar, valueOf } from './dashboard-choice.rules.ts'
import classes from './KioskPage.module.css'
import { useSpanText } from './span-text.ts'

/** What a filter is set to, as words. */
export function useFilterText() {
  const { t } = useTranslation('dashboards')
  return (filter: DashboardFilter, value: FilterValue): string => {
    const options = 'options' in filter ? (filter.options ?? []) : []
    const one = (text: string | number) => {
      if (typeof text === 'number') return numberText(text)
      if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return dateText(new Date(`${text}T00:00`), 'day')
      return options.find((option) => option.value === text)?.label ?? text
    }
    if (value === null || value === '') return t('filters.any')
    if (Array.isArray(value)) return value.length === 0 ? t('filters.any') : value.map(one).join(', ')
    if (typeof value !== 'object') return one(value)
    const [from, to] = [value.from ?? null, value.to ?? null]
    if (from !== null && to !== null) return `${one(from)} – ${one(to)}`
    if (from !== null) return t('filters.atLeast', { value: one(from) })
    return to === null ? t('filters.any') : t('filters.atMost', { value: one(to) })
  }
}

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
