import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run } from '../../../contract/runs.ts'
import type { ListState } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { listProps } from '../../ui/list-props.ts'
import type { TableSelection } from '../../ui/table.types.ts'
import { runColumns } from './run-columns.tsx'

const keyOf = (run: Run) => run.id
const hrefOf = (run: Run) => paths.run(run.id)

/** Runs, newest first; more are fetched as the end comes into sight, new ones arrive at the top by events. */
export function RunsTable({
  list,
  withTask,
  empty,
  selection,
}: {
  list: ListState<Run>
  withTask: boolean
  empty: ReactNode
  selection?: TableSelection
}) {
  const { t } = useTranslation('runs')
  const columns = useMemo(() => runColumns(t, withTask).filter(({ hidden }) => !hidden), [t, withTask])
  return (
    <DataTable
      id={withTask ? 'runs' : 'task-runs'}
      rows={list.rows}
      columns={columns}
      rowKey={keyOf}
      rowHref={hrefOf}
      label={t('list.label')}
      {...(selection ? { selection } : {})}
      {...listProps(list)}
      what="runs"
      empty={empty}
    />
  )
}
