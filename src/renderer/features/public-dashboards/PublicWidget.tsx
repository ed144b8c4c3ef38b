import { Suspense } from 'react'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ChartWidgetView } from '../dashboards/ChartWidgetView.tsx'
import { KpiView } from '../dashboards/KpiView.tsx'
import { RunListView, RunStatusView } from '../dashboards/RunWidgets.tsx'
import { DataWidget } from '../dashboards/WidgetFrame.tsx'
import type { FilterPart } from './PublicFilters.tsx'

const TableWidgetView = lazyPart(async () => (await import('./PublicTable.tsx')).PublicTable)
const TextWidgetView = lazyPart(async () => (await import('../dashboards/TextWidgetView.tsx')).TextWidgetView)
const PublicFilter = lazyPart(async () => (await import('./PublicFilters.tsx')).PublicFilter)

/** What a link shows. The server sends no others. */
function contentOf(widget: Widget, part: FilterPart) {
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

export function PublicWidget({ widget, ...part }: { widget: Widget } & FilterPart) {
  return <Suspense>{contentOf(widget, part)}</Suspense>
}
