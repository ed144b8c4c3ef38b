import { IconExternalLink, IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobRun, JobRunItem, JobRunNode } from '../../../contract/job-runs.ts'
import { getRun } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { GatePane } from './GatePane.tsx'
import { ItemBadge, NodeBadge } from './JobRunBadge.tsx'
import classes from './JobRunPage.module.css'
import { NodeTabs } from './NodeTabs.tsx'
import { NotRunPane } from './NotRunPane.tsx'
import { itemText } from './tree-rows.ts'
import type { Selection } from './use-selection.ts'
import { useChosenItem } from './use-node-run.ts'

/** Which task is shown below, in one line: key, state, what it runs, its run. */
function NodeHead({
  node,
  item,
  runId,
  onWhole,
}: {
  node: JobRunNode
  item: JobRunItem | null
  runId: number | null
  onWhole(): void
}) {
  const { t } = useTranslation('jobRuns')
  return (
    <div className={classes.nodeHead}>
      {item ? <ItemBadge status={item.status} size="icon" /> : <NodeBadge node={node} size="icon" />}
      <h2 className={classes.nodeKey} title={node.key}>
        <Cut text={node.key} />
      </h2>
      {item ? (
        <span className={classes.chosenItem}>
          <span className={classes.ellipsis} title={itemText(item.item)}>
            {t('pane.item', { index: item.index })} <code>{itemText(item.item)}</code>
          </span>
          <button type="button" className={classes.link} onClick={onWhole}>
            {t('pane.allItems')}
          </button>
        </span>
      ) : null}
      {node.task_id !== null && node.task_version !== null ? (
        <Link
          className={classes.ellipsis}
          to={paths.taskVersions(node.task_id, { to: node.task_version })}
          title={node.task_name ?? undefined}
        >
          {node.task_name} {t('pane.version', { version: node.task_version })}
        </Link>
      ) : null}
      {node.overridden ? (
        <span className={classes.override} title={t('tree.overridden')}>
          <IconPencil size={12} aria-hidden />
          {t('compare.override')}
        </span>
      ) : null}
      {runId === null ? null : (
        <Link className={classes.runLink} to={paths.run(runId)} title={t('pane.openRun', { id: runId })}>
          {t('pane.run', { id: runId })}
          <IconExternalLink size={12} aria-hidden />
        </Link>
      )}
    </div>
  )
}

function TaskPane({ jobRun, node, selection }: { jobRun: JobRun; node: JobRunNode; selection: Selection }) {
  const { item, searching } = useChosenItem(jobRun.id, node, selection.item)
  const runId = selection.item === null ? node.run_id : (item?.run_id ?? null)
  const run = useOperation(getRun, { params: { id: runId ?? 0 } }, { enabled: runId !== null })
  // A for_each with items has its list of them, whether or not one of them ran.
  const bare = runId === null && !searching && (node.item_total ?? 0) === 0
  return (
    <>
      <NodeHead node={node} item={item} runId={runId} onWhole={() => selection.choose(node.key)} />
      {bare ? (
        <NotRunPane node={node} />
      ) : run.error && !run.data ? (
        <ErrorState what="run" error={run.error} onRetry={() => void run.refetch()} compact />
      ) : (
        <NodeTabs jobRun={jobRun} node={node} run={runId === null ? null : (run.data ?? null)} selection={selection} />
      )}
    </>
  )
}

/** What is shown of the chosen task: its run, its gate, or why there is neither. */
export function NodePane({
  jobRun,
  nodes,
  selection,
}: {
  jobRun: JobRun
  nodes: readonly JobRunNode[]
  selection: Selection
}) {
  const { t } = useTranslation('jobRuns')
  const { node } = selection
  return (
    <section className={classes.pane} aria-label={t('pane.label')}>
      {node === null ? null : node.kind === 'gate' ? (
        <GatePane key={node.key} jobRun={jobRun} node={node} nodes={nodes} onChoose={selection.choose} />
      ) : (
        <TaskPane jobRun={jobRun} node={node} selection={selection} />
      )}
    </section>
  )
}
