import { IconEqual, IconPencil } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRunGraph, JobRunNode } from '../../../contract/job-runs.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { Difference } from '../../ui/compare/Difference.tsx'
import classes from '../../ui/compare/compare.module.css'
import { NodeBadge } from './JobRunBadge.tsx'
import { type TaskComparison, compareTasks } from './compare-job-runs.ts'
import { countText, numberText } from '../../ui/format.ts'

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
  mark?: TaskComparison['differs'][number]
  children(node: JobRunNode): ReactNode
}) {
  const node = task[side]
  if (!node) return <span className={classes.faint}>–</span>
  return <span className={mark && task.differs.includes(mark) ? classes.marked : undefined}>{children(node)}</span>
}

const versionOf = (node: JobRunNode | null) => ((node?.task_version ?? null) === null ? '–' : `v${node?.task_version}`)

function Version({ node }: { node: JobRunNode | null }) {
  const { t } = useTranslation('jobRuns')
  return (
    <>
      {versionOf(node)}
      {node?.overridden ? ' ' : null}
      {node?.overridden ? <IconPencil size={12} role="img" aria-label={t('compare.overrideTitle')} /> : null}
    </>
  )
}

/** One version where both agree, else from which to which; a pencil where YAML of its own ran. */
function Versions({ task: { a, b, differs } }: { task: TaskComparison }) {
  const equal = !differs.includes('version') && !differs.includes('override') && !differs.includes('presence')
  if (equal) return <Version node={b} />
  return (
    <span className={classes.marked}>
      <Version node={a} /> → <Version node={b} />
    </span>
  )
}

function Rejected({ task }: { task: TaskComparison }) {
  const [from, to] = [task.a?.reject_count ?? 0, task.b?.reject_count ?? 0].map((count) => numberText(count))
  return <span className={from === to ? undefined : classes.marked}>{from === to ? from : `${from} → ${to}`}</span>
}

function useColumns(a: number, b: number): Column[] {
  const { t } = useTranslation('jobRuns')
  return useMemo(() => {
    const names = { a: `#${a}`, b: `#${b}` }
    const pair = (
      id: 'status' | 'duration' | 'rows',
      header: string,
      width: number,
      cell: (task: TaskComparison, side: Side) => ReactNode,
      align?: 'right',
      /** Of the right side, whose header is shorter. */
      narrower = width - 26,
    ): Column[] =>
      (['a', 'b'] as const).map((side) => ({
        id: `${id}.${side}`,
        header: side === 'a' ? `${header} ${names.a}` : names.b,
        label: `${header} ${names[side]}`,
        width: side === 'a' ? width : Math.max(72, narrower),
        cell: (task) => cell(task, side),
        ...(align ? { align } : {}),
      }))
    const number = (count: number | null) => countText(count) ?? '–'
    return [
      {
        id: 'task',
        header: t('compare.task'),
        minWidth: 108,
        cell: (task) => (
          <Link to={paths.jobRun(task.b ? b : a, { task: task.key })} title={task.key}>
            {task.key}
          </Link>
        ),
      },
      // Its icon and word say where the sides differ; bold, they would not fit.
      ...pair(
        'status',
        t('compare.status'),
        144,
        (task, side) => (
          <Cell task={task} side={side}>
            {(node) => <NodeBadge node={node} />}
          </Cell>
        ),
        undefined,
        144,
      ),
      { id: 'version', header: t('compare.version'), width: 92, cell: (task) => <Versions task={task} /> },
      ...pair(
        'duration',
        t('compare.duration'),
        100,
        (task, side) => <Duration ms={task[side]?.duration_ms ?? null} />,
        'right',
      ),
      {
        id: 'duration.difference',
        header: '±',
        width: 80,
        align: 'right',
        cell: (task) => <Difference value={task.duration} kind="time" />,
      },
      ...pair(
        'rows',
        t('compare.rows'),
        92,
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
        width: 80,
        align: 'right',
        cell: (task) => <Difference value={task.rows} kind="count" />,
      },
      {
        id: 'rejected',
        header: t('compare.rejected'),
        width: 92,
        align: 'right',
        cell: (task) => <Rejected task={task} />,
      },
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
              <CommandButton id="job-runs.compare.all" label={t('compare.showAll')} variant="default" onClick={onAll} />
            }
            compact
          />
        }
      />
    </>
  )
}
