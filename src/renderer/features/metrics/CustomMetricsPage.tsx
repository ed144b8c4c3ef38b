import { IconChartLine, IconPencil, IconPlus, IconSettings, IconTrash } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type MetricsConfig, getMetricsConfig, listMetrics } from '../../../contract/metrics.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { translateKept } from '../../i18n/translate.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Page } from '../../ui/Page.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { RowMenuButton } from '../../ui/RowActions.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { useAddress } from '../../ui/use-address.ts'
import { CustomMetricDetails, type CustomMetricRow } from './CustomMetricDetails.tsx'
import { CustomMetricDialog } from './CustomMetricDialog.tsx'
import { MetricSettingsDialog } from './MetricSettingsDialog.tsx'
import type { MetricDraft } from './custom-metric-draft.ts'
import { measureText } from '../../ui/quantity.ts'
import { stateLook } from './metric-values.ts'
import { periodOf } from './metrics.rules.ts'
import { useMetricsTabs } from './use-metrics-tabs.ts'
import { metricIn, useRemoveMetric } from './use-save-metric.ts'

/** Values come with runs, of which there may be hundreds a second. */
const renewMs = 15_000

interface Deeds {
  edit(name: string): void
  remove(name: string): void
}

function useColumns(deeds: Deeds | null): TableColumn<CustomMetricRow>[] {
  const { t } = useTranslation('metrics')
  return useMemo(() => {
    const columns: TableColumn<CustomMetricRow>[] = [
      {
        id: 'state',
        header: t('columns.state'),
        width: 164,
        uncut: true,
        cell: ({ custom: { state } }) => <StatusBadge status={stateLook[state]} label={t(`states.${state}`)} />,
      },
      { id: 'name', header: t('columns.name'), minWidth: 160, mono: true, names: true, cell: ({ name }) => name },
      {
        id: 'value',
        header: t('columns.value'),
        width: 130,
        align: 'right',
        cell: ({ unit, custom: { value } }) => (value === null ? null : measureText(value, unit)),
      },
      {
        id: 'kind',
        header: t('columns.kind'),
        width: 120,
        yields: 2,
        cell: ({ custom: { kind } }) => t(`kinds.${kind}`),
      },
      {
        id: 'updated',
        header: t('columns.updated'),
        width: 110,
        yields: 1,
        cell: ({ custom: { value_at } }) => <RelativeTime at={value_at} />,
      },
      {
        id: 'text',
        header: t('columns.text'),
        minWidth: 160,
        grow: 2,
        // The details have it, too.
        yields: 3,
        cell: ({ custom: { description, error_message, error_params } }) =>
          translateKept(error_message, error_params) ?? description,
      },
    ]
    if (!deeds) return columns
    const action: TableColumn<CustomMetricRow> = {
      id: 'action',
      header: '',
      label: t('columns.action'),
      width: 40,
      pinned: true,
      cell: ({ name }) => (
        <RowMenuButton
          actions={[
            {
              label: t('edit', { name }),
              text: t('menu.edit'),
              icon: IconPencil,
              shortcut: 'e',
              run: () => deeds.edit(name),
            },
            {
              label: t('remove', { name }),
              text: t('menu.remove'),
              icon: IconTrash,
              shortcut: 'Delete',
              danger: true,
              needsServer: true,
              run: () => deeds.remove(name),
            },
          ]}
        />
      ),
    }
    return [...columns, action]
  }, [t, deeds])
}

function RemoveDialog({ name, onClose }: { name: string | null; onClose: () => void }) {
  const { t } = useTranslation('metrics')
  const remove = useRemoveMetric()
  const done = () => {
    notifications.show({ message: t('removed', { name: name ?? '' }) })
    onClose()
  }
  return (
    <ConfirmDialog
      opened={name !== null}
      title={t('removeTitle', { name: name ?? '' })}
      text={t('removeText')}
      confirmLabel={t('removeConfirm')}
      danger
      busy={remove.isPending}
      error={remove.error?.message}
      onClose={onClose}
      onConfirm={() => {
        if (name !== null) remove.mutate(name, { onSuccess: done })
      }}
    />
  )
}

interface Editing {
  opened: boolean
  name: string | null
  start: Partial<MetricDraft>
}
const closed: Editing = { opened: false, name: null, start: {} }

/** Metrics of this installation: their state and values, and where they are made. */
export function CustomMetricsPage() {
  const { t } = useTranslation('metrics')
  const { can } = useSession()
  const [address, change] = useAddress()
  const list = useOperation(listMetrics, {}, { renewMs: () => renewMs })
  const config = useOperation(getMetricsConfig)
  const tabs = useMetricsTabs('custom')
  const wanted = address.get('new')
  const [editing, setEditing] = useState<Editing>(() =>
    wanted === null
      ? closed
      : { opened: true, name: null, start: { kind: 'freshness', of: 'dataset', dataset: wanted } },
  )
  const [removing, setRemoving] = useState<string | null>(null)
  const [settings, setSettings] = useState<MetricsConfig | null>(null)
  const mayChange = can('updateMetricsConfig')
  const deeds = useMemo<Deeds | null>(
    () => (mayChange ? { edit: (name) => setEditing({ opened: true, name, start: {} }), remove: setRemoving } : null),
    [mayChange],
  )
  const columns = useColumns(deeds)
  const rows = useMemo(
    () => (list.data ?? []).flatMap(({ custom, ...metric }) => (custom ? [{ ...metric, custom }] : [])),
    [list.data],
  )
  const name = address.get('metric')
  const metric = rows.find((row) => row.name === name)
  const definition = config.data && name !== null ? metricIn(config.data, name) : undefined
  const create = mayChange ? (
    <CommandButton
      id="metrics.new"
      label={t('new')}
      icon={IconPlus}
      onClick={() => setEditing({ opened: true, name: null, start: {} })}
      shortcut="c"
    />
  ) : null
  const table = (
    <DataTable
      id="custom-metrics"
      label={t('tabs.custom')}
      rows={rows}
      columns={columns}
      rowKey={(row) => row.name}
      activeKey={metric?.name ?? null}
      onActiveChange={(row) => change({ metric: row.name })}
      loading={list.isPending}
      error={list.error ?? config.error}
      what="custom-metrics"
      onRetry={() => void Promise.all([list.refetch(), config.refetch()])}
      empty={<EmptyState icon={IconChartLine} title={t('custom.title')} text={t('custom.text')} action={create} />}
    />
  )
  return (
    <Page
      title={t('title')}
      layout="fill"
      tabs={tabs}
      actions={
        mayChange ? (
          <>
            <CommandButton
              id="metrics.settings"
              label={t('settings.open')}
              variant="default"
              icon={IconSettings}
              onClick={() => setSettings(config.data ?? null)}
            />
            {create}
          </>
        ) : null
      }
    >
      {metric && definition ? (
        <SplitPane id="custom-metrics" initial={0.6} minSize={300}>
          {table}
          <CustomMetricDetails
            key={metric.name}
            metric={metric}
            definition={definition}
            time={periodOf(address.get('time'))}
            onTime={(time) => change({ time })}
            onEdit={deeds && (() => deeds.edit(metric.name))}
            onClose={() => change({ metric: null })}
          />
        </SplitPane>
      ) : (
        table
      )}
      <CustomMetricDialog
        {...editing}
        config={config.data}
        onClose={(saved) => {
          setEditing((now) => ({ ...now, opened: false }))
          change({ new: null, ...(saved === undefined ? {} : { metric: saved }) })
        }}
      />
      <RemoveDialog name={removing} onClose={() => setRemoving(null)} />
      <MetricSettingsDialog config={settings} onClose={() => setSettings(null)} />
    </Page>
  )
}
