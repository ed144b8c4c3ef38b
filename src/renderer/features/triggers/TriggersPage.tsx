import { ActionIcon, Button, SegmentedControl } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { getTriggerCalendar } from '../../../contract/triggers.ts'
import { useOperation } from '../../api/queries.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Page } from '../../ui/Page.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { useNow } from '../../ui/ticker.ts'
import { useAddress } from '../../ui/use-address.ts'
import { EventTriggersTable, NewEventTrigger } from '../event-triggers/EventTriggersTable.tsx'
import { JobFilter } from '../job-runs/JobFilter.tsx'
import { Calendar } from './Calendar.tsx'
import { NewTrigger, TriggersTable } from './TriggersTable.tsx'
import { type CalendarView, anchorOf, dateKey, daysOf, moved, spanOf } from './calendar-days.ts'
import classes from './triggers.module.css'
import { dateRangeText, dateText } from '../../ui/format.ts'

const views = ['month', 'week', 'list', 'events'] as const
type View = (typeof views)[number]

const viewOf = (text: string | null): View => views.find((view) => view === text) ?? 'month'

function titleOf(view: CalendarView, anchor: Date): string {
  if (view === 'month') return dateText(anchor, 'month')
  const { from, to } = spanOf(view, anchor)
  const last = new Date(to.getFullYear(), to.getMonth(), to.getDate() - 1)
  return dateRangeText(from, last, 'day')
}

function useCalendar(view: CalendarView, anchor: Date, jobId: number | undefined, enabled: boolean) {
  const { from, to } = spanOf(view, anchor)
  const query = { from: from.toISOString(), to: to.toISOString(), job_id: jobId, limit: 5000 }
  const found = useOperation(getTriggerCalendar, { query }, { enabled, keepPrevious: true })
  const days = daysOf(view, anchor, found.data?.entries ?? [])
  const none = found.data?.entries.length === 0
  return {
    days,
    none,
    truncated: found.data?.truncated ?? false,
    error: found.error,
    retry: () => void found.refetch(),
  }
}

interface SpanProps {
  view: CalendarView
  anchor: Date
  onMove: (to: Date | null) => void
}

function SpanControls({ view, anchor, onMove }: SpanProps) {
  const { t } = useTranslation('triggers')
  return (
    <>
      <Button variant="default" onClick={() => onMove(null)}>
        {t('today')}
      </Button>
      <ActionIcon aria-label={t('earlier')} onClick={() => onMove(moved(view, anchor, -1))}>
        <IconChevronLeft size={16} />
      </ActionIcon>
      <ActionIcon aria-label={t('later')} onClick={() => onMove(moved(view, anchor, 1))}>
        <IconChevronRight size={16} />
      </ActionIcon>
      <span className={classes.heading} aria-live="polite">
        {titleOf(view, anchor)}
      </span>
    </>
  )
}

/** When jobs start by themselves: calendar of firings, the triggers behind it, and those on events. */
export function TriggersPage() {
  const { t } = useTranslation('triggers')
  const [address, setAddress] = useAddress()
  const view = viewOf(address.get('view'))
  const isCalendar = view === 'month' || view === 'week'
  const jobId = Number(address.get('job_id')) || undefined
  const now = useNow()
  const anchor = anchorOf(address.get('at'), new Date(now))
  const calendarView = view === 'week' ? 'week' : 'month'
  const calendar = useCalendar(calendarView, anchor, jobId, isCalendar)
  return (
    <Page
      title={t('title')}
      layout="fill"
      actions={view === 'events' ? <NewEventTrigger jobId={jobId} /> : <NewTrigger jobId={jobId} />}
      toolbar={
        <Toolbar
          right={
            isCalendar && calendar.truncated ? (
              <span className={classes.notice}>{t('truncated')}</span>
            ) : isCalendar && calendar.none ? (
              t('noneInSpan')
            ) : null
          }
        >
          <SegmentedControl
            aria-label={t('title')}
            value={view}
            data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
            onChange={(next) => setAddress({ view: next === 'month' ? null : next, trigger: null })}
          />
          <JobFilter value={jobId} onChange={(id) => setAddress({ job_id: id === null ? null : String(id) })} />
          {isCalendar ? (
            <SpanControls
              view={calendarView}
              anchor={anchor}
              onMove={(to) => setAddress({ at: to === null ? null : dateKey(to) })}
            />
          ) : null}
        </Toolbar>
      }
    >
      {view === 'list' ? <TriggersTable jobId={jobId} /> : null}
      {view === 'events' ? <EventTriggersTable jobId={jobId} /> : null}
      {isCalendar && calendar.error ? <ErrorState error={calendar.error} onRetry={calendar.retry} /> : null}
      {isCalendar && !calendar.error ? (
        <Calendar
          days={calendar.days}
          today={dateKey(new Date(now))}
          view={calendarView}
          label={titleOf(calendarView, anchor)}
        />
      ) : null}
    </Page>
  )
}
