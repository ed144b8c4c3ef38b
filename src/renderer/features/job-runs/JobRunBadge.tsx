import { useTranslation } from 'react-i18next'
import type { JobRun, JobRunNode, NodeStatus } from '../../../contract/job-runs.ts'
import { StatusBadge, type StatusBadgeProps } from '../../ui/StatusBadge.tsx'
import { hasFailedItems, hasFailures, isJobRunOver, jobRunLook, nodeLook } from './node-status.ts'

type Size = StatusBadgeProps['size']

/** Status of a job run: a clean completion is a success, one that put up with failures says so. */
export function JobRunBadge({
  run,
  size,
}: {
  run: Pick<JobRun, 'status' | 'task_counts' | 'cancel_requested'>
  size?: Size
}) {
  const { t } = useTranslation('jobRuns')
  const look = jobRunLook(run)
  const label =
    run.cancel_requested && !isJobRunOver(run.status)
      ? t('jobStatus.cancelling')
      : look === 'completed'
        ? t(hasFailures(run) ? 'jobStatus.withFailures' : 'jobStatus.withRejects')
        : look === 'success'
          ? t('jobStatus.success')
          : t(`jobStatus.${run.status}`)
  return <StatusBadge status={look} label={label} {...(size ? { size } : {})} />
}

type BadgeNode = Pick<JobRunNode, 'status' | 'kind' | 'for_each' | 'reason' | 'item_counts'>

/** The word for a node's state: gates are opened or refused, tasks succeed or fail. */
export function useNodeWord(): (node: BadgeNode) => string {
  const { t } = useTranslation('jobRuns')
  return (node) => {
    if (node.kind === 'gate' && node.status === 'success') return t('nodeStatus.opened')
    if (node.kind === 'gate' && node.status === 'failed') return t('nodeStatus.refused')
    if (node.status === 'completed' && hasFailedItems(node)) return t('nodeStatus.someItems')
    return t(`nodeStatus.${node.status}`)
  }
}

export function NodeBadge({ node, size = 'sm' }: { node: BadgeNode; size?: Size }) {
  const word = useNodeWord()
  return <StatusBadge status={nodeLook(node.status)} size={size} label={word(node)} />
}

export function ItemBadge({ status, size = 'sm' }: { status: NodeStatus; size?: Size }) {
  const { t } = useTranslation('jobRuns')
  return <StatusBadge status={nodeLook(status)} size={size} label={t(`nodeStatus.${status}`)} />
}
