import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconFileOff, IconFileText, IconFilterOff } from '@tabler/icons-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run, RunStep } from '../../../contract/runs.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { dateText } from '../../ui/format.ts'
import { ChosenLines, useCopyLines } from './ChosenLines.tsx'
import classes from './LogPane.module.css'
import { LogToolbar } from './LogToolbar.tsx'
import { LogView, type LogViewHandle } from './LogView.tsx'
import { extendRange } from './line-range.ts'
import { isWrapped, longest, plainText } from './log-text.ts'
import { useLogAddress } from './use-log-address.ts'
import { useLogLanding } from './use-log-landing.ts'
import { useLogSearch } from './use-log-search.ts'
import { useRunLog } from './use-run-log.ts'
import { useStepJump } from './use-step-jump.ts'

function EmptyLog({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  if (run.log_removed_at) {
    const at = dateText(new Date(run.log_removed_at), 'moment')
    return <EmptyState icon={IconFileOff} title={t('log.removedTitle')} text={t('log.removedText', { at })} compact />
  }
  const text =
    run.status === 'pending'
      ? t('log.emptyQueued')
      : run.status === 'running'
        ? t('log.emptyRunning')
        : t('log.emptyDone')
  return <EmptyState icon={IconFileText} title={t('log.emptyTitle')} text={text} compact />
}

/** Messages that their row can't show whole are shown below the log when their line is chosen. */
const needsMore = (message: string, wrapped: boolean) =>
  message.length > (wrapped ? longest : 160) || message.includes('\n')

interface LogPaneProps {
  run: Run
  step: RunStep | null
  /** Permalink of a line, where the log stands on another page than the run’s. */
  lineHref?: (line: number) => string
}

/** The log of a run: live, searchable as a whole, filtered by level, with permalinks. */
export function LogPane({ run, step, lineHref }: LogPaneProps) {
  const { t } = useTranslation('runs')
  const [address, setAddress] = useLogAddress()
  const { lines, q, level, only } = address
  const log = useRunLog(run.id, { ...(level ? { level } : {}), ...(only && q ? { q } : {}) })
  const view = useRef<LogViewHandle>(null)
  const anchor = useRef(lines?.from ?? 1)
  const [follow, setFollow] = useState(false)
  const copyLines = useCopyLines(log?.fetchLog)
  const rows = log?.rows
  const whole = log?.whole

  const show = useCallback(
    (line: number) => {
      setFollow(false)
      const row = rows?.rowOf(line) ?? -1
      if (row >= 0) view.current?.showRow(row)
    },
    [rows],
  )
  const startFollow = useCallback(() => setFollow(true), [])
  const fail = (cause: unknown) =>
    notifications.show({ color: 'red', message: cause instanceof Error ? cause.message : String(cause) })
  const search = useLogSearch(
    log?.fetchLog ?? null,
    (line) => {
      anchor.current = line
      setAddress({ lines: { from: line, to: line } })
      show(line)
    },
    fail,
  )
  useLogLanding({ run, log, lines, show, follow: startFollow })
  useStepJump({ step, log, show })

  // Back from matches to the whole log, the chosen line stays in sight.
  const filtered = log?.filtered ?? null
  const wasFiltered = useRef(false)
  useEffect(() => {
    if (wasFiltered.current && !filtered && lines) show(lines.from)
    wasFiltered.current = filtered !== null
  }, [filtered, lines, show])

  // The last lines come together with the end of the run: they are followed, too.
  const following = log?.following ?? false
  const count = rows?.count ?? 0
  const wasFollowing = useRef(false)
  useEffect(() => {
    if (wasFollowing.current && !following && follow) view.current?.showRow(count - 1, 1)
    wasFollowing.current = following
  }, [following, follow, count])

  const choose = useCallback(
    (line: number, extend: boolean) => {
      setFollow(false)
      if (!extend) anchor.current = line
      setAddress({ lines: extend ? extendRange(anchor.current, line) : { from: line, to: line } })
    },
    [setAddress],
  )
  const startOf = (direction: 'next' | 'previous') =>
    direction === 'next' ? (lines?.to ?? 0) : (lines?.from ?? (whole?.count ?? 0) + 1)
  const onSearch = (text: string, direction: 'next' | 'previous') => {
    setAddress(text === '' ? { q: '', only: false } : { q: text })
    if (!only) void search.find({ q: text }, startOf(direction), direction)
  }
  const onError = (direction: 'next' | 'previous') =>
    void search.find({ level: 'error' }, startOf(direction), direction)
  const hrefOf = useCallback((line: number) => lineHref?.(line) ?? paths.run(run.id, { line }), [lineHref, run.id])
  const copyLink = async () => {
    try {
      await copyText(location.href)
      notifications.show({ message: t('actions.copied') })
    } catch (cause) {
      fail(cause)
    }
  }

  if (!log || !rows || !whole) return null
  if (log.error && whole.count === 0) return <ErrorState what="log" error={log.error} onRetry={log.retry} compact />
  const chosenLine = lines && lines.from === lines.to ? rows.at(rows.rowOf(lines.from)) : undefined
  const none = filtered !== null && filtered.count === 0 && filtered.complete && !filtered.busy
  return (
    <div className={classes.pane}>
      <LogToolbar
        runId={run.id}
        log={log}
        address={address}
        onAddress={setAddress}
        searchState={search.state}
        onSearch={onSearch}
        onError={onError}
        follow={follow}
        onFollow={setFollow}
      />
      {log.error ? <ErrorState what="log" error={log.error} onRetry={log.retry} compact /> : null}
      {whole.loaded && whole.count === 0 ? <EmptyLog run={run} /> : null}
      {none ? (
        <EmptyState
          icon={IconFilterOff}
          title={t('log.noneTitle')}
          text={t('log.noneText')}
          action={
            <Button variant="default" onClick={() => setAddress({ q: '', only: false, level: null })}>
              {t('log.clear')}
            </Button>
          }
          compact
        />
      ) : null}
      <LogView
        ref={view}
        rows={rows}
        contiguous={filtered === null}
        search={q}
        chosen={lines}
        step={step}
        showAttempt={run.attempt > 1}
        digits={String(whole.count).length}
        follow={follow && following}
        onFollow={setFollow}
        onChoose={choose}
        onCopy={() => lines && void copyLines(lines)}
        hrefOf={hrefOf}
        label={t('log.label', { id: run.id })}
      />
      {lines ? (
        <ChosenLines
          range={lines}
          filtered={filtered !== null}
          onCopy={() => void copyLines(lines)}
          onCopyLink={() => void copyLink()}
          onContext={() => setAddress({ only: false, level: null })}
          onClear={() => setAddress({ lines: null })}
        />
      ) : null}
      {chosenLine && needsMore(chosenLine.message, isWrapped(count)) ? (
        <ScrollRegion className={classes.whole} label={t('log.whole')}>
          {plainText(chosenLine.message)}
        </ScrollRegion>
      ) : null}
    </div>
  )
}
