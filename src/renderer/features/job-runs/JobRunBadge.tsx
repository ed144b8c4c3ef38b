import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode, NodeStatus } from '../../../contract/job-runs.ts'
import { StatusBadge, type StatusBadgeProps } from '../../ui/StatusBadge.tsx'
import { hasFailedItems, hasFailures, isJobRunOver, jobRunLook, nodeLook } from './node-status.ts'

type Size = StatusBadgeProps['size']

type BadgeRun = Pick<JobRun, 'status' | 'task_counts' | 'pause_reason' | 'cancel_requested'>

/** The word for a job run's state: a clean completion is a success, one that put up with failures says so. */
export function useJobRunWord(): (run: BadgeRun) => string {
  const { t } = useTranslation('jobRuns')
  return (run) => {
    if (run.cancel_requested && !isJobRunOver(run.status)) return t('jobStatus.cancelling')
    const look = jobRunLook(run)
    if (look === 'completed') return t(hasFailures(run) ? 'jobStatus.withFailures' : 'jobStatus.withRejects')
    if (look === 'approval') return t('nodeStatus.paused')
    return look === 'success' || look === 'pending' ? t(`jobStatus.${look}`) : t(`jobStatus.${run.status}`)
  }
}

export function JobRunBadge({ run, size }: { run: BadgeRun; size?: Size }) {
  const word = useJobRunWord()
  return <StatusBadge status={jobRunLook(run)} label={word(run)} {...(size ? { size } : {})} />
}

type BadgeNode = Pick<JobRunNode, 'status' | 'kind' | 'for_each' | 'reason' | 'item_counts'>

/** The word for a node's state: gates are approved or rejected, tasks succeed or fail. */
export function useNodeWord(): (node: BadgeNode) => string {
  const { t } = useTranslation('jobRuns')
  return (node) => {
    if (node.kind === 'gate' && node.status === 'success') return t('nodeStatus.approved')
    if (node.kind === 'gate' && node.status === 'failed') return t('nodeStatus.rejected')
    if (node.status === 'completed' && hasFailedItems(node)) return t('nodeStatus.someItems')
    return t(`nodeStatus.${node.status}`)
  }
}

export function NodeBadge({ node, size = 'sm', label }: { node: BadgeNode; size?: Size; label?: string | undefined }) {
  const word = useNodeWord()
  return <StatusBadge status={nodeLook(node.status)} size={size} label={label ?? word(node)} />
}

export function ItemBadge({ status, size = 'sm' }: { status: NodeStatus; size?: Size }) {
  const { t } = useTranslation('jobRuns')
  return <StatusBadge status={nodeLook(status)} size={size} label={t(`nodeStatus.${status}`)} />
}
