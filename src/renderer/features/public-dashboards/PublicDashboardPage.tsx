import { Skeleton } from '@mantine/core'
import { IconLayoutDashboard } from '@tabler/icons-react'
import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type PublicDashboard, getPublicDashboard, getPublicWidgetData } from '../../../contract/public-dashboards.ts'
import type { DashboardFilter, FilterValue, Widget } from '../../../language/dashboard/dashboard.types.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ColoredTheme } from '../../ui/brand/ColoredTheme.tsx'
import { dateText } from '../../ui/format.ts'
import { latePart, lazyPart } from '../../ui/lazy-part.ts'
import { DashboardGrid } from '../dashboards/DashboardGrid.tsx'
import {
  type Choice,
  addressOf,
  choiceIn,
  filterPart,
  filtersOfBar,
  pickedAddress,
} from '../dashboards/dashboard-choice.rules.ts'
import { type DashboardSource, type ViewParts, type Viewing, ViewingProvider } from '../dashboards/dashboard-source.ts'
import { usePrint, usePrintKey } from '../dashboards/use-print.ts'
import { ActionButtons } from './ActionButtons.tsx'
import { PublicFailure } from './PublicFailure.tsx'
import { PublicWidget } from './PublicWidget.tsx'
import classes from './PublicDashboardPage.module.css'
import { useInter } from './use-inter.ts'
import { usePageAddress } from './use-page-address.ts'

const PublicFilterBar = latePart(
  async () => (await import('./PublicFilters.tsx')).PublicFilterBar,
  <div className={classes.awaited} />,
)
const PublicNotes = lazyPart(async () => (await import('./PublicNotes.tsx')).PublicNotes)

const parts: ViewParts = { Failure: PublicFailure, Actions: ActionButtons, RunNumber: null }
const nothing: Choice = {}

/** Values of the link are what its viewers begin with. */
const withDefaults = ({ view, filter_values }: PublicDashboard): PublicDashboard['view'] => ({
  ...view,
  filters: Object.fromEntries(
    Object.entries(view.filters).map(([name, filter]) => {
      const value = Object.hasOwn(filter_values, name) ? filter_values[name] : filter.default
      // The server has read it by the filter.
      return [name, { ...filter, default: value } as DashboardFilter]
    }),
  ),
})

function Board({ token, dashboard }: { token: string; dashboard: PublicDashboard }) {
  const { t } = useTranslation('publicPage')
  const { t: word } = useTranslation('dashboards')
  const [address, change] = usePageAddress()
  const [used, setUsed] = useState(false)
  const page = useRef<HTMLDivElement>(null)
  const { paper, print } = usePrint(page)
  useInter()
  usePrintKey(print)
  const { name, description, product_name, expires_at } = dashboard
  const locked = dashboard.filters === 'locked'
  const view = useMemo(() => withDefaults(dashboard), [dashboard])
  const source = useMemo(
    (): DashboardSource => ({
      key: token,
      load: (widgetId, { filters, time_window }, signal) =>
        call(getPublicWidgetData, {
          params: { token, widgetId },
          body: { ...(filters && { filters }), ...(time_window && { time_window }) },
          signal,
        }),
      canRefresh: false,
    }),
    [token],
  )
  const choice = useMemo(() => (locked ? nothing : choiceIn(address, view.filters)), [locked, address, view.filters])
  const onFilter = (filterName: string, value: FilterValue) => {
    const filter = view.filters[filterName]
    if (filter) change({ [filterPart(filterName)]: addressOf(filter, value) })
  }
  const viewing = useMemo((): Viewing => {
    const setFilter = (filterName: string, value: string | null) => {
      const filter = view.filters[filterName]
      if (filter) change({ [filterPart(filterName)]: pickedAddress(filter, value) })
    }
    return {
      source,
      parts,
      filters: view.filters,
      choice,
      setFilter: locked ? undefined : setFilter,
      paper,
    }
  }, [source, view.filters, choice, change, locked, paper])
  const draw = (widget: Widget) => <PublicWidget widget={widget} locked={locked} onFilter={onFilter} />
  const onClear = () =>
    change({ window: null, ...Object.fromEntries(Object.keys(view.filters).map((one) => [filterPart(one), null])) })
  const filtered = view.time_window !== null || filtersOfBar(view).length > 0
  useEffect(() => {
    document.title = name
  }, [name])
  return (
    <ViewingProvider value={viewing}>
      <div
        className={classes.page}
        ref={page}
        onPointerDownCapture={() => setUsed(true)}
        onKeyDownCapture={() => setUsed(true)}
      >
        <header className={classes.head}>
          <div>
            <h1>{name}</h1>
            {description ? <p>{description}</p> : null}
          </div>
          <span className={classes.product}>{product_name}</span>
        </header>
        <main className={classes.main}>
          {filtered ? (
            <PublicFilterBar
              view={view}
              locked={locked}
              onFilter={onFilter}
              onWindow={(ms) => change({ window: ms === null ? null : String(ms) })}
              onClear={onClear}
            />
          ) : null}
          {view.widgets.length === 0 ? (
            <EmptyState icon={IconLayoutDashboard} title={word('page.empty')} />
          ) : (
            <DashboardGrid view={view} content={draw} />
          )}
        </main>
        {expires_at ? (
          <footer className={classes.foot}>{t('expires', { date: dateText(new Date(expires_at), 'day') })}</footer>
        ) : null}
        {used ? (
          <Suspense>
            <PublicNotes />
          </Suspense>
        ) : null}
      </div>
    </ViewingProvider>
  )
}

function Centered({ children }: { children: ReactNode }) {
  return <main className={classes.centered}>{children}</main>
}

const dashboardOf = (token: string) =>
  queryOptions<PublicDashboard, ApiFailure>({
    queryKey: [getPublicDashboard.id],
    queryFn: ({ signal }) => call(getPublicDashboard, { params: { token }, signal }),
    // A failure before the page was there is the page's.
    retryOnMount: false,
  })

/** Asks for the dashboard before there is a page: while its words load. */
export const askForDashboard = (client: QueryClient, token: string): void =>
  void client.prefetchQuery(dashboardOf(token))

/** A dashboard for everyone who has the link. */
export function PublicDashboardPage({ token }: { token: string }) {
  const { t } = useTranslation('publicPage')
  const { data, error, refetch } = useQuery(dashboardOf(token))
  const gone = error?.status === 404
  useEffect(() => {
    if (gone) document.title = t('failure.gone.title')
  }, [gone, t])
  return (
    <ColoredTheme color={data?.primary_color ?? null}>
      {data ? (
        <Board token={token} dashboard={data} />
      ) : (
        <Centered>
          {error ? (
            <PublicFailure error={error} onRetry={() => void refetch()} compact={false} />
          ) : (
            <Skeleton height={160} width={320} radius={4} />
          )}
        </Centered>
      )}
    </ColoredTheme>
  )
}
