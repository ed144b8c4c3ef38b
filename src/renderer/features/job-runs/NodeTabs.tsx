import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import type { Run, RunStep } from '../../../contract/runs.ts'
import { paths } from '../../paths.ts'
import { type PaneTab, PaneTabs } from '../../ui/PaneTabs.tsx'
import { DetailsPane } from '../runs/DetailsPane.tsx'
import { LogPane } from '../runs/LogPane.tsx'
import { OutputsPane } from '../runs/OutputsPane.tsx'
import { RejectsPane } from '../runs/RejectsPane.tsx'
import { StepTree } from '../runs/StepTree.tsx'
import { WaitingBanner } from '../runs/WaitingBanner.tsx'
import { useRunSteps } from '../runs/use-run-steps.ts'
import { ItemsTable } from './ItemsTable.tsx'
import { ItemOutputs } from './ItemOutputs.tsx'
import classes from './JobRunPage.module.css'
import { NodeNotice } from './NodeNotice.tsx'
import { NotRunPane } from './NotRunPane.tsx'
import { TaskRunsTable } from './TaskRunsTable.tsx'
import { type Selection, type Tab, tabs } from './use-selection.ts'

interface NodeTabsProps {
  jobRun: JobRun
  node: JobRunNode
  /** Null: a `for_each` without any run yet, or one that is still on its way. */
  run: Run | null
  selection: Selection
}

/** The panes of the run page, with the chosen step as there. */
function RunPanes({ jobRun, node, run, selection }: NodeTabsProps & { run: Run }) {
  const { tab, item } = selection
  const { steps } = useRunSteps(run)
  const step: RunStep | null = steps.find((one) => one.index === selection.step) ?? null
  const lineHref = useCallback(
    (line: number) =>
      paths.jobRun(jobRun.id, { task: node.key, line, ...(item === null ? {} : { item: String(item) }) }),
    [jobRun.id, node.key, item],
  )
  switch (tab) {
    case 'steps':
      return <StepTree steps={steps} chosen={selection.step} onChoose={selection.setStep} />
    case 'rejects':
      return <RejectsPane key={run.id} run={run} step={step} />
    case 'outputs':
      return node.for_each && item === null ? (
        <ItemOutputs jobRunId={jobRun.id} node={node} run={run} />
      ) : (
        <OutputsPane run={run} />
      )
    case 'details':
      return <DetailsPane run={run} />
    case 'log':
    case 'runs':
      return <LogPane key={run.id} run={run} step={step} lineHref={lineHref} />
  }
}

/** Log, steps, rejects, outputs and runs of the chosen task. */
export function NodeTabs({ jobRun, node, run, selection }: NodeTabsProps) {
  const { t } = useTranslation('jobRuns')
  const { tab, setTab, choose } = selection
  const label = (id: Tab): PaneTab<Tab> => {
    if (id === 'runs' && node.for_each) {
      return { id, label: t('tabs.items'), ...(node.item_total ? { count: node.item_total } : {}) }
    }
    if (id === 'runs' && (node.run_count ?? 0) > 1) return { id, label: t('tabs.runs'), count: node.run_count ?? 0 }
    if (id === 'rejects' && run?.reject_count) return { id, label: t('tabs.rejects'), count: run.reject_count }
    return { id, label: t(`tabs.${id}`) }
  }
  // The pane itself says why.
  const isBare = tab !== 'runs' && !run && node.run_id === null && selection.item === null
  return (
    <>
      {isBare ? null : <NodeNotice node={node} />}
      {run && tab !== 'runs' ? <WaitingBanner run={run} /> : null}
      <PaneTabs id={`job-run-${jobRun.id}`} label={node.key} tabs={tabs.map(label)} active={tab} onChange={setTab} keys>
        {tab === 'runs' && node.for_each ? (
          <ItemsTable
            jobRunId={jobRun.id}
            node={node}
            chosen={selection.item}
            onChoose={(item) => choose(node.key, item)}
          />
        ) : null}
        {tab === 'runs' && !node.for_each ? <TaskRunsTable jobRunId={jobRun.id} taskKey={node.key} /> : null}
        {tab === 'runs' ? null : run ? (
          <RunPanes jobRun={jobRun} node={node} run={run} selection={selection} />
        ) : isBare ? (
          <NotRunPane node={node} />
        ) : (
          <div className={classes.loading} aria-hidden />
        )}
      </PaneTabs>
    </>
  )
}
