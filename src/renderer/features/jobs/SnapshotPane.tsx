import { Suspense, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { JobSnapshot, SnapshotTask } from '../../../contract/jobs.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { useAddressChoice } from '../../ui/use-address-part.ts'
import { YamlEditor, type YamlEditorHandle } from '../../ui/code/YamlEditor.tsx'
import type { TableColumn } from '../../ui/table.types.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { graphNodes } from './job-graph-nodes.ts'
import classes from './jobs.module.css'

const Graph = lazyPart(async () => (await import('../../ui/graph/Graph.tsx')).Graph)

function useColumns(jobId: number): TableColumn<SnapshotTask>[] {
  const { t } = useTranslation('jobs')
  return useMemo(
    () => [
      { id: 'key', header: t('snapshot.columns.key'), minWidth: 96, names: true, cell: (row) => row.task_key },
      {
        id: 'task',
        header: t('snapshot.columns.task'),
        minWidth: 120,
        cell: (row) => <Link to={paths.task(row.task_id)}>{row.task_name}</Link>,
      },
      {
        id: 'version',
        header: t('snapshot.columns.version'),
        width: 64,
        align: 'right',
        cell: (row) => t('list.version', { version: row.version }),
      },
      {
        id: 'newest',
        header: t('snapshot.columns.newest'),
        width: 64,
        align: 'right',
        cell: (row) => (
          <span className={row.newest_version > row.version ? classes.newer : classes.muted}>
            {t('list.version', { version: row.newest_version })}
          </span>
        ),
      },
      {
        id: 'own',
        header: t('snapshot.columns.own'),
        width: 112,
        cell: (row) =>
          row.override_yaml === null ? null : (
            <Link to={paths.job(jobId, { tab: 'overrides', task: row.task_key, view: 'diff' })}>
              {t('snapshot.own')}
            </Link>
          ),
      },
    ],
    [t, jobId],
  )
}

/** What the job holds for ever: the template's text beside its graph, and the pinned tasks. */
export function SnapshotPane({ jobId, snapshot }: { jobId: number; snapshot: JobSnapshot }) {
  const { t } = useTranslation('jobs')
  const { t: graph } = useTranslation('graph')
  const editor = useRef<YamlEditorHandle>(null)
  const [chosen, setChosen] = useAddressChoice('task')
  const columns = useColumns(jobId)
  const nodes = useMemo(() => graphNodes(snapshot.nodes, graph('approval')), [snapshot.nodes, graph])
  const choose = (key: string) => {
    setChosen(key)
    const node = snapshot.nodes.find((one) => one.key === key)
    if (node) editor.current?.reveal(node.line, 1, false)
  }
  return (
    <SplitPane id="job-snapshot" initial={0.45}>
      <div className={classes.snapshot}>
        <header className={classes.head2}>
          <b>{t('snapshot.yaml')}</b>
          <span className={classes.muted}>{t('snapshot.readOnly')}</span>
        </header>
        <div className={classes.grow}>
          <YamlEditor ref={editor} value={snapshot.yaml_content} readOnly label={t('snapshot.yaml')} />
        </div>
      </div>
      <SplitPane id="job-snapshot-right" direction="vertical" initial={0.6} minSize={120}>
        <Suspense fallback={null}>
          <Graph
            id="job-snapshot"
            direction="down"
            nodes={nodes}
            selected={chosen}
            onSelect={choose}
            label={t('snapshot.graph')}
          />
        </Suspense>
        <DataTable
          id="job-snapshot-tasks"
          label={t('snapshot.tasks')}
          rows={snapshot.tasks}
          columns={columns}
          rowKey={(row) => row.task_key}
          activeKey={chosen}
          onActiveChange={(row) => choose(row.task_key)}
        />
      </SplitPane>
    </SplitPane>
  )
}
