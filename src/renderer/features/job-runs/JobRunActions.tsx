import { notifications } from '@mantine/notifications'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type JobRun, type JobRunNode } from '../../../contract/job-runs.ts'
import { cancelJobRun, pauseJobRun, resumeJobRun } from '../../../contract/job-run-control.ts'
import type { OperationId } from '../../../contract/operations.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { JobRunCompareMenu } from './JobRunCompareMenu.tsx'
import { PauseMenu } from './PauseMenu.tsx'
import { RerunMenu } from './RerunMenu.tsx'
import { type RerunPlan, mayCancel, mayPause, mayResume } from './rerun-choice.ts'

// The editor is as large as the rest of the page; it comes when it is asked for.
const RerunDialog = lazyPart(async () => (await import('./RerunDialog.tsx')).default)

const stale: readonly OperationId[] = ['getJobRun', 'getJobRunGraph', 'listAllJobRuns']

type Asking = 'cancel' | 'stop' | 'resume' | null

/** The deeds that move a job run, each with what is said afterwards. */
function useMoves(run: JobRun, done: () => void) {
  const { t } = useTranslation('jobRuns')
  const pause = useAction(pauseJobRun, { invalidates: stale })
  const resume = useAction(resumeJobRun, { invalidates: stale })
  const cancel = useAction(cancelJobRun, { invalidates: stale })
  const params = { id: run.id }
  const tell = (message: string) => ({
    onSuccess: () => {
      done()
      notifications.show({ message })
    },
    onError: (failure: Error) => notifications.show({ color: 'red', message: failure.message }),
  })
  return {
    busy: pause.isPending || resume.isPending || cancel.isPending,
    pause: (stop: boolean) =>
      pause.mutate({ params, body: { stop_running: stop } }, tell(t('actions.paused', { id: run.id }))),
    resume: () => resume.mutate({ params }, tell(t('actions.resumed', { id: run.id }))),
    cancel: () => cancel.mutate({ params }, tell(t('actions.cancelled', { id: run.id }))),
  }
}

interface JobRunActionsProps {
  run: JobRun
  nodes: readonly JobRunNode[]
  /** The task that "from here" means. */
  chosen: JobRunNode | null
  /** The rerun that is reviewed. */
  plan: RerunPlan | null
  onPlan(plan: RerunPlan): void
  onClosePlan(): void
}

/** Pause, resume, cancel, rerun, compare: what is possible now; what is not says why. */
export function JobRunActions({ run, nodes, chosen, plan, onPlan, onClosePlan }: JobRunActionsProps) {
  const { t } = useTranslation('jobRuns')
  const { can } = useSession()
  const [asking, setAsking] = useState<Asking>(null)
  const moves = useMoves(run, () => setAsking(null))
  const gates = nodes.filter((node) => node.kind === 'gate' && node.status === 'paused').map((node) => node.key)
  const showCancel = mayCancel(run.status)
  // That it waits at a gate may be known a moment before which gate it is; nobody opens one unasked.
  const atGate = gates.length > 0 || run.pause_reason === 'gate'
  // Approving the one gate is all that resuming would do.
  const showResume = mayResume(run.status) && !run.cancel_requested && (!atGate || gates.length > 1)
  const resume = () => (atGate ? setAsking('resume') : moves.resume())
  const refused = t('actions.notAllowed')
  return (
    <>
      <JobRunCompareMenu run={run} />
      {mayPause(run.status) && !run.cancel_requested ? (
        <PauseMenu
          allowed={can('pauseJobRun')}
          busy={moves.busy}
          onPause={() => moves.pause(false)}
          onStop={() => setAsking('stop')}
        />
      ) : null}
      {showCancel ? (
        <CommandButton
          id="job-run.cancel"
          opens
          needsServer
          label={t('actions.cancel')}
          title={t('actions.cancelDo')}
          variant="default"
          icon={IconPlayerStop}
          disabled={!can('cancelJobRun') || run.cancel_requested}
          hint={can('cancelJobRun') ? undefined : refused}
          onClick={() => setAsking('cancel')}
          shortcut="x"
        />
      ) : null}
      <RerunMenu run={run} nodes={nodes} chosen={chosen} onChoose={onPlan} />
      {showResume ? (
        <CommandButton
          id="job-run.resume"
          opens={atGate}
          needsServer
          label={t('actions.resume')}
          // At a gate, Approve in the banner comes first.
          variant={atGate ? 'default' : 'filled'}
          icon={IconPlayerPlay}
          loading={moves.busy && asking === null}
          disabled={!can('resumeJobRun')}
          hint={can('resumeJobRun') ? t(gates.length > 0 ? 'actions.resumeGates' : 'actions.resumeHint') : refused}
          onClick={resume}
          shortcut="mod+Enter"
        />
      ) : null}
      <ConfirmDialog
        opened={asking === 'cancel' && showCancel}
        title={t('actions.cancelTitle', { id: run.id })}
        text={t('actions.cancelText')}
        confirmLabel={t('actions.cancelDo')}
        danger
        busy={moves.busy}
        onConfirm={moves.cancel}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        opened={asking === 'stop' && mayPause(run.status)}
        title={t('actions.pauseStopTitle', { id: run.id })}
        text={t('actions.pauseStopConfirm')}
        confirmLabel={t('actions.pauseStopDo')}
        danger
        busy={moves.busy}
        onConfirm={() => moves.pause(true)}
        onClose={() => setAsking(null)}
      />
      <ConfirmDialog
        opened={asking === 'resume' && showResume}
        title={t('actions.resumeTitle')}
        text={gates.length > 0 ? t('actions.resumeText', { count: gates.length, keys: gates.join(', ') }) : ''}
        confirmLabel={t('actions.resumeDo')}
        busy={moves.busy}
        onConfirm={moves.resume}
        onClose={() => setAsking(null)}
      />
      {plan ? (
        <Suspense fallback={null}>
          <RerunDialog run={run} plan={plan} onClose={onClosePlan} />
        </Suspense>
      ) : null}
    </>
  )
}
