import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { Run } from '../../../contract/runs.ts'
import { paths } from '../../paths.ts'
import { DataTable, rowHeight } from '../../ui/DataTable.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from './home.module.css'
import { countText } from '../../ui/format.ts'

export interface RunTableProps {
  label: string
  runs: readonly Run[]
  loading: boolean
  error: Error | null
  onRetry: () => void
  empty: ReactNode
  /** Rows that the table is tall enough for. */
  visibleRows: number
}

function useColumns(): TableColumn<Run>[] {
  const { t } = useTranslation('home')
  return useMemo(() => {
    const number: TableColumn<Run> = { id: 'id', header: t('columns.run'), width: 84, cell: (run) => `#${run.id}` }
    const task: TableColumn<Run> = {
      id: 'task',
      header: t('columns.task'),
      minWidth: 120,
      names: true,
      cell: (run) => run.task_name,
    }
    const created: TableColumn<Run> = {
      id: 'created',
      header: t('columns.started'),
      width: 104,
      cell: (run) => <RelativeTime at={run.created_at} />,
    }
    return [
      number,
      {
        id: 'status',
        header: t('columns.status'),
        width: 188,
        uncut: true,
        cell: (run) => <StatusBadge status={run.status} />,
      },
      task,
      {
        id: 'rows',
        header: t('columns.rows'),
        width: 96,
        align: 'right',
        cell: (run) => countText(run.item_count) ?? '',
      },
      {
        id: 'duration',
        header: t('columns.duration'),
        width: 84,
        align: 'right',
        cell: (run) => <Duration ms={run.duration_ms} since={run.status === 'running' ? run.started_at : null} />,
      },
      created,
    ]
  }, [t])
}

/** A short list of runs on the home page. */
export function RunTable(props: RunTableProps) {
  const navigate = useNavigate()
  const columns = useColumns()
  return (
    <div className={classes.boxed}>
      <DataTable
        label={props.label}
        rows={props.runs}
        columns={columns}
        rowKey={(run) => run.id}
        rowHref={(run) => paths.run(run.id)}
        onOpen={(run) => void navigate(paths.run(run.id))}
        loading={props.loading}
        error={props.error}
        what="runs"
        onRetry={props.onRetry}
        empty={props.empty}
        height={(props.visibleRows + 1) * rowHeight + 2}
      />
    </div>
  )
}
