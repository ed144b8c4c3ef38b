import { Button, Group, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../../contract/operations.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { type Outcome, type Undo, performAll } from './perform.rules.ts'
import classes from './work-list.module.css'
import type { ListAction } from './work-list.types.ts'

interface Options<Row> {
  nameOf: (row: Row) => string
  /** Stale once something was done. */
  invalidates: readonly OperationId[]
  onDone: () => void
}

interface Asked<Row> {
  action: ListAction<Row>
  rows: readonly Row[]
}
interface Report<Row> extends Asked<Row> {
  outcomes: readonly Outcome<Row>[]
  deed: (row: Row) => Promise<Undo | void>
}

export interface ListActions<Row> {
  run(action: ListAction<Row>, rows: readonly Row[]): void
  /** What is under way, and how far. */
  progress: { label: string; done: number; total: number; stop: () => void } | null
  /** Questions and reports. */
  dialogs: ReactNode
}

/** Which of the rows an action can be done with. */
export const suited = <Row,>(action: ListAction<Row>, rows: readonly Row[]): readonly Row[] =>
  action.when ? rows.filter(action.when) : rows

/** Performs the actions of a list: asks first where they say so, does each record alone, reports each, and takes back what can be. */
export function useListActions<Row>({ nameOf, invalidates, onDone }: Options<Row>): ListActions<Row> {
  const { t } = useTranslation('lists')
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked<Row> | null>(null)
  const [report, setReport] = useState<Report<Row> | null>(null)
  const [progress, setProgress] = useState<ListActions<Row>['progress']>(null)
  const busy = useRef(false)

  const renew = useCallback(() => {
    for (const id of invalidates) void client.invalidateQueries({ queryKey: [id] })
  }, [client, invalidates])

  const takeBack = useCallback(
    async (outcomes: readonly Outcome<Row>[]) => {
      const undone = await performAll(outcomes, async ({ undo }) => void (await undo?.()))
      const failed = undone.filter(({ error }) => error)
      renew()
      notifications.show(
        failed.length === 0
          ? { message: t('actions.undone') }
          : {
              color: 'red',
              message: t('actions.undoFailed', { count: failed.length, reason: failed[0]?.error?.message ?? '' }),
            },
      )
    },
    [renew, t],
  )

  const perform = useCallback(
    async (action: ListAction<Row>, rows: readonly Row[], deed: (row: Row) => Promise<Undo | void>) => {
      if (busy.current) return
      busy.current = true
      const stopping = new AbortController()
      const show = (done: number) =>
        setProgress({ label: action.label, done, total: rows.length, stop: () => stopping.abort() })
      if (rows.length > 1) show(0)
      const outcomes = await performAll(rows, deed, {
        onDone: (count) => rows.length > 1 && show(count),
        signal: stopping.signal,
      })
      busy.current = false
      setProgress(null)
      renew()
      const failed = outcomes.filter(({ error }) => error)
      const good = outcomes.filter(({ error }) => !error)
      if (failed.length === 0) onDone()
      if (good.length > 0) {
        const undoable = good.filter(({ undo }) => undo)
        const id = notifications.show({
          autoClose: undoable.length > 0 ? 12_000 : 5_000,
          message: (
            <Group justify="space-between" gap={12} wrap="nowrap">
              <span>{action.done?.(good.length) ?? action.label}</span>
              {undoable.length > 0 ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  onClick={() => {
                    notifications.hide(id)
                    void takeBack(undoable)
                  }}
                >
                  {t('actions.undo')}
                </Button>
              ) : null}
            </Group>
          ),
        })
      }
      if (failed.length === 0) return
      if (rows.length === 1) {
        notifications.show({ color: 'red', message: failed[0]?.error?.message ?? '' })
        return
      }
      setReport({ action, rows, outcomes, deed })
    },
    [renew, onDone, takeBack, t],
  )

  const run = useCallback(
    (action: ListAction<Row>, all: readonly Row[]) => {
      const rows = suited(action, all)
      if (rows.length === 0) return
      if (action.go) action.go(rows)
      else if (action.question?.(rows)) setAsked({ action, rows })
      else if (action.perform) void perform(action, rows, action.perform)
    },
    [perform],
  )

  const question = asked?.action.question?.(asked.rows)
  const close = () => setAsked(null)
  const failed = report?.outcomes.filter(({ error }) => error) ?? []
  const again = () => {
    setReport(null)
    if (report)
      void perform(
        report.action,
        failed.map(({ row }) => row),
        report.deed,
      )
  }
  const dialogs = (
    <>
      <ConfirmDialog
        opened={Boolean(question)}
        title={question?.title ?? ''}
        text={question?.text ?? ''}
        confirmLabel={asked?.action.label ?? ''}
        danger={asked?.action.danger ?? false}
        onClose={close}
        onConfirm={() => {
          close()
          if (asked?.action.perform) void perform(asked.action, asked.rows, asked.action.perform)
        }}
      />
      <Modal
        opened={report !== null}
        onClose={() => setReport(null)}
        size={560}
        title={
          <b>
            {t('actions.report', {
              action: report?.action.label ?? '',
              done: (report?.outcomes.length ?? 0) - failed.length,
              total: report?.rows.length ?? 0,
            })}
          </b>
        }
        closeButtonProps={{ 'aria-label': t('actions.close') }}
      >
        <ul className={classes.report}>
          {failed.map(({ row, error }) => (
            <li key={nameOf(row)}>
              <b>{nameOf(row)}</b>
              <span>{error?.message}</span>
            </li>
          ))}
        </ul>
        <Group justify="flex-end" mt={12} gap={8}>
          <Button variant="default" onClick={() => setReport(null)}>
            {t('actions.close')}
          </Button>
          <Button onClick={again} data-autofocus>
            {t('actions.retry', { count: failed.length })}
          </Button>
        </Group>
      </Modal>
    </>
  )
  return { run, progress, dialogs }
}
