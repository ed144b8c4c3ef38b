import { Button } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { listRuns } from '../../../contract/runs.ts'
import { useList } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useMarked } from '../../ui/compare/use-marked.tsx'
import { CompareMarkedRuns } from '../runs/CompareMarkedRuns.tsx'
import { RunsTable } from '../runs/RunsTable.tsx'
import classes from '../../ui/document/dialogs.module.css'
import preview from './preview.module.css'
import { RunFigures } from '../metrics/RunFigures.tsx'

/** The runs of one task. */
export function TaskRunsPane({ taskId, onRun }: { taskId: number; onRun: (() => void) | undefined }) {
  const { t } = useTranslation('tasks')
  const query = useMemo(() => ({ task_id: [taskId], limit: 100 }), [taskId])
  const list = useList(listRuns, { query })
  const marked = useMarked()
  return (
    <div className={classes.pane}>
      <RunFigures of={{ task_id: taskId }} />
      {list.rows.length > 0 ? (
        <header className={preview.above}>
          <h2>{t('runs.latest')}</h2>
          <CompareMarkedRuns selected={marked.selected} />
          <Link to={paths.runs({ task_id: taskId })}>{t('runs.all')}</Link>
        </header>
      ) : null}
      <RunsTable
        list={list}
        withTask={false}
        selection={marked}
        empty={
          <EmptyState
            icon={IconPlayerPlay}
            title={t('runs.emptyTitle')}
            text={t('runs.emptyText')}
            action={onRun ? <Button onClick={onRun}>{t('page.run')}</Button> : undefined}
          />
        }
      />
    </div>
  )
}
