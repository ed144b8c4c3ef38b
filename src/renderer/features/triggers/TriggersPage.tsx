import { ActionIcon, SegmentedControl } from '@mantine/core'
import { IconAlertTriangle, IconCalendarOff, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { getScheduler } from '../../../contract/scheduler.ts'
import { getTriggerCalendar, listTriggers } from '../../../contract/triggers.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { FirstStepButton } from '../../ui/first-step/FirstStep.tsx'
import { useFirstStep } from '../../ui/first-step/use-first-step.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { ListNotice } from '../../ui/ListNotice.tsx'
import { Page } from '../../ui/Page.tsx'
import { Toolbar } from '../../ui/Toolbar.tsx'
import { useNow } from '../../ui/ticker.ts'
import { useAddress } from '../../ui/use-address.ts'
import { JobFilter } from '../job-runs/JobFilter.tsx'
import { Calendar } from './Calendar.tsx'
import { EventTriggers } from './EventTriggers.tsx'
import { HoursCalendar } from './HoursCalendar.tsx'
import { TimedTriggers } from './TimedTriggers.tsx'
import { NewTrigger } from './TriggersList.tsx'
import { type CalendarView, anchorOf, dateKey, daysOf, moved, spanOf } from './calendar-days.ts'
import classes from './triggers.module.css'
import { dateRangeText, dateText, zoneText } from '../../ui/format.ts'

const views = ['month', 'week', 'list', 'events'] as const
type View = (typeof views)[number]

const viewOf = (text: string | null): View => views.find((view) => view === text) ?? 'month'

/** The first and the last day that are shown. */
function endsOf(view: CalendarView, anchor: Date): [first: Date, last: Date] {
  const { from, to } = spanOf(view, anchor)
  return [from, new Date(to.getFullYear(), to.getMonth(), to.getDate() - 1)]
}

const titleOf = (view: CalendarView, anchor: Date): string =>
  view === 'month' ? dateText(anchor, 'month') : dateRangeText(...endsOf(view, anchor), 'day')

function useCalendar(view: CalendarView, anchor: Date, jobId: number | undefined, enabled: boolean) {
  const { from, to } = spanOf(view, anchor)
  const query = { from: from.toISOString(), to: to.toISOString(), job_id: jobId, limit: 5000 }
  const found = useOperation(getTriggerCalendar, { query }, { enabled, keepPrevious: true })
  const truncated = found.data?.truncated ?? false
  const days = daysOf(view, anchor, found.data?.entries ?? [], truncated)
  const none = found.data?.entries.length === 0
  return {
    days,
    none,
    truncated,
    error: found.error,
    retry: () => void found.refetch(),
  }
}

interface SpanProps {
  view: CalendarView
  anchor: Date
  /** That the times are in. */
  zone: string
  onMove: (to: Date | null) => void
}

function SpanControls({ view, anchor, zone, onMove }: SpanProps) {
  const { t } = useTranslation('triggers')
  const earlier = () => onMove(moved(view, anchor, -1))
  const later = () => onMove(moved(view, anchor, 1))
  useCommands([
    { id: 'calendar.earlier', title: t('earlier'), icon: IconChevronLeft, shortcut: '[', run: earlier },
    { id: 'calendar.later', title: t('later'), icon: IconChevronRight, shortcut: ']', run: later },
  ])
  return (
    <>
      <CommandButton
        id="calendar.today"
        label={t('today')}
        shortcut="t"
        variant="default"
        onClick={() => onMove(null)}
      />
      <Hint label={t('earlier')} command="calendar.earlier">
        <ActionIcon aria-label={t('earlier')} onClick={earlier}>
          <IconChevronLeft size={16} />
        </ActionIcon>
      </Hint>
      <Hint label={t('later')} command="calendar.later">
        <ActionIcon aria-label={t('later')} onClick={later}>
          <IconChevronRight size={16} />
        </ActionIcon>
      </Hint>
      <span>
        <span className={classes.heading} aria-live="polite">
          {titleOf(view, anchor)}
        </span>
        <span className={classes.zone} title={t('timesIn', { zone })}>
          {` · ${zone}`}
        </span>
      </span>
    </>
  )
}

/** When jobs start by themselves: calendar of firings, the triggers behind it, and those on events. */
export function TriggersPage() {
  const { t } = useTranslation('triggers')
  const { t: word } = useTranslation()
  const [address, setAddress] = useAddress()
  const view = viewOf(address.get('view'))
  const isCalendar = view === 'month' || view === 'week'
  const jobId = Number(address.get('job_id')) || undefined
  const now = useNow()
  const anchor = anchorOf(address.get('at'), new Date(now))
  const calendarView = view === 'week' ? 'week' : 'month'
  const calendar = useCalendar(calendarView, anchor, jobId, isCalendar)
  const paused = useOperation(getScheduler).data?.paused ?? false
  const shown = {
    days: calendar.days,
    today: dateKey(new Date(now)),
    label: titleOf(calendarView, anchor),
    paused,
  }
  const [first, last] = endsOf(calendarView, anchor)
  const triggers = useOperation(listTriggers, { query: { limit: 1 } }, { enabled: isCalendar })
  const { t: tLists } = useTranslation('lists')
  const lacks = useFirstStep('trigger')
  const noRuns =
    calendarView === 'month'
      ? t('none.month', { month: shown.label })
      : t('none.days', {
          from: dateText(first, first.getFullYear() === last.getFullYear() ? 'dayAndMonth' : 'day'),
          to: dateText(last, 'day'),
        })
  const none =
    triggers.data?.total === 0
      ? {
          title: t('empty.title'),
          text: lacks ? `${t('empty.text')} ${tLists(`first.${lacks}.text`)}` : t('empty.text'),
        }
      : { title: noRuns, text: t('none.text') }
  // What one view is filtered by means nothing to the others.
  const show = (next: string) =>
    setAddress({ view: next === 'month' ? null : next, trigger: null, q: null, enabled: null, type: null })
  useCommands(
    views.map((value, index) => ({
      id: `triggers.${value}`,
      title: word('showTab', { name: t(`views.${value}`) }),
      shortcut: String(index + 1),
      when: value !== view,
      run: () => show(value),
    })),
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      // Without a job there is nothing that a trigger could start: the page leads to one.
      actions={lacks ? null : <NewTrigger jobId={jobId} kind={view === 'events' ? 'webhook' : 'cron'} />}
      toolbar={
        <Toolbar
          wrap
          right={
            isCalendar && calendar.truncated ? (
              <span className={classes.notice}>
                <IconAlertTriangle size={14} aria-hidden /> {t('truncated')}
              </span>
            ) : null
          }
        >
          <SegmentedControl
            aria-label={t('title')}
            value={view}
            data={views.map((value) => ({ value, label: t(`views.${value}`) }))}
            onChange={show}
          />
          {isCalendar ? (
            <JobFilter value={jobId} onChange={(id) => setAddress({ job_id: id === null ? null : String(id) })} />
          ) : null}
          {isCalendar ? (
            <SpanControls
              view={calendarView}
              anchor={anchor}
              zone={zoneText(new Date(now))}
              onMove={(to) => setAddress({ at: to === null ? null : dateKey(to) })}
            />
          ) : null}
        </Toolbar>
      }
    >
      {view === 'list' ? <TimedTriggers /> : null}
      {view === 'events' ? <EventTriggers /> : null}
      {isCalendar && calendar.error ? (
        <ErrorState what="calendar" error={calendar.error} onRetry={calendar.retry} />
      ) : null}
      {isCalendar && !calendar.error ? (
        <div className={classes.span}>
          {calendar.none && !triggers.isPending ? (
            <ListNotice
              icon={IconCalendarOff}
              title={none.title}
              text={none.text}
              action={lacks ? <FirstStepButton step={lacks} size="compact-xs" /> : null}
            />
          ) : null}
          {view === 'week' ? <HoursCalendar {...shown} now={new Date(now)} /> : <Calendar {...shown} />}
        </div>
      ) : null}
    </Page>
  )
}
