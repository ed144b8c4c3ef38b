import { Button } from '@mantine/core'
import { IconEqual } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRunGraph, JobRunNode } from '../../../contract/job-runs.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import classes from './CompareJobRuns.module.css'
import { Difference } from './Difference.tsx'
import { NodeBadge } from './JobRunBadge.tsx'
import { type TaskComparison, compareTasks } from './compare-job-runs.ts'

type Column = TableColumn<TaskComparison>
type Side = 'a' | 'b'

/** A cell of one side; marked where the sides differ in it. */
function Cell({
  task,
  side,
  mark,
  children,
}: {
  task: TaskComparison
  side: Side
  mark: TaskComparison['differs'][number]
  children(node: JobRunNode): ReactNode
}) {
  const node = task[side]
  if (!node) return <span className={classes.faint}>–</span>
  return <span className={task.differs.includes(mark) ? classes.marked : undefined}>{children(node)}</span>
}

function useColumns(a: number, b: number): Column[] {
  const { t } = useTranslation('jobRuns')
  return useMemo(() => {
    const names = { a: `#${a}`, b: `#${b}` }
    const pair = (
      id: 'status' | 'version' | 'duration' | 'rows' | 'rejected',
      header: string,
      width: number,
      cell: (task: TaskComparison, side: Side) => ReactNode,
      align?: 'right',
    ): Column[] =>
      (['a', 'b'] as const).map((side) => ({
        id: `${id}.${side}`,
        header: side === 'a' ? `${header} ${names.a}` : names.b,
        label: `${header} ${names[side]}`,
        width: side === 'a' ? width : Math.max(72, width - 24),
        cell: (task) => cell(task, side),
        ...(align ? { align } : {}),
      }))
    const number = (count: number | null) => count?.toLocaleString() ?? '–'
    return [
      {
        id: 'task',
        header: t('compare.task'),
        minWidth: 140,
        cell: (task) => (
          <Link to={paths.jobRun(task.b ? b : a, { task: task.key })} title={task.key}>
            {task.key}
          </Link>
        ),
      },
      ...pair('status', t('compare.status'), 152, (task, side) => (
        <Cell task={task} side={side} mark="status">
          {(node) => <NodeBadge node={node} />}
        </Cell>
      )),
      ...pair('version', t('compare.version'), 128, (task, side) => (
        <>
          <Cell task={task} side={side} mark="version">
            {(node) => (node.task_version === null ? '–' : t('page.versionText', { version: node.task_version }))}
          </Cell>{' '}
          <Cell task={task} side={side} mark="override">
            {(node) =>
              node.overridden ? <span title={t('compare.overrideTitle')}>{t('compare.override')}</span> : null
            }
          </Cell>
        </>
      )),
      ...pair(
        'duration',
        t('compare.duration'),
        116,
        (task, side) => <Duration ms={task[side]?.duration_ms ?? null} />,
        'right',
      ),
      {
        id: 'duration.difference',
        header: '±',
        width: 84,
        align: 'right',
        cell: (task) => <Difference value={task.duration} kind="time" />,
      },
      ...pair(
        'rows',
        t('compare.rows'),
        132,
        (task, side) => (
          <Cell task={task} side={side} mark="rows">
            {(node) => number(node.item_count)}
          </Cell>
        ),
        'right',
      ),
      {
        id: 'rows.difference',
        header: '±',
        width: 84,
        align: 'right',
        cell: (task) => <Difference value={task.rows} kind="count" />,
      },
      ...pair(
        'rejected',
        t('compare.rejected'),
        104,
        (task, side) => (
          <Cell task={task} side={side} mark="rejected">
            {(node) => number(node.reject_count)}
          </Cell>
        ),
        'right',
      ),
    ]
  }, [a, b, t])
}

const keyOf = (task: TaskComparison) => task.key

interface ComparedTasksProps {
  a: JobRunGraph
  b: JobRunGraph
  /** Leaves out the tasks in which nothing differs. */
  only: boolean
  onAll(): void
  right: ReactNode
}

/** One row a task: both states, versions, durations and counts beside each other. */
export function ComparedTasks({ a, b, only, onAll, right }: ComparedTasksProps) {
  const { t } = useTranslation('jobRuns')
  const tasks = useMemo(() => compareTasks(a.nodes, b.nodes), [a.nodes, b.nodes])
  const differing = useMemo(() => tasks.filter((task) => task.differs.length > 0), [tasks])
  const columns = useColumns(a.job_run.id, b.job_run.id)
  return (
    <>
      <div className={classes.bar}>
        <h2 className={classes.heading}>{t('compare.tasks')}</h2>
        <span role="status">
          {differing.length > 0 ? t('compare.differ', { count: differing.length }) : t('compare.same')}
        </span>
        <div className={classes.right}>{right}</div>
      </div>
      <DataTable
        id="job-run-comparison"
        rows={only ? differing : tasks}
        columns={columns}
        rowKey={keyOf}
        label={t('compare.tasks')}
        isMuted={(task) => task.differs.length === 0}
        empty={
          <EmptyState
            icon={IconEqual}
            title={t('compare.same')}
            text={t('compare.sameText')}
            action={
              <Button variant="default" onClick={onAll}>
                {t('compare.showAll')}
              </Button>
            }
            compact
          />
        }
      />
    </>
  )
}
