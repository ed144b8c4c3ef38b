import { IconChartLine, IconListDetails, IconPhotoDown, IconTable } from '@tabler/icons-react'
import { Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import type { ChartWidget } from '../../../language/dashboard/dashboard.types.ts'
import { Chart, type ChartHandle } from '../../ui/chart/Chart.tsx'
import { loadEngine } from '../../ui/chart/load-engine.ts'
import type { ChartSpec } from '../../ui/chart/plot.rules.ts'
import { savePng } from '../../ui/chart/save-png.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { DataWidget, titleOf } from './WidgetFrame.tsx'
import { useCrossFilter } from './cross-filter.ts'
import { type MarkValue, markColumns, valuesAt } from './drill.rules.ts'

const DrillDialog = lazyPart(async () => (await import('./DrillDialog.tsx')).DrillDialog)

/** Of a heatmap, y names the rows and `value` the colors. */
const specOf = ({ chart, x, y, series, value, unit, decimals }: ChartWidget): ChartSpec => {
  const look = { unit, decimals }
  return chart === 'heatmap' && value !== null
    ? { chart, x, y: [value], series: y[0], look }
    : { chart, x, y, ...(series === null ? {} : { series }), look }
}

export function ChartWidgetView({ widget }: { widget: ChartWidget }) {
  const { t } = useTranslation('dashboards')
  const [asTable, setAsTable] = useState(false)
  const [drilled, setDrilled] = useState<readonly MarkValue[] | null>(null)
  const chart = useRef<ChartHandle>(null)
  const spec = useMemo(() => specOf(widget), [widget])
  const cross = useCrossFilter(widget.cross_filter, widget.x)
  useEffect(() => void loadEngine(widget.chart), [widget.chart])
  const save = async () => {
    try {
      await savePng(chart.current, titleOf(widget))
    } catch (error) {
      const { notifications } = await import('@mantine/notifications')
      notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
    }
  }
  const pick = (data: WidgetData, row: number) => {
    if (cross.toggle) cross.toggle(data, row)
    else if (widget.drill !== null) setDrilled(valuesAt(markColumns(widget), data, row))
  }
  const pickable = cross.toggle !== undefined || widget.drill !== null
  return (
    <>
      <DataWidget
        widget={widget}
        actions={[
          {
            id: 'table',
            label: asTable ? t('widget.asChart') : t('widget.asTable'),
            icon: asTable ? IconChartLine : IconTable,
            run: () => setAsTable(!asTable),
          },
          ...(asTable ? [] : [{ id: 'png', label: t('widget.png'), icon: IconPhotoDown, run: () => void save() }]),
          ...(widget.drill === null
            ? []
            : [{ id: 'drill', label: t('widget.drill'), icon: IconListDetails, run: () => setDrilled([]) }]),
        ]}
      >
        {(data) => (
          <Chart
            ref={chart}
            label={titleOf(widget)}
            spec={spec}
            data={data}
            asTable={asTable}
            hasLegend={widget.legend}
            chosen={cross.isUsual ? cross.chosen : null}
            onPick={pickable ? ({ row }) => pick(data, row) : undefined}
          />
        )}
      </DataWidget>
      {drilled ? (
        <Suspense>
          <DrillDialog widget={widget} values={drilled} onClose={() => setDrilled(null)} />
        </Suspense>
      ) : null}
    </>
  )
}
