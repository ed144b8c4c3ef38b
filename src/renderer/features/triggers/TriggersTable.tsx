import { notifications } from '@mantine/notifications'
import { IconClock, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type Trigger, deleteTrigger, listTriggers, updateTrigger } from '../../../contract/triggers.ts'
import { useAction, useList } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowActions } from '../../ui/RowActions.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { FiringsPane } from './FiringsPane.tsx'
import { RemoveTriggerDialog } from './RemoveTriggerDialog.tsx'
import { TriggerDialog } from './TriggerDialog.tsx'
import { triggerColumns } from './trigger-columns.tsx'
import classes from './triggers.module.css'
import { useCronWords } from './use-cron-words.ts'
import { dateText } from '../../ui/format.ts'

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

interface Deeds {
  edit: (trigger: Trigger) => void
  remove: (trigger: Trigger) => void
  toggle: (trigger: Trigger, enabled: boolean) => void
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

function useColumns(withJob: boolean, deeds: Deeds | null): TableColumn<Trigger>[] {
  const { t } = useTranslation('triggers')
  const when = useWhen()
  return useMemo(() => {
    const shared = triggerColumns<Trigger>(t, {
      label: (row) => t('switch', { job: row.job_name, when: when(row) }),
      toggle: deeds && deeds.toggle,
    })
    const columns: TableColumn<Trigger>[] = [
      shared.enabled,
      ...(withJob ? [shared.job] : []),
      { id: 'when', header: t('columns.when'), minWidth: 250, cell: (row) => <When trigger={row} text={when(row)} /> },
      {
        id: 'zone',
        header: t('columns.zone'),
        width: 140,
        cell: (row) => (row.type === 'cron' ? row.timezone : null),
      },
      shared.what,
      {
        id: 'next',
        header: t('columns.next'),
        width: 96,
        cell: (row) => <RelativeTime at={row.enabled === 1 ? row.next_fire_at : null} fallback={t('off')} />,
      },
      shared.last,
    ]
    if (!deeds) return columns
    const action: TableColumn<Trigger> = {
      id: 'action',
      header: '',
      label: t('edit'),
      width: 80,
      cell: (row) => (
        <RowActions
          actions={[
            { label: t('editOf', { name: when(row) }), icon: IconPencil, shortcut: 'e', run: () => deeds.edit(row) },
            {
              label: t('removeOf', { name: when(row) }),
              icon: IconTrash,
              shortcut: 'Delete',
              run: () => deeds.remove(row),
            },
          ]}
        />
      ),
    }
    return [...columns, action]
  }, [t, when, withJob, deeds])
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
}

/** Triggers as a table; what became of the chosen one's firings below. */
export function TriggersTable({ jobId }: TriggersTableProps) {
  const { t } = useTranslation('triggers')
  const { can } = useSession()
  const [address, setAddress] = useAddress()
  const list = useList(listTriggers, { query: { job_id: jobId } }, { keepPrevious: true })
  const [editing, setEditing] = useState<Trigger | null>(null)
  const [removing, setRemoving] = useState<Trigger | null>(null)
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
  const deeds = useMemo(
    (): Deeds | null =>
      mayChange
        ? {
            edit: setEditing,
            remove: setRemoving,
            toggle: (trigger, enabled) =>
              update(
                { params: { id: trigger.id }, body: { enabled } },
                { onError: (error) => notifications.show({ color: 'red', message: error.message }) },
              ),
          }
        : null,
    [mayChange, update],
  )
  const columns = useColumns(jobId === undefined, deeds)
  const chosen = list.rows.find((row) => String(row.id) === address.get('trigger'))
  const choose = (trigger: Trigger) => setAddress({ trigger: String(trigger.id) })
  const table = (
    <DataTable
      id="triggers"
      label={t('title')}
      rows={list.rows}
      columns={columns}
      rowKey={(row) => row.id}
      activeKey={chosen?.id ?? null}
      onActiveChange={choose}
      onOpen={choose}
      isMuted={(row) => row.enabled === 0}
      {...listProps(list)}
      empty={
        <EmptyState
          icon={IconClock}
          title={t('empty.title')}
          text={t('empty.text')}
          action={<NewTrigger jobId={jobId} />}
        />
      }
    />
  )
  return (
    <>
      {chosen ? (
        <SplitPane id="triggers" direction="vertical" initial={0.6} minSize={120}>
          {table}
          <FiringsPane key={chosen.id} triggerId={chosen.id} />
        </SplitPane>
      ) : (
        table
      )}
      <TriggerDialog
        opened={editing !== null}
        trigger={editing}
        jobId={jobId ?? null}
        onClose={() => setEditing(null)}
      />
      <RemoveTriggerDialog
        trigger={removing}
        operation={deleteTrigger}
        invalidates={stale}
        onClose={() => setRemoving(null)}
      />
    </>
  )
}
