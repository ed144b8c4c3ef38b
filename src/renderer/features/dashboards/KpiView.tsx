import { IconArrowDownRight, IconArrowUpRight, IconMinus } from '@tabler/icons-react'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import type { KpiWidget } from '../../../language/dashboard/dashboard.types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { numberText } from '../../ui/format.ts'
import { linePaths, rangeOf } from '../../ui/time-chart.rules.ts'
import { IconTableOff } from '@tabler/icons-react'
import classes from './dashboards.module.css'
import { quantityOf } from '../../ui/quantity.ts'
import { heightsOf, kpiOf } from './kpi.rules.ts'

const icons = { up: IconArrowUpRight, down: IconArrowDownRight, same: IconMinus }

export function KpiView({ widget, data }: { widget: KpiWidget; data: WidgetData }) {
  const { t } = useTranslation('dashboards')
  const kpi = kpiOf(widget, data, data.run !== null)
  if (!kpi)
    return (
      <EmptyState
        compact
        icon={IconTableOff}
        title={kpi === null ? t('widget.noRows') : t('widget.noNumbers')}
        text={kpi === null ? undefined : t('widget.noNumbersText')}
      />
    )
  const { text, direction, change, before, isAlone, line } = kpi
  const Icon = direction && icons[direction]
  const shown = (value: string | null) => (value === null ? { number: 'NULL', unit: null } : quantityOf(value, widget))
  const { number, unit } = shown(text)
  const heights = heightsOf(line)
  return (
    <div className={classes.kpi}>
      <div
        className={classes.number}
        data-null={text === null || undefined}
        title={text ?? undefined}
        style={{ '--digits': number.length + (unit?.length ?? 0) / 2 } as CSSProperties} // a custom property
      >
        {number}
        {unit ? <span className={classes.unit}>{unit}</span> : null}
      </div>
      {Icon ? (
        <div className={classes.change} data-good={direction === 'same' ? undefined : direction === widget.good}>
          <Icon size={14} aria-hidden />
          {change === null
            ? t(`widget.${direction}FromZero`, { before: shown(before).number })
            : t('widget.change', {
                percent: numberText(Math.round(change * 1000) / 10, 1),
                before: shown(before).number,
              })}
        </div>
      ) : isAlone ? (
        <div className={classes.change}>{t('widget.noEarlier')}</div>
      ) : null}
      {widget.sparkline && heights.filter((one) => one !== null).length > 1 ? (
        <svg className={classes.spark} viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden>
          <path d={linePaths(heights, rangeOf('lines', [{ values: heights }]))} />
        </svg>
      ) : null}
    </div>
  )
}
