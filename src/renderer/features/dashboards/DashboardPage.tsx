import { Skeleton } from '@mantine/core'
import { IconLayoutDashboard, IconMaximize, IconPrinter, IconRefresh, IconShare } from '@tabler/icons-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useParams } from 'react-router'
import { type DashboardDetail, getDashboard, getWidgetData } from '../../../contract/dashboards.ts'
import type { FilterValue, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { call } from '../../api/client.ts'
import { useOperation } from '../../api/queries.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { useAddress } from '../../ui/use-address.ts'
import { DashboardGrid } from './DashboardGrid.tsx'
import { FilterBar } from './FilterBar.tsx'
import { ShareDialog } from './ShareDialog.tsx'
import { WidgetContent } from './WidgetContent.tsx'
import { addressOf, choiceIn, filterPart } from './dashboard-choice.rules.ts'
import { type DashboardSource, type Viewing, ViewingProvider } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import { FormDraftProvider, useFormDraft } from './form-draft.ts'
import { signedInParts } from './signed-in-parts.tsx'

/** Prints once every widget has its rows. */
function usePrint() {
  const [printing, setPrinting] = useState(false)
  const fetching = useIsFetching({ queryKey: [getWidgetData.id] })
  const begun = useRef(false)
  useEffect(() => {
    if (!printing) return
    // The widgets out of sight ask after this drawing; those that ask are waited for.
    const timer = setTimeout(
      () => {
        if (fetching > 0) {
          begun.current = true
          return
        }
        requestAnimationFrame(() => {
          globalThis.print()
          setPrinting(false)
        })
      },
      begun.current ? 100 : 300,
    )
    return () => clearTimeout(timer)
  }, [printing, fetching])
  return {
    printing,
    print: () => {
      begun.current = false
      setPrinting(true)
    },
  }
}

function Workspace({ dashboard }: { dashboard: DashboardDetail }) {
  const { t } = useTranslation('dashboards')
  const { t: tShare } = useTranslation('shares')
  const client = useQueryClient()
  const [address, change] = useAddress()
  const { printing, print } = usePrint()
  const board = useRef<HTMLDivElement>(null)
  const [sharing, setSharing] = useState(false)
  const draft = useFormDraft(dashboard.id, dashboard.state)
  const { view, id } = dashboard
  const source = useMemo(
    (): DashboardSource => ({
      key: `${id} ${dashboard.template_version}`,
      load: (widgetId, body, signal) => call(getWidgetData, { params: { id, widgetId }, body, signal }),
      canRefresh: true,
    }),
    [id, dashboard.template_version],
  )
  const choice = useMemo(() => choiceIn(address, view.filters), [address, view.filters])
  const viewing = useMemo((): Viewing => {
    const setFilter = (name: string, value: string | null) => {
      const filter = view.filters[name]
      if (!filter) return
      const next: FilterValue = filter.type === 'multiselect' ? (value === null ? [] : [value]) : value
      change({ [filterPart(name)]: addressOf(filter, next) })
    }
    return { source, parts: signedInParts, filters: view.filters, choice, setFilter, everything: printing }
  }, [source, view.filters, choice, change, printing])
  const onFilter = (name: string, value: FilterValue) => {
    const filter = view.filters[name]
    if (filter) change({ [filterPart(name)]: addressOf(filter, value) })
  }
  const draw = (widget: Widget) => <WidgetContent widget={widget} dashboard={dashboard} onFilter={onFilter} />
  const onClear = () =>
    change({ window: null, ...Object.fromEntries(Object.keys(view.filters).map((name) => [filterPart(name), null])) })
  return (
    <Page
      title={dashboard.name}
      layout="fill"
      crumbs={[{ label: t('title'), to: paths.dashboards() }]}
      badge={dashboard.job_status === 'archived' ? <StatusBadge status="archived" size="md" /> : null}
      subtitle={<Link to={paths.job(dashboard.job_id)}>{t('page.ofJob', { job: dashboard.job_name })}</Link>}
      actions={
        <>
          <CommandButton
            id="dashboard.refresh"
            label={t('page.refresh')}
            icon={IconRefresh}
            variant="default"
            onClick={() => void client.invalidateQueries({ queryKey: [getWidgetData.id] })}
          />
          <CommandButton
            id="dashboard.print"
            label={t('page.print')}
            icon={IconPrinter}
            variant="default"
            loading={printing}
            onClick={print}
          />
          <CommandButton
            id="dashboard.full-screen"
            label={t('page.fullScreen')}
            icon={IconMaximize}
            variant="default"
            shortcut="f"
            onClick={() => void board.current?.requestFullscreen()}
          />
          <CommandButton
            id="dashboard.share"
            label={tShare('button')}
            icon={IconShare}
            variant="default"
            onClick={() => setSharing(true)}
          />
        </>
      }
    >
      <ViewingProvider value={viewing}>
        <FormDraftProvider value={draft}>
          <div className={classes.page} ref={board} data-print={printing || undefined}>
            <FilterBar
              view={view}
              choice={choice}
              dashboardId={id}
              onFilter={onFilter}
              onWindow={(ms) => change({ window: ms === null ? null : String(ms) })}
              onClear={onClear}
            />
            {view.widgets.length === 0 ? (
              <EmptyState icon={IconLayoutDashboard} title={t('page.empty')} text={t('page.emptyText')} />
            ) : (
              <DashboardGrid view={view} content={draw} />
            )}
          </div>
        </FormDraftProvider>
      </ViewingProvider>
      {sharing ? (
        <ShareDialog dashboard={dashboard} filters={choice.filters} onClose={() => setSharing(false)} />
      ) : null}
    </Page>
  )
}

/** A dashboard of a job; its filters stand in the address. */
export function DashboardPage() {
  const { t } = useTranslation('dashboards')
  const { id } = useParams()
  const number = Number(id)
  const { data, error, refetch } = useOperation(getDashboard, { params: { id: number } })
  useOpened({
    kind: 'dashboard',
    id: number,
    title: data?.name,
    to: paths.dashboard(number),
    gone: error?.status === 404,
  })
  if (data) return <Workspace key={number} dashboard={data} />
  return (
    <Page title={`#${id ?? ''}`} crumbs={[{ label: t('title'), to: paths.dashboards() }]} layout="fill">
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Skeleton height={34} radius={0} />}
    </Page>
  )
}
