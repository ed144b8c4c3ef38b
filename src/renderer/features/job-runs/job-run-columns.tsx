import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { JobRun } from '../../../contract/job-runs.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { JobRunBadge } from './JobRunBadge.tsx'
import { JobRunDuration } from './JobRunDuration.tsx'
import { TaskCounts } from './TaskCounts.tsx'
import { LogicalDate } from './LogicalDate.tsx'
import { translateCause, translateError } from '../../i18n/translate.ts'

/** The task that failed and why, where there is room for a few words; that it failed stands in the column of the status. */
function briefError(run: JobRun): string {
  const cause = translateCause(run.error_params)
  return cause === null ? (translateError(run) ?? '') : `${String(run.error_params?.['task'])}: ${cause}`
}

/** Columns of the list of job runs. */
export function jobRunColumns(t: TFunction<'jobRuns'>, trigger: (run: JobRun) => string): TableColumn<JobRun>[] {
  return [
    { id: 'id', header: t('list.columns.id'), width: 72, cell: (run) => `#${run.id}` },
    {
      id: 'status',
      header: t('list.columns.status'),
      width: 156,
      uncut: true,
      sortable: true,
      cell: (run) => <JobRunBadge run={run} />,
    },
    {
      id: 'job',
      header: t('list.columns.job'),
      minWidth: 104,
      grow: 2,
      names: true,
      cell: (run) => run.job_name,
    },
    {
      id: 'tasks',
      header: t('list.columns.tasks'),
      width: 112,
      cell: (run) => <TaskCounts counts={run.task_counts} />,
    },
    {
      id: 'created',
      header: t('list.columns.created'),
      width: 88,
      sortable: true,
      largestFirst: true,
      cell: (run) => <RelativeTime at={run.created_at} />,
    },
    {
      id: 'duration',
      header: t('list.columns.duration'),
      width: 84,
      align: 'right',
      sortable: true,
      largestFirst: true,
      cell: (run) => <JobRunDuration run={run} />,
    },
    { id: 'trigger', header: t('list.columns.trigger'), width: 108, yields: 2, cell: trigger },
    {
      id: 'logicalDate',
      header: t('list.columns.logicalDate'),
      width: 172,
      yields: 1,
      cell: (run) => <LogicalDate at={run.logical_date} timezone={run.timezone} />,
    },
    {
      id: 'error',
      header: t('list.columns.error'),
      minWidth: 140,
      grow: 4,
      cell: (run) =>
        run.error_message ? (
          // Its ellipsis has its color.
          <Text inherit truncate c="var(--hg-status-failed-text)" title={translateError(run) ?? undefined}>
            <CodeWords text={briefError(run)} />
          </Text>
        ) : null,
    },
  ]
}
