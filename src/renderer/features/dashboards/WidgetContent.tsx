import type { DashboardDetail } from '../../../contract/dashboards.ts'
import type { FilterValue, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { ChartWidgetView } from './ChartWidgetView.tsx'
import { FilterField } from './FilterField.tsx'
import { FormView, MappingView, RunButtonView } from './FormWidgets.tsx'
import { KpiView } from './KpiView.tsx'
import { LogView } from './LogView.tsx'
import { RunListView, RunStatusView } from './RunWidgets.tsx'
import { TableWidgetView } from './TableWidgetView.tsx'
import { TextWidgetView } from './TextWidgetView.tsx'
import { DataWidget, PlainWidget } from './WidgetFrame.tsx'
import { valueOf } from './dashboard-choice.rules.ts'
import { useViewing } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import { useFilterText } from './filter-text.ts'

interface WidgetContentProps {
  widget: Widget
  /** null: one that is not saved, so that nothing is kept or started. */
  dashboard: DashboardDetail | null
  onFilter(name: string, value: FilterValue): void
}

/** A widget for people who are signed in. */
export function WidgetContent({ widget, dashboard, onFilter }: WidgetContentProps) {
  switch (widget.type) {
    case 'kpi':
      return <DataWidget widget={widget}>{(data) => <KpiView widget={widget} data={data} />}</DataWidget>
    case 'chart':
      return <ChartWidgetView widget={widget} />
    case 'table':
      return <TableWidgetView widget={widget} />
    case 'text':
      return <TextWidgetView widget={widget} />
    case 'filter':
      return <FilterView widget={widget} onFilter={onFilter} />
    case 'form':
      return <FormView widget={widget} />
    case 'field_mapping':
      return <MappingView widget={widget} dashboard={dashboard} />
    case 'run_button':
      return <RunButtonView widget={widget} dashboard={dashboard} />
    case 'run_status':
      return <RunStatusView widget={widget} />
    case 'run_list':
      return <RunListView widget={widget} />
    case 'log':
      return <LogView widget={widget} />
  }
}

function FilterView({
  widget,
  onFilter,
}: {
  widget: Extract<Widget, { type: 'filter' }>
  onFilter: WidgetContentProps['onFilter']
}) {
  const { filters, choice, wall } = useViewing()
  const text = useFilterText()
  const filter = Object.hasOwn(filters, widget.filter) ? filters[widget.filter] : undefined
  return (
    <PlainWidget widget={widget}>
      {filter && wall ? (
        <>
          <div className={classes.label}>{filter.label ?? widget.filter}</div>
          {text(filter, valueOf(widget.filter, filter, choice))}
        </>
      ) : filter ? (
        <FilterField
          name={widget.filter}
          filter={filter}
          value={valueOf(widget.filter, filter, choice)}
          choice={choice}
          onChange={(value) => onFilter(widget.filter, value)}
        />
      ) : null}
    </PlainWidget>
  )
}
