import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import type { DashboardDetail } from '../../../contract/dashboards.ts'
import type { FilterValue, Placement, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { ChartWidgetView } from './ChartWidgetView.tsx'
import { FilterField } from './FilterField.tsx'
import { FormView, MappingView, RunButtonView } from './FormWidgets.tsx'
import { KpiView } from './KpiView.tsx'
import { LogView, RunListView, RunStatusView } from './RunWidgets.tsx'
import { TableWidgetView } from './TableWidgetView.tsx'
import { DataWidget, PlainWidget, titleOf } from './WidgetFrame.tsx'
import { valueOf } from './dashboard-choice.rules.ts'
import { useViewing } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import { MarkdownText } from './markdown-parts.tsx'

interface DashboardGridProps {
  view: DashboardView
  dashboard: DashboardDetail
  onFilter(name: string, value: FilterValue): void
}

interface WidgetViewProps {
  widget: Widget
  /** null: one that is not saved, and whose forms do nothing. */
  dashboard: DashboardDetail | null
  onFilter: DashboardGridProps['onFilter']
}

/** What a widget shows. */
export function WidgetView({ widget, dashboard, onFilter }: WidgetViewProps): ReactNode {
  switch (widget.type) {
    case 'kpi':
      return <DataWidget widget={widget}>{(data) => <KpiView widget={widget} data={data} />}</DataWidget>
    case 'chart':
      return <ChartWidgetView widget={widget} />
    case 'table':
      return <TableWidgetView widget={widget} />
    case 'text':
      return (
        <PlainWidget widget={widget}>
          <div className={classes.markdown}>
            <MarkdownText text={widget.text} />
          </div>
        </PlainWidget>
      )
    case 'filter':
      return <FilterView widget={widget} dashboard={dashboard} onFilter={onFilter} />
    case 'form':
      return <FormView widget={widget} dashboard={dashboard} />
    case 'field_mapping':
      return <MappingView widget={widget} dashboard={dashboard} />
    case 'run_button':
      return <RunButtonView widget={widget} dashboard={dashboard} />
    case 'run_status':
      return <RunStatusView widget={widget} linked />
    case 'run_list':
      return <RunListView widget={widget} linked />
    case 'log':
      return <LogView widget={widget} />
  }
}

function FilterView({
  widget,
  dashboard,
  onFilter,
}: {
  widget: Extract<Widget, { type: 'filter' }>
  dashboard: DashboardDetail | null
  onFilter: DashboardGridProps['onFilter']
}) {
  const { filters, choice } = useViewing()
  const filter = Object.hasOwn(filters, widget.filter) ? filters[widget.filter] : undefined
  return (
    <PlainWidget widget={widget}>
      {filter ? (
        <FilterField
          name={widget.filter}
          filter={filter}
          value={valueOf(widget.filter, filter, choice)}
          choice={choice}
          dashboardId={dashboard?.id ?? null}
          onChange={(value) => onFilter(widget.filter, value)}
        />
      ) : null}
    </PlainWidget>
  )
}

/** Where a widget stands on the grid. */
export const placeOf = ([x, y, w, h]: Placement): CSSProperties =>
  ({
    gridColumn: `${x + 1} / span ${w}`,
    gridRow: `${y + 1} / span ${h}`,
    '--rows': h,
  }) as CSSProperties // a custom property beside those that React knows

/** The widgets at their places on 12 columns; on a narrow screen one below the other. */
export function DashboardGrid({ view, dashboard, onFilter }: DashboardGridProps) {
  const { t } = useTranslation('dashboards')
  return (
    <div className={classes.grid} role="group" aria-label={t('page.widgets')}>
      {view.widgets.map((widget) => {
        return (
          <div
            key={widget.id}
            role="group"
            className={classes.place}
            style={placeOf(widget.at)}
            aria-label={titleOf(widget)}
            data-type={widget.type}
          >
            <WidgetView widget={widget} dashboard={dashboard} onFilter={onFilter} />
          </div>
        )
      })}
    </div>
  )
}
