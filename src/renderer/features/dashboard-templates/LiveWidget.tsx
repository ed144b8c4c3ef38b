import { Skeleton } from '@mantine/core'
import {
  IconChartArea,
  IconChartBar,
  IconChartDots,
  IconChartLine,
  IconChartPie,
  IconFileText,
  IconGridDots,
  IconHistory,
  IconNumbers,
  IconProgressCheck,
  IconTable,
  type TablerIcon,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ChartKind, FilterValue, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { WidgetContent } from '../dashboards/WidgetContent.tsx'
import { PlainWidget, titleOf } from '../dashboards/WidgetFrame.tsx'
import classes from './dashboard-templates.module.css'
import type { LiveData } from './use-live-data.ts'

const chartIcons: Readonly<Record<ChartKind, TablerIcon>> = {
  line: IconChartLine,
  area: IconChartArea,
  bar: IconChartBar,
  stacked: IconChartBar,
  pie: IconChartPie,
  scatter: IconChartDots,
  heatmap: IconGridDots,
}
const icons = {
  kpi: IconNumbers,
  table: IconTable,
  run_status: IconProgressCheck,
  run_list: IconHistory,
  log: IconFileText,
} as const

/** What a widget with rows is; undefined: it has none. */
function useUnfilled(widget: Widget): { icon: TablerIcon; title: string } | undefined {
  const { t } = useTranslation('dashboardTemplates')
  switch (widget.type) {
    case 'chart':
      return { icon: chartIcons[widget.chart], title: t(`charts.${widget.chart}`) }
    case 'kpi':
    case 'table':
    case 'run_status':
    case 'run_list':
    case 'log':
      return { icon: icons[widget.type], title: t(`types.${widget.type}`) }
    case 'text':
    case 'filter':
    case 'form':
    case 'field_mapping':
    case 'run_button':
      return undefined
  }
}

const Unfilled = ({ icon: Icon, title }: { icon: TablerIcon; title: string }) => (
  <div className={classes.unfilled}>
    <Icon size={20} stroke={1.5} aria-hidden />
    {title}
  </div>
)

interface LiveWidgetProps {
  widget: Widget
  /** null: there is no job to take rows from. */
  data: LiveData | null
  onFilter(name: string, value: FilterValue): void
}

/** A widget of a text that is not saved: as the dashboard shows it, and without rows as what it will be. */
export function LiveWidget({ widget, data, onFilter }: LiveWidgetProps) {
  const unfilled = useUnfilled(widget)
  const titled = { ...widget, title: titleOf(widget) }
  if (unfilled && !data) {
    return (
      <PlainWidget widget={titled}>
        <Unfilled {...unfilled} />
      </PlainWidget>
    )
  }
  // It was just written: its rows are asked for in a moment.
  if (unfilled && data?.types.get(widget.id) !== widget.type) {
    return (
      <PlainWidget widget={titled}>
        <Skeleton height="100%" radius={4} />
      </PlainWidget>
    )
  }
  return <WidgetContent widget={widget} dashboard={null} onFilter={onFilter} />
}
