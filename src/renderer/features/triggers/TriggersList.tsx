import { notifications } from '@mantine/notifications'
import { IconPlus, type TablerIcon } from '@tabler/icons-react'
import { type ReactNode, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createEventTrigger, deleteEventTrigger, updateEventTrigger } from '../../../contract/event-triggers.ts'
import { createTrigger, deleteTrigger, updateTrigger } from '../../../contract/triggers.ts'
import { call } from '../../api/client.ts'
import { type ListState, useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { EmptyList } from '../../ui/first-step/FirstStep.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { NoMatch } from '../../ui/work-list/NoMatch.tsx'
import { WorkList } from '../../ui/work-list/WorkList.tsx'
import type { ListAddress } from '../../ui/work-list/use-list-address.ts'
import type { ListAction } from '../../ui/work-list/work-list.types.ts'
import { type RecentColumn, useRecentColumns } from '../recent-runs/use-recent-columns.tsx'
import { TriggerDialog } from './TriggerDialog.tsx'
import { type SharedColumns, triggerColumns } from './trigger-columns.tsx'
import { type AnyTrigger, type TriggerKind, eventAgain, isEventTrigger, isTimed, timedAgain } from './trigger-draft.ts'
import { JobsFilter, useEnabledFilter } from './trigger-filters.tsx'
import { useTriggerActions } from './use-trigger-actions.ts'
import { staleTriggers } from './use-save-trigger.ts'

interface NewTriggerProps {
  jobId?: number | undefined
  /** What the dialog begins with. */
  kind?: TriggerKind
  /** Where the page has a main action of another kind. */
  variant?: 'default'
}

/** The button with its dialog; nothing for those who may not. */
export function NewTrigger({ jobId, kind = 'cron', ...button }: NewTriggerProps) {
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
      <TriggerDialog
        opened={opened}
        trigger={null}
        jobId={jobId ?? null}
        kind={kind}
        onClose={() => setOpened(false)}
      />
    </>
  )
}

export interface TriggersListProps {
  /** Those of one job; all without it. */
  jobId?: number | undefined
  /** The user works in the other list of the page. */
  quiet?: boolean
}

/** What one of the two lists has for itself: triggers by the clock, or on events. */
interface ListOf<T extends AnyTrigger> extends TriggersListProps {
  of: 'trigger' | 'event_trigger'
  label: string
  list: ListState<T>
  address: ListAddress
  nameOf: (row: T) => string
  /** What a row's switch is called. */
  switchName: (row: T) => string
  columns: (shared: SharedColumns<T>, recent: readonly RecentColumn[]) => TableColumn<T>[]
  kinds: readonly TriggerKind[]
  kindLabel: string
  /** What can be done with these alone. */
  own?: readonly ListAction<T>[]
  active?: T | undefined
  onChoose?: (row: T) => void
  empty: { icon: TablerIcon; title: string; text: string }
}

const keyOf = (row: AnyTrigger) => row.id
const isDisabled = (row: AnyTrigger) => row.enabled === 0
const noActions: readonly never[] = []

/** The two kinds of triggers differ in their operations, and in nothing that is done with them. */
const operations = {
  trigger: {
    id: 'triggers',
    update: updateTrigger,
    remove: deleteTrigger,
    cached: { record: 'getTrigger', list: 'listTriggers' },
  },
  event_trigger: {
    id: 'event-triggers',
    update: updateEventTrigger,
    remove: deleteEventTrigger,
    cached: { record: 'getEventTrigger', list: 'listEventTriggers' },
  },
} as const

/** Takes a deletion back: a new trigger like the deleted one. */
function recreation(trigger: AnyTrigger): (() => Promise<unknown>) | undefined {
  if (!isEventTrigger(trigger)) return () => call(createTrigger, { body: timedAgain(trigger) })
  const body = eventAgain(trigger)
  return body ? () => call(createEventTrigger, { body }) : undefined
}

function useChanges(of: ListOf<AnyTrigger>['of']) {
  const { can } = useSession()
  const { update, remove, cached } = operations[of]
  const { mutate } = useAction<typeof updateTrigger | typeof updateEventTrigger>(update, {
    invalidates: staleTriggers,
    ahead: ({ params, body }) => ({ ...cached, id: params?.id ?? 0, fields: { enabled: body?.enabled ? 1 : 0 } }),
  })
  const mayChange = can(update.id)
  return useMemo(
    () =>
      mayChange
        ? {
            toggle: ({ id }: AnyTrigger, enabled: boolean) =>
              mutate(
                { params: { id }, body: { enabled } },
                { onError: (error) => notifications.show({ color: 'red', message: error.message }) },
              ),
            enable: (id: number, enabled: boolean) => call(update, { params: { id }, body: { enabled } }),
            async remove(trigger: AnyTrigger) {
              await call(remove, { params: { id: trigger.id } })
              return recreation(trigger)
            },
          }
        : null,
    [mayChange, mutate, update, remove],
  )
}

/** Their schedules and events need the room. */
const notShown = ['last', 'rate'] as const

/** Triggers that people work with, of one kind; the dialog is that of both. */
export function TriggersList<T extends AnyTrigger>(props: ListOf<T>): ReactNode {
  const { of, jobId, quiet = false, label, list, address, nameOf, switchName, columns, kinds, kindLabel } = props
  const { own = noActions, active, onChoose, empty } = props
  const { t } = useTranslation('triggers')
  const [editing, setEditing] = useState<AnyTrigger | null>(null)
  const changes = useChanges(of)
  const deeds = useMemo(() => changes && { ...changes, edit: setEditing }, [changes])
  const shared = useTriggerActions<T>(deeds)
  const actions = useMemo(
    // What destroys stands last.
    () => (shared.length > 0 ? [...shared.slice(0, -1), ...own, ...shared.slice(-1)] : shared),
    [shared, own],
  )
  const recent = useRecentColumns(of, list.rows, notShown)
  const toggle = changes?.toggle ?? null
  const shown = useMemo(
    () =>
      columns(triggerColumns<T>(t, { label: switchName, toggle }), recent).filter(
        ({ id }) => id !== 'job' || jobId === undefined,
      ),
    [columns, t, switchName, toggle, recent, jobId],
  )
  const enabledFilter = useEnabledFilter()
  const choices = useMemo(
    () => [
      enabledFilter,
      {
        id: 'type',
        label: kindLabel,
        single: true as const,
        options: kinds.map((value) => ({ value, label: t(`form.types.${value}`) })),
      },
    ],
    [enabledFilter, kindLabel, kinds, t],
  )
  return (
    <>
      <WorkList
        id={operations[of].id}
        label={label}
        list={list}
        columns={shown}
        rowKey={keyOf}
        nameOf={nameOf}
        isMuted={isDisabled}
        {...(onChoose && { activeKey: active?.id ?? null, onActiveChange: onChoose, onOpen: onChoose })}
        address={address}
        search={t('search')}
        choices={choices}
        more={<JobsFilter address={address} />}
        actions={actions}
        invalidates={staleTriggers}
        part={jobId !== undefined}
        quiet={quiet}
        total={list.total === undefined ? null : t('count', { count: list.total })}
        empty={
          jobId === undefined && address.filtered ? (
            <NoMatch title={t('noMatch')} address={address} />
          ) : (
            <EmptyList
              goal="trigger"
              {...empty}
              // On the page of a job the button above both lists is near enough.
              action={jobId === undefined ? <NewTrigger kind={kinds.some(isTimed) ? 'cron' : 'webhook'} /> : null}
            />
          )
        }
      />
      <TriggerDialog
        opened={editing !== null}
        trigger={editing}
        jobId={jobId ?? null}
        onClose={() => setEditing(null)}
      />
    </>
  )
}
