import { notifications } from '@mantine/notifications'
import { IconPlayerStop, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type Run, cancelRun, retryRun } from '../../../contract/runs.ts'
import { useAction } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { RunCompareMenu } from './RunCompareMenu.tsx'
import { isOver } from './run-facts.ts'

/** A run of a job run is run again by it, with what depends on it. */
function RerunFromHere({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  if (run.job_run_id === null || !isOver(run.status) || !can('rerunJobRun')) return null
  return (
    <CommandButton
      id="run.rerun-here"
      needsServer
      label={t('failure.rerunHere', { key: run.task_key ?? run.task_name })}
      icon={IconRefresh}
      variant={run.status === 'failed' || run.status === 'cancelled' ? 'filled' : 'default'}
      hint={t('failure.rerunHereHint', { id: run.job_run_id })}
      shortcut="mod+Enter"
      also="r"
      to={paths.jobRun(run.job_run_id, { ...(run.task_key === null ? {} : { task: run.task_key }), rerun: 'here' })}
    />
  )
}

/** Cancel while it runs (asked first, for work is lost), run again once it is over. */
export function RunActions({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  const cancel = useAction(cancelRun, { invalidates: ['getRun', 'listRuns'] })
  const retry = useAction(retryRun, { invalidates: ['listRuns'] })
  const over = isOver(run.status)
  const mayCancel = !over && can('cancelRun')
  // Those of a job run are run again by it.
  const mayRetry = over && run.job_run_id === null && can('retryRun')

  const doCancel = () => {
    cancel.mutate(
      { params: { id: run.id } },
      {
        onSuccess: () => {
          setAsking(false)
          notifications.show({ message: t('actions.cancelled', { id: run.id }) })
        },
      },
    )
  }
  const doRetry = () => {
    if (retry.isPending) return
    retry.mutate(
      { params: { id: run.id } },
      {
        onSuccess: (started) => {
          notifications.show({ message: t('actions.retried', { id: started.id }) })
          void navigate(paths.run(started.id))
        },
        onError: (failure) => notifications.show({ color: 'red', message: failure.message }),
      },
    )
  }
  return (
    <>
      <RunCompareMenu run={run} />
      {mayCancel ? (
        <CommandButton
          id="run.cancel"
          opens
          needsServer
          label={t('actions.cancel')}
          variant="default"
          icon={IconPlayerStop}
          onClick={() => setAsking(true)}
          shortcut="x"
        />
      ) : null}
      {mayRetry ? (
        <CommandButton
          id="run.retry"
          needsServer
          label={t('actions.retry')}
          variant={run.status === 'failed' || run.status === 'cancelled' ? 'filled' : 'default'}
          icon={IconRefresh}
          loading={retry.isPending}
          hint={t('actions.retryHint')}
          onClick={doRetry}
          shortcut="mod+Enter"
          also="r"
        />
      ) : null}
      <RerunFromHere run={run} />
      <ConfirmDialog
        opened={asking && !over}
        title={t('actions.cancelTitle', { id: run.id })}
        text={t('actions.cancelText')}
        confirmLabel={t('actions.cancel')}
        danger
        busy={cancel.isPending}
        error={cancel.error?.message}
        onConfirm={doCancel}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
