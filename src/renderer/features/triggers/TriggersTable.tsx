import { notifications } from '@mantine/notifications'
import { IconClock, IconPlus } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Trigger, deleteTrigger, listTriggers, triggerKinds, updateTrigger } from '../../../contract/triggers.ts'
import { call } from '../../api/client.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { dateText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import { idsOf, known } from '../../ui/work-list/list-address.rules.ts'
import { type ListAddress, useListAddress } from '../../ui/work-list/use-list-address.ts'
import { useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { FiringsPane } from './FiringsPane.tsx'
import { TriggerDialog } from './TriggerDialog.tsx'
import { triggerColumns } from './trigger-columns.tsx'
import { JobsFilter, NoTriggersMatch, enabledOf, useEnabledFilter } from './trigger-filters.tsx'
import classes from './triggers.module.css'
import { useCronWords } from './use-cron-words.ts'
import { type TriggerDeeds, useTriggerActions } from './use-trigger-actions.ts'

const stale = ['listTriggers', 'getTriggerCalendar', 'listJobs', 'getJob'] as const

/** To the minute, by the clocks of the reader: `21 Nov 2026, 18:04`. */
const momentText = (at: Date) => dateText(at, 'moment')

function useWhen() {
  const { t } = useTranslation('triggers')
  return useCallback(
    ({ type, cron_expression: expression }: Trigger) =>
      type === 'one_off' && expression ? t('oneOff', { at: momentText(new Date(expression)) }) : (expression ?? ''),
    [t],
  )
}

/** The five fields as they were written, and what they say where that can be said in few words. */
function When({ trigger, text }: { trigger: Trigger; text: string }) {
  const words = useCronWords()(trigger.type === 'cron' ? text : '')
  if (trigger.type !== 'cron') return text
  return (
    <>
      <code>{text}</code> {words ? <span className={classes.words}>{words}</span> : null}
    </>
  )
}

interface ColumnOptions {
  withJob: boolean
  toggle: ((trigger: Trigger, enabled: boolean) => void) | null
  recent: readonly TableColumn<{ id: number }>[]
}

function useColumns({ withJob, toggle, recent }: ColumnOptions): TableColumn<Trigger>[] {
  const { t } = useTranslation('triggers')
  const when = useWhen()
  return useMemo((): TableColumn<Trigger>[] => {
    const shared = triggerColumns<Trigger>(t, {
      label: (row) => t('switch', { job: row.job_name, when: when(row) }),
      toggle,
    })
    return [
      shared.enabled,
      ...(withJob ? [shared.job] : []),
      {
        id: 'when',
        header: t('columns.when'),
        minWidth: 190,
        grow: 2,
        cell: (row) => <When trigger={row} text={when(row)} />,
      },
      {
        id: 'zone',
        header: t('columns.zone'),
        width: 124,
        cell: (row) => (row.type === 'cron' ? row.timezone : null),
      },
      shared.what,
      ...recent,
      {
        id: 'next',
        header: t('columns.next'),
        width: 96,
        sortable: true,
        cell: (row) => <RelativeTime at={row.enabled === 1 ? row.next_fire_at : null} fallback={t('off')} />,
      },
      { ...shared.last, hidden: true },
      shared.created,
    ]
  }, [t, when, withJob, toggle, recent])
}

interface NewTriggerProps {
  jobId?: number | undefined
  /** Where the page has a main action of another kind. */
  variant?: 'default'
}

/** The button with its dialog; nothing for those who may not. */
export function NewTrigger({ jobId, ...button }: NewTriggerProps) {
  const { t } = useTranslation('triggers')
  const { can } = useSession()
  const [opened, setOpened] = useState(false)
  if (!can('createTrigger')) return null
  return (
    <>
      <CommandButton
        {...button}
        id="trigger.new"
        label={t('new')}
        icon={IconPlus}
        onClick={() => setOpened(true)}
        shortcut="c"
      />
      <TriggerDialog opened={opened} trigger={null} jobId={jobId ?? null} onClose={() => setOpened(false)} />
    </>
  )
}

export interface TriggersTableProps {
  /** Those of one job; all without it. */
  jobId?: number
  /** The user works in the other list of the page. */
  quiet?: boolean
}

const filters = ['enabled', 'type', 'job_id']
const sortable = ['next'] as const
const keyOf = (row: Trigger) => row.id
const isDisabled = (row: Trigger) => row.enabled === 0

function useQueryOf({ q, sort, values }: ListAddress, jobId: number | undefined) {
  return useMemo(
    () =>
      jobId === undefined
        ? {
            q: q || undefined,
            job_id: idsOf(values('job_id'))?.[0],
            type: known(values('type'), triggerKinds)?.[0],
            enabled: enabledOf(values('enabled')),
            ...(sort?.id === 'next' ? { sort: 'next_fire_at' as const, order: sort.order } : {}),
          }
        : { job_id: jobId },
    [q, sort, values, jobId],
  )
}

/** Triggers by the clock; what became of the times of the chosen one below. */
export function TriggersTable({ jobId, quiet = false }: TriggersTableProps) {
  const { t } = useTranslation('triggers')
  const { can } = useSession()
  const listAddress = useListAddress(filters, sortable)
  const [address, setAddress] = useAddress()
  const list = useList(listTriggers, { query: useQueryOf(listAddress, jobId) }, { keepPrevious: true })
  const [editing, setEditing] = useState<Trigger | null>(null)
  const { mutate: update } = useAction(updateTrigger, {
    invalidates: stale,
    ahead: ({ params, body }) => ({
      record: 'getTrigger',
      list: 'listTriggers',
      id: params?.id ?? 0,
      fields: { enabled: body?.enabled ? 1 : 0 },
    }),
  })
  const mayChange = can('updateTrigger')
  const toggle = useMemo(
    () =>
      mayChange
        ? ({ id }: Trigger, enabled: boolean) =>
            update(
              { params: { id }, body: { enabled } },
              { onError: (error) => notifications.show({ color: 'red', message: error.message }) },
            )
        : null,
    [mayChange, update],
  )
  const deeds = useMemo(
    (): TriggerDeeds<Trigger> | null =>
      mayChange
        ? {
            edit: setEditing,
            enable: (id, enabled) => call(updateTrigger, { params: { id }, body: { enabled } }),
            remove: (id) => call(deleteTrigger, { params: { id } }),
          }
        : null,
    [mayChange],
  )
  const actions = useTriggerActions(deeds)
  const recent = useRecentColumns('trigger', list.rows, true)
  const columns = useColumns({ withJob: jobId === undefined, toggle, recent })
  const when = useWhen()
  const nameOf = useCallback((row: Trigger) => `${row.job_name} · ${when(row)}`, [when])
  const chosen = list.rows.find((row) => String(row.id) === address.get('trigger'))
  const choose = (trigger: Trigger) => setAddress({ trigger: String(trigger.id) })
  const enabledFilter = useEnabledFilter()
  const choices = useMemo(
    () => [
      enabledFilter,
      {
        id: 'type',
        label: t('form.type'),
        single: true as const,
        options: triggerKinds.map((value) => ({ value, label: t(`form.types.${value}`) })),
      },
    ],
    [enabledFilter, t],
  )
  const filtered = jobId === undefined && listAddress.filtered
  const table = (
    <WorkList
      id="triggers"
      label={t('title')}
      list={list}
      columns={columns}
      rowKey={keyOf}
      nameOf={nameOf}
      isMuted={isDisabled}
      activeKey={chosen?.id ?? null}
      onActiveChange={choose}
      onOpen={choose}
      address={listAddress}
      search={t('search')}
      choices={choices}
      more={<JobsFilter address={listAddress} />}
      actions={actions}
      invalidates={stale}
      part={jobId !== undefined}
      quiet={quiet}
      total={list.total === undefined ? null : t('count', { count: list.total })}
      empty={
        filtered ? (
          <NoTriggersMatch onClear={listAddress.clear} />
        ) : (
          <EmptyState
            icon={IconClock}
            title={t('empty.title')}
            text={t('empty.text')}
            action={<NewTrigger jobId={jobId} />}
          />
        )
      }
    />
  )
  return (
    <>
      <SplitPane id="triggers" direction="vertical" initial={0.6} minSize={120}>
        {table}
        {chosen ? <FiringsPane key={chosen.id} triggerId={chosen.id} /> : null}
      </SplitPane>
      <TriggerDialog
        opened={editing !== null}
        trigger={editing}
        jobId={jobId ?? null}
        onClose={() => setEditing(null)}
      />
    </>
  )
}
