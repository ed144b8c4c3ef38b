import { Popover, VisuallyHidden } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { dateText } from '../../ui/format.ts'
import type { Status } from '../../ui/status.ts'
import type { CellOutcome, SlotEntry } from './calendar-days.ts'
import classes from './triggers.module.css'

/** How the outcomes of firings look. */
export const outcomeLooks = {
  coming: 'waiting',
  started: 'success',
  overlap: 'skipped',
  missed: 'completed',
  failed: 'failed',
} as const satisfies Record<CellOutcome, Status>

const clock = (at: string) => dateText(new Date(at), 'clock')
export const titleOf = ({ job_name, task_key }: SlotEntry) => (task_key ? `${job_name} · ${task_key}` : job_name)

interface EntryProps {
  entry: SlotEntry
  /** Nothing that is to come fires. */
  paused: boolean
}

function useOutcome({ entry, paused }: EntryProps) {
  const { t } = useTranslation('triggers')
  const held = paused && entry.outcome === 'coming'
  return {
    status: held ? ('paused' as const) : outcomeLooks[entry.outcome],
    word: held ? t('comingPaused') : t(`outcome.${entry.outcome}`),
    isOff: !entry.enabled || held,
  }
}

/** One trigger within a cell of the calendar: status, time, job, and of several runs how many. */
export function EntryLine({ entry, paused }: EntryProps) {
  const { t } = useTranslation('triggers')
  const { status, word, isOff } = useOutcome({ entry, paused })
  return (
    <span className={classes.entry} data-off={isOff || undefined} data-outcome={entry.outcome}>
      <StatusBadge status={status} size="icon" label={word} />
      {entry.count > 1 ? (
        <span className={classes.fromTo}>
          {clock(entry.first)}–{clock(entry.last)}
        </span>
      ) : (
        <span className={classes.time}>{clock(entry.first)}</span>
      )}
      <span className={classes.name}>
        <Cut text={titleOf(entry)} narrow />
      </span>
      {entry.count > 1 ? <span className={classes.time}>· {t('times', { count: entry.count })}</span> : null}
    </span>
  )
}

function EntryRow({ entry, paused }: EntryProps) {
  const { t } = useTranslation('triggers')
  const { status, word } = useOutcome({ entry, paused })
  const time =
    entry.count === 1
      ? clock(entry.first)
      : t('timesWithin', { count: entry.count, from: clock(entry.first), to: clock(entry.last) })
  return (
    <li className={classes.cardRow}>
      <StatusBadge status={status} size="icon" label={word} />
      <div>
        <div className={classes.cardName}>
          <Link to={paths.job(entry.job_id, { tab: 'triggers' })}>{titleOf(entry)}</Link>
        </div>
        <div className={classes.cardFacts}>
          {[time, word, entry.message].filter(Boolean).join(' · ')}
          {entry.job_run_id === null ? null : (
            <>
              {' · '}
              <Link to={paths.jobRun(entry.job_run_id)}>#{entry.job_run_id}</Link>
            </>
          )}
        </div>
      </div>
    </li>
  )
}

interface CalendarCellProps {
  /** What the card is headed by: the day, or the hour of one. */
  title: string
  label: string
  entries: readonly SlotEntry[]
  paused: boolean
  className: string | undefined
  children: ReactNode
}

/** A cell that opens a card with all that it holds, and the ways on from there. */
export function CalendarCell({ title, label, entries, paused, className, children }: CalendarCellProps) {
  const { t } = useTranslation('triggers')
  const [opened, setOpened] = useState(false)
  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom"
      offset={4}
      shadow="md"
      width={340}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <button type="button" className={className} onClick={() => setOpened(!opened)}>
          <VisuallyHidden>{label}</VisuallyHidden>
          {children}
        </button>
      </Popover.Target>
      <Popover.Dropdown p={0} aria-label={title}>
        <div className={classes.cardHead}>
          <b>{title}</b>
          <Link to={paths.triggers({ view: 'list' })}>{t('allTriggers')}</Link>
        </div>
        <ul className={classes.card}>
          {entries.map((entry) => (
            <EntryRow key={entry.trigger_id} entry={entry} paused={paused} />
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
