import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Run, listRuns } from '../../../contract/runs.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CompareDialog } from '../../ui/compare/CompareDialog.tsx'
import { CompareMenu } from '../../ui/compare/CompareMenu.tsx'
import { runColumns } from './run-columns.tsx'

function OtherRuns({ run, onClose }: { run: Run; onClose(): void }) {
  const { t } = useTranslation('runs')
  const list = useList(listRuns, { query: { task_id: [run.task_id], limit: 50 } })
  const columns = useMemo(() => runColumns(t, false), [t])
  return (
    <CompareDialog
      id={run.id}
      title={t('compare.dialogTitle', { id: run.id })}
      list={list}
      what="runs"
      columns={columns}
      to={(other) => paths.runCompare(Math.min(other, run.id), Math.max(other, run.id))}
      onClose={onClose}
    />
  )
}

/** Chooses a run to compare this one with. */
export function RunCompareMenu({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const before = useOperation(listRuns, { query: { task_id: [run.task_id], to: run.created_at, limit: 2 } })
  const previous = before.data && (before.data.result.find((one) => one.id < run.id)?.id ?? null)
  return (
    <CompareMenu
      command="run.compare"
      previous={{ title: t('compare.previous'), id: previous }}
      original={run.retried_from === null ? null : { title: t('compare.original'), id: run.retried_from }}
      other={{
        title: t('compare.any'),
        text: run.task_name,
        renderDialog: (onClose) => <OtherRuns run={run} onClose={onClose} />,
      }}
      textOf={(id) => `#${id}`}
      to={(id) => paths.runCompare(id, run.id)}
    />
  )
}
