import { translateKept } from '../../i18n/translate.ts'
import { IconClockPlay } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { type TriggerFiring, listTriggerFirings } from '../../../contract/triggers.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { dateText } from '../../ui/format.ts'
import { listProps } from '../../ui/list-props.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { outcomeLooks } from './CalendarEntries.tsx'

function useColumns(): TableColumn<TriggerFiring>[] {
  const { t } = useTranslation('triggers')
  return useMemo(
    () => [
      {
        id: 'scheduled',
        header: t('firings.scheduled'),
        width: 240,
        cell: (row) => dateText(new Date(row.scheduled_at), 'zonedMoment'),
      },
      { id: 'fired', header: t('firings.fired'), width: 120, cell: (row) => <RelativeTime at={row.fired_at} /> },
      {
        id: 'outcome',
        header: t('firings.outcome'),
        uncut: true,
        minWidth: 140,
        cell: (row) => <StatusBadge status={outcomeLooks[row.outcome]} label={t(`outcome.${row.outcome}`)} />,
      },
      {
        id: 'job_run',
        header: t('firings.jobRun'),
        width: 100,
        cell: (row) =>
          row.job_run_id === null ? null : <Link to={paths.jobRun(row.job_run_id)}>#{row.job_run_id}</Link>,
      },
      {
        id: 'message',
        header: t('firings.message'),
        minWidth: 160,
        grow: 3,
        cell: (row) => {
          const text = translateKept(row.message, row.message_params)
          return text && <span title={text}>{text}</span>
        },
      },
    ],
    [t],
  )
}

/** What became of a trigger's firings, newest first. */
export function FiringsPane({ triggerId }: { triggerId: number }) {
  const { t } = useTranslation('triggers')
  const list = useList(listTriggerFirings, { params: { id: triggerId } })
  const columns = useColumns()
  return (
    <DataTable
      id="trigger-firings"
      label={t('firings.title')}
      rows={list.rows}
      columns={columns}
      rowKey={(row) => row.id}
      {...listProps(list)}
      what="trigger-runs"
      empty={<EmptyState compact icon={IconClockPlay} title={t('firings.none')} />}
    />
  )
}
