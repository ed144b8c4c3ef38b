import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRun, listAllJobRuns } from '../../../contract/job-runs.ts'
import { useList, useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { CompareDialog } from '../../ui/compare/CompareDialog.tsx'
import { CompareMenu } from '../../ui/compare/CompareMenu.tsx'
import { jobRunColumns } from './job-run-columns.tsx'

function OtherJobRuns({ run, onClose }: { run: JobRun; onClose(): void }) {
  const { t } = useTranslation('jobRuns')
  const list = useList(listAllJobRuns, { query: { job_id: [run.job_id], limit: 50 } })
  const columns = useMemo(() => jobRunColumns(t, () => ''), [t])
  return (
    <CompareDialog
      id={run.id}
      title={t('compare.dialogTitle', { id: run.id })}
      list={list}
      what="job-runs"
      columns={columns}
      to={(other) => paths.jobRunCompare(Math.min(other, run.id), Math.max(other, run.id))}
      onClose={onClose}
    />
  )
}

/** Chooses a job run to compare this one with. */
export function JobRunCompareMenu({ run }: { run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  const before = useOperation(listAllJobRuns, { query: { job_id: [run.job_id], to: run.created_at, limit: 2 } })
  const previous = before.data && (before.data.result.find((one) => one.id < run.id)?.id ?? null)
  const original = run.rerun_of
  return (
    <CompareMenu
      command="job-run.compare"
      previous={{ title: t('actions.comparePrevious'), id: previous }}
      original={original === null ? null : { title: t('actions.compareOriginal'), id: original }}
      other={{
        title: t('actions.compareAny'),
        text: run.job_name,
        renderDialog: (onClose) => <OtherJobRuns run={run} onClose={onClose} />,
      }}
      textOf={(id) => t('page.link', { id })}
      to={(id) => paths.jobRunCompare(id, run.id)}
    />
  )
}
