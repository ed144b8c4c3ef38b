import { IconLayoutDashboard } from '@tabler/icons-react'
import { type CSSProperties, type Ref, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type DashboardDetail, getWidgetData, resolveDashboardWidgetOptions } from '../../../contract/dashboards.ts'
import type { FilterValue, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { call } from '../../api/client.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { DashboardGrid } from './DashboardGrid.tsx'
import { FilterBar } from './FilterBar.tsx'
import { WallFilters } from './WallFilters.tsx'
import { WidgetContent } from './WidgetContent.tsx'
import { addressOf, choiceIn, filterPart, pickedAddress } from './dashboard-choice.rules.ts'
import { type DashboardSource, type Paper, type Viewing, ViewingProvider } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import kiosk from './KioskPage.module.css'
import { FormDraftProvider, useFormDraft } from './form-draft.ts'
import { saveRows } from './save-rows.ts'
import { signedInParts } from './signed-in-parts.tsx'
import { type WallPage, widgetsOn } from './wall.rules.ts'

interface DashboardBoardProps {
  dashboard: DashboardDetail
  paper: Paper
  wall?: WallPage | undefined
  ref: Ref<HTMLDivElement>
}

/** The filters of a dashboard, which stand in the address, and its widgets. */
export function DashboardBoard({ dashboard, paper, wall, ref }: DashboardBoardProps) {
  const { t } = useTranslation('dashboards')
  const [address, change] = useAddress()
  const draft = useFormDraft(dashboard)
  const { view, id } = dashboard
  const source = useMemo(
    (): DashboardSource => ({
      key: `${id} ${dashboard.template_version}`,
      load: (widgetId, body, signal) => call(getWidgetData, { params: { id, widgetId }, body, signal }),
      canRefresh: true,
      options: (widgetId, body, signal) =>
        call(resolveDashboardWidgetOptions, { params: { id, widgetId }, body, signal }),
      saveRows: (widgetId, name, choice) => saveRows({ id, widgetId, name, choice }, t),
    }),
    [id, dashboard.template_version, t],
  )
  const choice = useMemo(() => choiceIn(address, view.filters), [address, view.filters])
  const viewing = useMemo((): Viewing => {
    const setFilter = (name: string, value: string | null) => {
      const filter = view.filters[name]
      if (filter) change({ [filterPart(name)]: pickedAddress(filter, value) })
    }
    return { source, parts: signedInParts, filters: view.filters, choice, setFilter, paper, wall }
  }, [source, view.filters, choice, change, paper, wall])
  const onFilter = (name: string, value: FilterValue) => {
    const filter = view.filters[name]
    if (filter) change({ [filterPart(name)]: addressOf(filter, value) })
  }
  const draw = (widget: Widget) => <WidgetContent widget={widget} dashboard={dashboard} onFilter={onFilter} />
  const onClear = () =>
    change({ window: null, ...Object.fromEntries(Object.keys(view.filters).map((name) => [filterPart(name), null])) })
  return (
    <ViewingProvider value={viewing}>
      <FormDraftProvider value={draft}>
        <div
          className={wall ? `${classes.page} ${kiosk.wall}` : classes.page}
          ref={ref}
          style={wall && ({ '--wall-rows': wall.to - wall.from } as CSSProperties)} // a custom property
        >
          {wall ? (
            <WallFilters view={view} choice={choice} />
          ) : (
            <FilterBar
              view={view}
              choice={choice}
              onFilter={onFilter}
              onWindow={(ms) => change({ window: ms === null ? null : String(ms) })}
              onClear={onClear}
            />
          )}
          {view.widgets.length === 0 ? (
            <EmptyState icon={IconLayoutDashboard} title={t('page.empty')} text={t('page.emptyText')} />
          ) : (
            <DashboardGrid view={wall ? { ...view, widgets: widgetsOn(wall, view.widgets) } : view} content={draw} />
          )}
        </div>
      </FormDraftProvider>
    </ViewingProvider>
  )
}
