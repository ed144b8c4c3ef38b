/** Where rows of widgets come from: the same widgets stand on a dashboard and on a page for everyone. */
import type { TablerIcon } from '@tabler/icons-react'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, createContext, createElement, useContext, useMemo } from 'react'
import { type WidgetData, type WidgetDataBody } from '../../../contract/dashboard-views.ts'
import type { WidgetOptionsResponse, resolveDashboardWidgetOptions } from '../../../contract/dashboards.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { OperationId } from '../../../contract/operations.ts'
import type { ApiFailure } from '../../api/client.ts'
import { SharedColors } from '../../ui/chart/series-colors.ts'
import type { Choice, Filters } from './dashboard-choice.rules.ts'
import type { WallPage } from './wall.rules.ts'

export interface DashboardSource {
  /** Unique for the dashboard. */
  key: string
  /** What else the rows of a widget depend on; by default nothing but its id. */
  keyOf?(widgetId: string): string
  load(widgetId: string, body: WidgetDataBody, signal: AbortSignal): Promise<WidgetData>
  /** Rows can be made again before they are old. */
  canRefresh: boolean
  /** Options that a query gives. Absent: they can’t be asked for. */
  options?(
    widgetId: string,
    body: BodyOf<typeof resolveDashboardWidgetOptions>,
    signal: AbortSignal,
  ): Promise<WidgetOptionsResponse>
  /** Writes all rows of a widget into a file, beyond those that it shows. Says itself what becomes of it. */
  saveRows?(widgetId: string, fileName: string, choice: Choice): Promise<void>
}

/** What can be done with a widget. */
export interface WidgetAction {
  id: string
  label: string
  icon: TablerIcon
  run(): void
}

/** What looks different where no one is signed in. */
export interface ViewParts {
  Failure: ComponentType<{ error: ApiFailure; onRetry: () => void }>
  Actions: ComponentType<{ title: string; actions: readonly WidgetAction[] }>
  /** The number of a run, which leads to it; null: runs have no numbers. */
  RunNumber: ComponentType<{ kind: 'job_run' | 'run'; id: number }> | null
}

export interface Viewing {
  source: DashboardSource
  parts: ViewParts
  filters: Filters
  choice: Choice
  /** Sets a filter; undefined: it can’t be changed here. */
  setFilter?: ((name: string, value: string | null) => void) | undefined
  paper: Paper
  /** Rows that are on a wall together, where nothing is chosen. */
  wall?: WallPage | undefined
}
/** `ready`: widgets load wherever they are, so that they can be printed. `now`: all of them are shown in full. */
export type Paper = 'no' | 'ready' | 'now'
const ViewingContext = createContext<Viewing | null>(null)
export const ViewingProvider = ({ value, children }: { value: Viewing; children: ReactNode }) =>
  createElement(ViewingContext, { value }, createElement(SharedColors, null, children))

export function useViewing(): Viewing {
  const viewing = useContext(ViewingContext)
  if (!viewing) throw new Error('A widget stands outside a dashboard')
  return viewing
}

/** Events name the operation whose answers are old. */
export const widgetDataKey = 'getWidgetData' satisfies OperationId
export const optionsKey = 'resolveDashboardWidgetOptions' satisfies OperationId
const keyOf = (source: DashboardSource, widgetId: string, body: WidgetDataBody) =>
  [widgetDataKey, source.key, widgetId, body, source.keyOf?.(widgetId)] as const

/** Rows that are older than the server keeps them are asked for again, but not more often than this. */
const leastMs = 10_000

export function useWidgetData(
  widgetId: string,
  /** `once`: rows that are old are not asked for again. */
  enabled: boolean | 'once',
  more: Pick<WidgetDataBody, 'drill' | 'drill_by'> = {},
) {
  const { source, choice } = useViewing()
  const client = useQueryClient()
  const { drill, drill_by } = more
  const body = useMemo(
    (): WidgetDataBody => ({ ...choice, ...(drill ? { drill } : {}), ...(drill_by ? { drill_by } : {}) }),
    [choice, drill, drill_by],
  )
  const queryKey = keyOf(source, widgetId, body)
  const query = useQuery<WidgetData, ApiFailure>({
    queryKey,
    queryFn: ({ signal }) => source.load(widgetId, body, signal),
    enabled: enabled !== false,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data && enabled === true ? Math.max(leastMs, Date.parse(state.data.fresh_until) - Date.now()) : false,
  })
  const refresh = () =>
    void client
      .fetchQuery({ queryKey, queryFn: ({ signal }) => source.load(widgetId, { ...body, refresh: true }, signal) })
      .catch(() => undefined)
  return { ...query, refresh }
}
