import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import type { Placement, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { titleOf } from './WidgetFrame.tsx'
import classes from './dashboards.module.css'

interface DashboardGridProps {
  view: DashboardView
  content(widget: Widget): ReactNode
}

/** Where a widget stands on the grid. */
export const placeOf = ([x, y, w, h]: Placement): CSSProperties =>
  ({
    gridColumn: `${x + 1} / span ${w}`,
    gridRow: `${y + 1} / span ${h}`,
    '--rows': h,
  }) as CSSProperties // a custom property beside those that React knows

/** The widgets at their places on 12 columns; on a narrow screen one below the other. */
export function DashboardGrid({ view, content }: DashboardGridProps) {
  const { t } = useTranslation('dashboards')
  return (
    <div className={classes.grid} role="group" aria-label={t('page.widgets')}>
      {view.widgets.map((widget) => (
        <div
          key={widget.id}
          role="group"
          className={classes.place}
          style={placeOf(widget.at)}
          aria-label={titleOf(widget)}
          data-type={widget.type}
          data-low={widget.at[3] === 1 || undefined}
        >
          {content(widget)}
        </div>
      ))}
    </div>
  )
}
