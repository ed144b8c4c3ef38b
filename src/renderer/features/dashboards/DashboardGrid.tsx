import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DashboardView } from '../../../contract/dashboard-views.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { titleOf } from './WidgetFrame.tsx'
import classes from './dashboards.module.css'

interface DashboardGridProps {
  view: DashboardView
  content(widget: Widget): ReactNode
}

/** The widgets at their places on 12 columns; on a narrow screen one below the other. */
export function DashboardGrid({ view, content }: DashboardGridProps) {
  const { t } = useTranslation('dashboards')
  return (
    <div className={classes.grid} role="group" aria-label={t('page.widgets')}>
      {view.widgets.map((widget) => {
        const [x, y, w, h] = widget.at
        const place = {
          gridColumn: `${x + 1} / span ${w}`,
          gridRow: `${y + 1} / span ${h}`,
          '--rows': h,
        } as CSSProperties
        return (
          <div
            key={widget.id}
            role="group"
            className={classes.place}
            style={place}
            aria-label={titleOf(widget)}
            data-type={widget.type}
          >
            {content(widget)}
          </div>
        )
      })}
    </div>
  )
}
