import { IconEqual } from '@tabler/icons-react'
import { type ReactNode, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRunGraph, JobRunNode } from '../../../contract/job-runs.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { Difference } from '../../ui/compare/Difference.tsx'
import { Durations } from '../../ui/compare/Durations.tsx'
import { FromTo } from '../../ui/compare/FromTo.tsx'
import classes from '../../ui/compare/compare.module.css'
import { NodeBadge } from './JobRunBadge.tsx'
import { type TaskComparison, compareTasks, onlyReused } from './compare-job-runs.ts'
import { isReused, ownDuration } from './node-status.ts'
import { countText, numberText } from '../../ui/format.ts'
import { dash } from '../../ui/nothing.tsx'

// The editor comes when a difference is asked for.
const ComparedYamlDialog = lazyPart(async () => (await import('./ComparedYamlDialog.tsx')).default)

type Column = TableColumn<TaskComparison>

/** A pencil would say nothing to who sees it first. */
function Version({ node, brief = false }: { node: JobRunNode; brief?: boolean }) {
  const { t } = useTranslation('jobRuns')
  const version = node.task_version === null ? null : `v${node.task_version}`
  const parts = [brief && node.overridden ? null : version, node.overridden ? t('compare.override') : null]
  return (
    <span title={node.overridden ? t('compare.overrideTitle') : undefined}>
      {parts.filter((part) => part !== null).join(' ') || dash}
    </span>
  )
}

/** From one version to the other; where either ran YAML of its own, it leads to the difference. */
function Versions({ task, onYaml }: { task: TaskComparison; onYaml(task: TaskComparison): void }) {
  const { t } = useTranslation('jobRuns')
  const { a, b, differs } = task
  const hasDifference = differs.includes('version') || differs.includes('override')
  const versions = (
    <FromTo a={a} b={b} equal={!hasDifference}>
      {(node) => (
        // What differs is enough: `v1 → overridden`.
        <Version node={node} brief={!differs.includes('version') && differs.includes('override')} />
      )}
    </FromTo>
  )
  if (!a || !b || a.kind === 'gate' || !(hasDifference || a.overridden || b.overridden)) return versions
  return (
    <button type="button" className={classes.link} title={t('compare.showYaml')} onClick={() => onYaml(task)}>
      {versions}
    </button>
  )
}

const number = (count: number | null) => countText(count) ?? dash

function useColumns(a: number, b: number, onYaml: (task: TaskComparison) => void): Column[] {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  return useMemo(() => {
    const change = (
      id: string,
      header: string,
      width: number,
      parts: readonly TaskComparison['differs'][number][],
      cell: (node: JobRunNode, task: TaskComparison) => ReactNode,
      more: Partial<Column> = {},
    ): Column => ({
      id,
      header,
      width,
      cell: (task) => (
        <FromTo
          a={task.a}
          b={task.b}
          equal={!parts.some((part) => task.differs.includes(part))}
          quiet={onlyReused(task)}
        >
          {(node) => cell(node, task)}
        </FromTo>
      ),
      ...more,
    })
    const difference = (
      id: string,
      header: string,
      width: number,
      cell: (task: TaskComparison) => ReactNode,
    ): Column => ({
      id: `${id}.difference`,
      header,
      width,
      align: 'right',
      cell,
    })
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
      change('status', t('compare.status'), 248, ['status', 'reused'], (node) => (
        <NodeBadge node={node} label={isReused(node) ? t('nodeStatus.reused') : undefined} />
      )),
      {
        id: 'version',
        header: t('compare.version'),
        width: 132,
        cell: (task) => <Versions task={task} onYaml={onYaml} />,
      },
      change('rows', t('compare.rows'), 144, ['rows'], (node) => number(node.item_count), { align: 'right' }),
      {
        ...difference('rows', word('compare.rowsChange'), 100, (task) => <Difference value={task.rows} kind="count" />),
        yields: 4,
      },
      change(
        'rejected',
        t('compare.rejected'),
        88,
        ['rejected'],
        (node) => (node.kind === 'gate' ? dash : numberText(node.reject_count ?? 0)),
        {
          align: 'right',
          yields: 1,
        },
      ),
      {
        id: 'duration',
        header: t('compare.duration'),
        width: 136,
        align: 'right',
        cell: ({ a: before, b: after }) => (
          <Durations
            a={before && ownDuration(before)}
            b={after && ownDuration(after)}
            // How long a gate waited is no work.
            quiet={after?.kind === 'gate'}
          />
        ),
      },
      {
        ...difference('duration', word('compare.durationChange'), 118, (task) => (
          <Difference value={task.duration} kind="time" />
        )),
        yields: 3,
      },
    ]
  }, [a, b, onYaml, t, word])
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
  const [shown, show] = useState<TaskComparison | null>(null)
  const columns = useColumns(a.job_run.id, b.job_run.id, show)
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
        isMuted={(task) => task.differs.length === 0 || onlyReused(task)}
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
      {shown?.a && shown.b ? (
        <Suspense fallback={null}>
          <ComparedYamlDialog
            a={{ run: a.job_run, node: shown.a }}
            b={{ run: b.job_run, node: shown.b }}
            onClose={() => show(null)}
          />
        </Suspense>
      ) : null}
    </>
  )
}
