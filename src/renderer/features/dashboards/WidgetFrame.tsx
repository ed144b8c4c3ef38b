import { Loader, Skeleton } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import type { ApiFailure } from '../../api/client.ts'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { bytesText } from '../../ui/time.ts'
import { numberText } from '../../ui/format.ts'
import { type WidgetAction, useViewing, useWidgetData } from './dashboard-source.ts'
import classes from './dashboards.module.css'

/** What the widget is called: its title, else its id. */
export const titleOf = ({ title, id }: Widget) => title ?? id

/** A widget loads a little before it comes into sight. */
const marginPx = 200

const isNear = (element: HTMLElement): boolean => {
  const { top, bottom, height } = element.getBoundingClientRect()
  return height > 0 && top < innerHeight + marginPx && bottom > -marginPx
}

/** Whether the element was in sight: then what it shows stays. */
function useSeen() {
  const element = useRef<HTMLDivElement>(null)
  const [seen, setSeen] = useState(false)
  // What is in sight from the beginning asks for its rows with the page's first drawing: an observer would tell after it.
  useLayoutEffect(() => {
    if (element.current && isNear(element.current)) setSeen(true)
  }, [])
  useEffect(() => {
    if (!element.current || seen) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
      },
      { rootMargin: `${marginPx}px` },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [seen])
  return { element, seen }
}

interface DataWidgetProps {
  widget: Widget
  actions?: readonly WidgetAction[]
  children(data: WidgetData): ReactNode
}

/** A widget with rows: it loads when it comes into sight, and fails alone. */
export function DataWidget({ widget, actions, children }: DataWidgetProps) {
  const { paper } = useViewing()
  const { element, seen } = useSeen()
  const query = useWidgetData(widget.id, seen || paper === 'now' || (paper === 'ready' && 'once'))
  return (
    <div ref={element} className={classes.widget} data-waiting={query.isFetching || undefined}>
      <WidgetHead widget={widget} query={query} actions={actions} />
      <div className={classes.body}>
        <State widget={widget} query={query}>
          {children}
        </State>
      </div>
      {query.data?.truncated ? <Truncated truncated={query.data.truncated} /> : null}
    </div>
  )
}

type Query = UseQueryResult<WidgetData, ApiFailure> & { refresh(): void }

function State({
  widget,
  query,
  children,
}: {
  widget: Widget
  query: Query
  children: (data: WidgetData) => ReactNode
}) {
  const { Failure } = useViewing().parts
  // Rows that could not be made again are not shown as if they were.
  if (query.error)
    return (
      <ScrollRegion label={titleOf(widget)} className={classes.reason}>
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      </ScrollRegion>
    )
  if (!query.data) return <Skeleton height="100%" radius={4} />
  return children(query.data)
}

const noActions: readonly WidgetAction[] = []

function WidgetHead({
  widget,
  query,
  actions = noActions,
}: {
  widget: Widget
  query: Query
  actions?: readonly WidgetAction[] | undefined
}) {
  const { t } = useTranslation('dashboards')
  const { source, parts } = useViewing()
  const { Actions } = parts
  const refresh = {
    id: 'refresh',
    label: t('widget.refresh'),
    icon: IconRefresh,
    run: query.refresh,
  }
  const items: readonly WidgetAction[] = [...(source.canRefresh ? [refresh] : []), ...(query.data ? actions : [])]
  return (
    <div className={classes.head}>
      <h2 title={widget.description ?? undefined}>{titleOf(widget)}</h2>
      {query.isFetching ? <Loader size={12} role="status" aria-label={t('widget.loading')} /> : null}
      {query.data ? (
        <span className={classes.asOf}>
          <RelativeTime at={query.data.as_of} />
        </span>
      ) : null}
      {items.length > 0 ? <Actions title={titleOf(widget)} actions={items} /> : null}
    </div>
  )
}

export function Truncated({ truncated: { by, limit } }: { truncated: NonNullable<WidgetData['truncated']> }) {
  const { t } = useTranslation('dashboards')
  return (
    <div className={classes.truncated} role="note">
      {by === 'rows'
        ? t('widget.truncatedRows', { limit: numberText(limit) })
        : t('widget.truncatedBytes', { limit: bytesText(limit) })}
    </div>
  )
}

/** A widget without rows. */
export function PlainWidget({ widget, children }: { widget: Widget; children: ReactNode }) {
  return (
    <div className={classes.widget}>
      {widget.title ? (
        <div className={classes.head}>
          <h2 title={widget.description ?? undefined}>{widget.title}</h2>
        </div>
      ) : null}
      <div className={classes.body}>{children}</div>
    </div>
  )
}
