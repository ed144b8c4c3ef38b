import './input-styles.ts'
import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import type { DashboardFilter, FilterValue, FilterWidget } from '../../../language/dashboard/dashboard.types.ts'
import { FilterBar } from '../dashboards/FilterBar.tsx'
import { FilterField } from '../dashboards/FilterField.tsx'
import { PlainWidget } from '../dashboards/WidgetFrame.tsx'
import { useFilterText } from '../dashboards/filter-text.ts'
import { useSpanText } from '../dashboards/span-text.ts'
import { filtersOfBar, valueOf } from '../dashboards/dashboard-choice.rules.ts'
import { useViewing } from '../dashboards/dashboard-source.ts'
import classes from './PublicDashboardPage.module.css'

export interface FilterPart {
  locked: boolean
  onFilter(name: string, value: FilterValue): void
}

function Value({ name, filter }: { name: string; filter: DashboardFilter }) {
  const { choice } = useViewing()
  const text = useFilterText()
  return (
    <div>
      <dt>{filter.label ?? name}</dt>
      <dd>{text(filter, valueOf(name, filter, choice))}</dd>
    </div>
  )
}

/** What the rows are narrowed to, where viewers can't change it. */
function LockedFilters({ view }: { view: DashboardView }) {
  const { t } = useTranslation('publicPage')
  const { t: word } = useTranslation('dashboards')
  const spanText = useSpanText()
  const { time_window: window } = view
  return (
    <section aria-label={t('filters')}>
      <dl className={classes.locked}>
        {window ? (
          <div>
            <dt>{word('window.label')}</dt>
            <dd>{word('window.last', { span: spanText(window.default_ms) })}</dd>
          </div>
        ) : null}
        {filtersOfBar(view).map(([name, filter]) => (
          <Value key={name} name={name} filter={filter} />
        ))}
      </dl>
    </section>
  )
}

interface PublicFilterBarProps extends FilterPart {
  view: DashboardView
  onWindow(lastMs: number | null): void
  onClear(): void
}

export function PublicFilterBar({ view, locked, onFilter, onWindow, onClear }: PublicFilterBarProps) {
  const { choice } = useViewing()
  if (locked) return <LockedFilters view={view} />
  return <FilterBar view={view} choice={choice} onFilter={onFilter} onWindow={onWindow} onClear={onClear} />
}

/** A filter on the grid. */
export function PublicFilter({ widget, locked, onFilter }: { widget: FilterWidget } & FilterPart) {
  const { filters, choice } = useViewing()
  const { filter: name } = widget
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (!filter) return null
  return (
    <PlainWidget widget={widget}>
      {locked ? (
        <dl className={classes.value}>
          <Value name={name} filter={filter} />
        </dl>
      ) : (
        <FilterField
          name={name}
          filter={filter}
          value={valueOf(name, filter, choice)}
          choice={choice}
          onChange={(value) => onFilter(name, value)}
        />
      )}
    </PlainWidget>
  )
}
