import { ActionIcon, Skeleton } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconBriefcase, IconListDetails, IconSitemap } from '@tabler/icons-react'
import { type ReactNode, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { type JobRun, type JobRunNode, getJobRun, getJobRunGraph } from '../../../contract/job-runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useCommands } from '../../commands/commands.ts'
import { useOpened } from '../../commands/open/recent.ts'
import { paths } from '../../paths.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState, useRecordName } from '../../ui/ErrorState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { Page } from '../../ui/Page.tsx'
import { PaneTabs } from '../../ui/PaneTabs.tsx'
import { SplitPane } from '../../ui/SplitPane.tsx'
import { splitKey } from '../../ui/layout-memory.ts'
import { lazyPart } from '../../ui/lazy-part.ts'
import { useAddress } from '../../ui/use-address.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { JobFailure } from './JobFailure.tsx'
import { JobRunActions } from './JobRunActions.tsx'
import { JobRunBadge, useJobRunWord } from './JobRunBadge.tsx'
import { JobRunBanner } from './JobRunBanner.tsx'
import { JobRunFacts } from './JobRunFacts.tsx'
import classes from './JobRunPage.module.css'
import { NodePane } from './NodePane.tsx'
import { NodeTree } from './NodeTree.tsx'
import type { RerunPlan } from './rerun-choice.ts'
import { type Selection, tabs, useSelection, useTab } from './use-selection.ts'

// The graph's library is as large as the rest of the page; the log does not wait for it.
const JobGraph = lazyPart(async () => (await import('./JobGraph.tsx')).default)

interface BodyProps {
  run: JobRun
  nodes: readonly JobRunNode[]
  selection: Selection
  withGraph: boolean
}

/** Tree, graph, and what the chosen task wrote: below both in a narrow window, else below the graph. */
function Panes({ run, nodes, selection, withGraph }: BodyProps) {
  const isNarrow = useNarrow()
  const { node, item } = selection
  const tree = <NodeTree run={run} nodes={nodes} chosen={node && { key: node.key, item }} onChoose={selection.choose} />
  const graph = withGraph ? (
    <div className={classes.graph}>
      <Suspense fallback={null}>
        <JobGraph nodes={nodes} selected={node?.key ?? null} onSelect={selection.choose} />
      </Suspense>
    </div>
  ) : null
  const pane = (
    <div className={classes.side}>
      <NodePane jobRun={run} nodes={nodes} selection={selection} />
    </div>
  )
  if (isNarrow)
    return (
      <SplitPane key="narrow" id="job-run.narrow" direction="vertical" initial={0.4} minSize={140}>
        <SplitPane id="job-run.tree" direction="horizontal" initial={0.38} minSize={340}>
          {tree}
          {graph}
        </SplitPane>
        {pane}
      </SplitPane>
    )
  return (
    <SplitPane key="wide" id="job-run.page" direction="horizontal" initial={0.42} minSize={340}>
      {tree}
      {graph ? (
        <SplitPane id="job-run.graph" direction="vertical" initial={0.38} minSize={120}>
          {graph}
          {pane}
        </SplitPane>
      ) : (
        pane
      )}
    </SplitPane>
  )
}

function JobRunBody({ onRerun, ...props }: BodyProps & { onRerun(plan: RerunPlan): void }) {
  const { t } = useTranslation('jobRuns')
  const { run, nodes, selection } = props
  const { node } = selection
  return (
    <>
      <JobRunFacts run={run} nodes={nodes} />
      <JobRunBanner run={run} nodes={nodes} chosen={node?.key ?? null} onChoose={selection.choose} />
      {node?.kind === 'task' && node.status === 'failed' ? (
        <JobFailure key={node.key} jobRun={run} node={node} selection={selection} onRerun={onRerun} />
      ) : null}
      {nodes.length === 0 ? (
        <EmptyState icon={IconListDetails} title={t('tree.empty')} compact />
      ) : (
        <Panes {...props} />
      )}
    </>
  )
}

function GraphSwitch({ shown, onChange }: { shown: boolean; onChange(shown: boolean): void }) {
  const { t } = useTranslation('jobRuns')
  const label = t(shown ? 'graph.hide' : 'graph.show')
  return (
    <Hint label={label} command="job-run.graph">
      <ActionIcon
        aria-label={label}
        aria-pressed={shown}
        variant={shown ? 'light' : 'subtle'}
        color={shown ? undefined : 'gray'}
        onClick={() => onChange(!shown)}
      >
        <IconSitemap size={16} />
      </ActionIcon>
    </Hint>
  )
}

/** A job run that is here: the frame with its actions, and its body. */
function Loaded({ run, nodes }: { run: JobRun; nodes: readonly JobRunNode[] }) {
  const { t } = useTranslation('jobRuns')
  const navigate = useNavigate()
  const word = useJobRunWord()
  const selection = useSelection(nodes)
  const [address, change] = useAddress()
  // From the page of a run of it: `rerun=here` opens what the button of the failure opens.
  const [plan, setPlan] = useState<RerunPlan | null>(() =>
    address.get('rerun') === 'here' && selection.node ? { from: [selection.node.key], edit: null } : null,
  )
  const closePlan = () => {
    setPlan(null)
    change({ rerun: null })
  }
  const [withGraph, setWithGraph] = useLocalStorage({
    key: splitKey('job-run.with-graph'),
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  useCommands([
    {
      id: 'job-run.job',
      title: t('actions.openJob'),
      icon: IconBriefcase,
      shortcut: 'o',
      run: () => void navigate(paths.job(run.job_id)),
    },
    {
      id: 'job-run.graph',
      title: t(withGraph ? 'graph.hide' : 'graph.show'),
      icon: IconSitemap,
      shortcut: 'v',
      run: () => setWithGraph(!withGraph),
    },
  ])
  return (
    <Page
      title={`#${run.id}`}
      crumbs={[
        { label: t('title'), to: paths.jobRuns() },
        { label: run.job_name, to: paths.job(run.job_id) },
      ]}
      documentTitle={`${run.job_name} #${run.id} · ${word(run)}`}
      badge={<JobRunBadge run={run} size="md" />}
      actions={
        <>
          <GraphSwitch shown={withGraph} onChange={setWithGraph} />
          <JobRunActions
            run={run}
            nodes={nodes}
            chosen={selection.node}
            plan={plan}
            onPlan={setPlan}
            onClosePlan={closePlan}
          />
        </>
      }
      layout="fill"
    >
      <JobRunBody run={run} nodes={nodes} selection={selection} withGraph={withGraph} onRerun={setPlan} />
    </Page>
  )
}

/** The panes of a task stay while the job run can’t be loaded. */
function KeptTabs({ id, label, children }: { id: number; label: string; children: ReactNode }) {
  const { t } = useTranslation('jobRuns')
  const { tab, setTab } = useTab()
  return (
    <PaneTabs
      id={`job-run-${id}`}
      label={label}
      tabs={tabs.map((one) => ({ id: one, label: t(`tabs.${one}`) }))}
      active={tab}
      onChange={setTab}
      keys
    >
      {children}
    </PaneTabs>
  )
}

/** A job run: tree with Gantt chart, graph, and the log of the chosen task. One selection drives all. */
export function JobRunPage() {
  const { t } = useTranslation('jobRuns')
  const { id: text } = useParams()
  const id = Number(text)
  const recordName = useRecordName('jobRun', text)
  const run = useOperation(getJobRun, { params: { id } })
  const graph = useOperation(getJobRunGraph, { params: { id } })
  useOpened({
    kind: 'jobRun',
    id,
    title: run.data && `#${id} ${run.data.job_name}`,
    to: paths.jobRun(id),
    gone: run.error?.status === 404,
  })
  if (run.data && graph.data) return <Loaded key={id} run={run.data} nodes={graph.data.nodes} />
  const failure = run.error ?? graph.error
  const retry = () => void (run.error ? run.refetch() : graph.refetch())
  const failed = failure ? <ErrorState error={failure} onRetry={retry} record={{ kind: 'jobRun', id }} /> : null
  return (
    <Page title={recordName} crumbs={[{ label: t('title'), to: paths.jobRuns() }]} layout="fill">
      {failure ? (
        failure.status === 404 ? (
          failed
        ) : (
          <KeptTabs id={id} label={recordName}>
            {failed}
          </KeptTabs>
        )
      ) : (
        <Skeleton height={34} radius={0} />
      )}
    </Page>
  )
}
