import { Button, Group, Modal } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OperationId } from '../../../contract/operations.ts'
import { useCommands } from '../../commands/commands.ts'
import { ConfirmDialog } from '../ConfirmDialog.tsx'
import { Kbd } from '../Kbd.tsx'
import { numberText } from '../format.ts'
import { type Outcome, everySoOften, performAll } from './perform.rules.ts'
import classes from './work-list.module.css'
import type { Deed, ListAction } from './work-list.types.ts'
import { useOpening } from '../use-opening.ts'

interface Options<Row> {
  nameOf: (row: Row) => string
  /** Stale once something was done. */
  invalidates: readonly OperationId[]
  /** All rows that are loaded. */
  listed: readonly Row[]
  /** What was refused is left. */
  onDone: (refused: readonly Row[]) => void
}

interface Asked<Row> {
  action: ListAction<Row>
  rows: readonly Row[]
}
interface Report<Row> extends Asked<Row> {
  outcomes: readonly Outcome<Row>[]
  deed: Deed<Row>
}

export interface Progress {
  label: string
  done: number
  total: number
  stop: () => void
}

export interface ListActions<Row> {
  run(action: ListAction<Row>, rows: readonly Row[]): void
  /** What is under way, and how far. */
  progress: Progress | null
  /** Questions and reports. */
  dialogs: ReactNode
}

const undoKeys = 'mod+z'
/** So many refusals are listed. */
const mostListed = 100

/** Whether an action takes so many records. */
export const takes = ({ only, most }: Pick<ListAction<never>, 'only' | 'most'>, count: number): boolean =>
  (only === undefined || only === count) && (most === undefined || count <= most)

/** Which of the rows an action can be done with. */
export const suited = <Row,>(action: ListAction<Row>, rows: readonly Row[]): readonly Row[] =>
  action.when ? rows.filter(action.when) : rows

/** What only leads somewhere needs no server. */
export const needsServer = ({ go }: Pick<ListAction<never>, 'go'>): boolean => go === undefined

/** Performs the actions of a list: asks first where they say so, does each record alone, reports each, and takes back what can be. */
/** What an action is called that is done with these rows: one that asks first opens a dialog. */
export function useActionName(): <Row>(action: ListAction<Row>, rows: readonly Row[]) => string {
  const opening = useOpening()
  return (action, rows) => (action.question?.(suited(action, rows)) ? opening(action.label) : action.label)
}

export function useListActions<Row>({ nameOf, invalidates, listed, onDone }: Options<Row>): ListActions<Row> {
  const { t } = useTranslation('lists')
  const client = useQueryClient()
  const [asked, setAsked] = useState<Asked<Row> | null>(null)
  const [filling, setFilling] = useState<Asked<Row> | null>(null)
  const [report, setReport] = useState<Report<Row> | null>(null)
  const [progress, setProgress] = useState<ListActions<Row>['progress']>(null)
  /** What can be taken back while its notification is shown. */
  const [latest, setLatest] = useState<{ id: string; outcomes: readonly Outcome<Row>[] } | null>(null)
  const busy = useRef(false)

  const renew = useCallback(() => {
    for (const id of invalidates) void client.invalidateQueries({ queryKey: [id] })
  }, [client, invalidates])

  /** One thing at a time: with each row, saying how far it is. Undefined: something else is under way. */
  const doAll = useCallback(
    async <One,>(label: string, rows: readonly One[], deed: Deed<One>): Promise<Outcome<One>[] | undefined> => {
      if (busy.current) return undefined
      busy.current = true
      const stopping = new AbortController()
      const show = (done: number) => setProgress({ label, done, total: rows.length, stop: () => stopping.abort() })
      if (rows.length > 1) show(0)
      const onDone = rows.length > 1 ? everySoOften(show) : undefined
      const outcomes = await performAll(rows, deed, { onDone, signal: stopping.signal })
      busy.current = false
      setProgress(null)
      return outcomes
    },
    [],
  )

  const takeBack = useCallback(
    async (outcomes: readonly Outcome<Row>[]) => {
      const undone = await doAll(t('actions.undo'), outcomes, async ({ undo }) => void (await undo?.()))
      if (!undone) return
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
    [doAll, renew, t],
  )

  const perform = useCallback(
    async (action: ListAction<Row>, rows: readonly Row[], deed: Deed<Row>) => {
      const outcomes = await doAll(action.label, rows, deed)
      if (!outcomes) return
      renew()
      const failed = outcomes.filter(({ error }) => error)
      const good = outcomes.filter(({ error }) => !error)
      onDone(failed.map(({ row }) => row))
      if (good.length > 0) {
        const undoable = good.filter(({ undo }) => undo)
        const id = crypto.randomUUID()
        if (undoable.length > 0) setLatest({ id, outcomes: undoable })
        notifications.show({
          id,
          onClose: () => setLatest((now) => (now?.id === id ? null : now)),
          autoClose: undoable.length > 0 ? 12_000 : 5_000,
          message: (
            <Group justify="space-between" gap={12} wrap="nowrap">
              <span>{action.done?.(good.length) ?? action.label}</span>
              {undoable.length > 0 ? (
                <Button
                  size="compact-xs"
                  variant="default"
                  rightSection={<Kbd keys={undoKeys} />}
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
    [doAll, renew, onDone, takeBack, t],
  )

  const run = useCallback(
    (action: ListAction<Row>, all: readonly Row[]) => {
      const rows = suited(action, all)
      if (rows.length === 0 || !takes(action, rows.length)) return
      if (action.form) setFilling({ action, rows })
      else if (action.go) action.go(rows)
      else if (action.question?.(rows)) setAsked({ action, rows })
      else if (action.perform) void perform(action, rows, action.perform)
    },
    [perform],
  )

  useCommands([
    {
      id: 'list.undo',
      title: t('actions.undo'),
      group: 'row',
      icon: IconArrowBackUp,
      shortcut: undoKeys,
      when: latest !== null,
      needsServer: true,
      run: () => {
        if (!latest) return
        notifications.hide(latest.id)
        void takeBack(latest.outcomes)
      },
    },
  ])

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
  const Form = filling?.action.form
  const dialogs = (
    <>
      {filling && Form ? (
        <Form
          rows={filling.rows}
          listed={listed}
          onClose={() => setFilling(null)}
          perform={(deed) => {
            setFilling(null)
            void perform(filling.action, filling.rows, deed)
          }}
        />
      ) : null}
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
          {failed.slice(0, mostListed).map(({ row, error }) => (
            <li key={nameOf(row)}>
              <b>{nameOf(row)}</b>
              <span>{error?.message}</span>
            </li>
          ))}
          {failed.length > mostListed ? (
            <li>
              {t('actions.moreRefused', {
                count: failed.length - mostListed,
                formatted: numberText(failed.length - mostListed),
              })}
            </li>
          ) : null}
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
