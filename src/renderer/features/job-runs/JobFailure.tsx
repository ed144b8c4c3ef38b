import { IconPencil } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { type Run, getRun } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ExplainButton } from '../ai/ExplainButton.tsx'
import { EditTaskLink } from '../runs/EditTaskLink.tsx'
import { FailureBlock } from '../runs/FailureBlock.tsx'
import { failedStep } from '../runs/failure-facts.rules.ts'
import { useRunSteps } from '../runs/use-run-steps.ts'
import { type RerunPlan, mayRerun } from './rerun-choice.ts'
import { useChosenItem } from './use-node-run.ts'
import type { Selection } from './use-selection.ts'

interface JobFailureProps {
  jobRun: JobRun
  node: JobRunNode
  selection: Selection
  onRerun(plan: RerunPlan): void
}

/** The task that failed would fail again as it is: it is edited for the next job run. Resuming, or the menu, runs it as it is. */
function EditAndRerun({ jobRun, node, onRerun }: Omit<JobFailureProps, 'selection'>) {
  const { t } = useTranslation('jobRuns')
  const { can } = useSession()
  if (!can('rerunJobRun') || !mayRerun(jobRun.status) || node.task_version === null) return null
  return (
    <CommandButton
      id="job-run.failure-edit"
      opens
      needsServer
      label={t('banner.editAndRerun')}
      icon={IconPencil}
      variant="default"
      size="compact-sm"
      onClick={() => onRerun({ from: [node.key], edit: node })}
    />
  )
}

/** The failure of a task as its run tells it, with the step. */
function OfRun({ run, title, ...props }: JobFailureProps & { run: Run; title: string }) {
  const { steps } = useRunSteps(run)
  const step = failedStep(steps)
  return (
    <FailureBlock title={title} failed={run} runId={run.id} step={step} onStep={props.selection.setStep}>
      <EditTaskLink run={run} step={step} />
      <EditAndRerun {...props} />
      <ExplainButton run={run} />
    </FailureBlock>
  )
}

/** Why the chosen task failed, said once for the page: by its run, or by the job run where no run says it. */
export function JobFailure(props: JobFailureProps) {
  const { t } = useTranslation('jobRuns')
  const { jobRun, node, selection } = props
  const { item } = useChosenItem(jobRun.id, node, selection.item)
  const runId = selection.item === null ? node.run_id : (item?.run_id ?? null)
  const { data: run } = useOperation(getRun, { params: { id: runId ?? 0 } }, { enabled: runId !== null })
  const title = t('banner.taskFailed', { key: node.key })
  if (run && run.error_message !== null && (run.status === 'failed' || run.status === 'cancelled'))
    return <OfRun {...props} run={run} title={title} />
  if (node.error_message === null || (runId !== null && !run)) return null
  return (
    <FailureBlock title={title} failed={{ ...node, error_code: null }} runId={null} step={null} onStep={() => {}}>
      <EditAndRerun {...props} />
    </FailureBlock>
  )
}
