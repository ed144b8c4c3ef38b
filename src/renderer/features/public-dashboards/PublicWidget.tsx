import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { latePart } from '../../ui/lazy-part.ts'
import { ChartWidgetView } from '../dashboards/ChartWidgetView.tsx'
import { KpiView } from '../dashboards/KpiView.tsx'
import { RunListView, RunStatusView } from '../dashboards/RunWidgets.tsx'
import { DataWidget } from '../dashboards/WidgetFrame.tsx'
import type { FilterPart } from './PublicFilters.tsx'

const TableWidgetView = latePart(async () => (await import('./PublicTable.tsx')).PublicTable)
const TextWidgetView = latePart(async () => (await import('../dashboards/TextWidgetView.tsx')).TextWidgetView)
const PublicFilter = latePart(async () => (await import('./PublicFilters.tsx')).PublicFilter)

/** What a link shows. The server sends no others. */
export function PublicWidget({ widget, ...part }: { widget: Widget } & FilterPart) {
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
      return <PublicFilter widget={widget} {...part} />
    case 'run_status':
      return <RunStatusView widget={widget} />
    case 'run_list':
      return <RunListView widget={widget} />
    case 'form':
    case 'field_mapping':
    case 'run_button':
    case 'log':
      return null
  }
}
