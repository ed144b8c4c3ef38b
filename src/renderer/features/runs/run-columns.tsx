import { Text } from '@mantine/core'
import type { TFunction } from 'i18next'
import type { Run } from '../../../contract/runs.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from './RunPage.module.css'
import { countText } from '../../ui/format.ts'
import { translateError } from '../../i18n/translate.ts'

/** Columns of every list of runs; the list of one task leaves its name out. */
export function runColumns(t: TFunction<'runs'>, withTask: boolean): TableColumn<Run>[] {
  const task: TableColumn<Run> = {
    id: 'task',
    header: t('list.columns.task'),
    minWidth: 168,
    grow: 2,
    names: true,
    cell: (run) => run.task_name,
  }
  return [
    { id: 'id', header: t('list.columns.id'), width: 72, cell: (run) => `#${run.id}` },
    {
      id: 'status',
      header: t('list.columns.status'),
      width: 176,
      uncut: true,
      sortable: true,
      cell: (run) => <StatusBadge status={run.status} />,
    },
    ...(withTask ? [task] : []),
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
      cell: (run) => <Duration ms={run.duration_ms} since={run.status === 'running' ? run.started_at : null} />,
    },
    {
      id: 'rows',
      header: t('list.columns.rows'),
      width: 104,
      yields: 2,
      align: 'right',
      cell: (run) => countText(run.item_count),
    },
    {
      id: 'rejected',
      header: t('list.columns.rejected'),
      width: 92,
      yields: 1,
      align: 'right',
      cell: (run) => (
        <span className={run.reject_count ? classes.amber : classes.zero}>{countText(run.reject_count)}</span>
      ),
    },
    {
      id: 'trigger',
      header: t('list.columns.trigger'),
      width: 108,
      yields: 3,
      cell: (run) => t(`trigger.${run.trigger_type}`),
    },
    {
      id: 'attempt',
      header: t('list.columns.attempt'),
      width: 88,
      hidden: true,
      cell: (run) => t('attempt', { attempt: run.attempt, max: run.max_attempts }),
    },
    {
      id: 'executor',
      header: t('list.columns.executor'),
      width: 140,
      hidden: true,
      names: true,
      cell: (run) => run.executor_name,
    },
    {
      id: 'error',
      header: t('list.columns.error'),
      minWidth: 160,
      grow: 4,
      cell: (run) =>
        run.error_message ? (
          // Its ellipsis has its color.
          <Text inherit truncate c="var(--hg-status-failed-text)" title={translateError(run) ?? undefined}>
            <CodeWords text={translateError(run) ?? ''} />
          </Text>
        ) : run.attempt > 1 ? (
          t('attempt', { attempt: run.attempt, max: run.max_attempts })
        ) : null,
    },
  ]
}
