import { IconInfoCircle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import runClasses from '../runs/RunPage.module.css'
import { useReason } from './NotRunPane.tsx'
import { useHasNoSlots } from './use-has-no-slots.ts'

/** Above the panes: why a task is as it is although a run of it is shown. */
export function NodeNotice({ node }: { node: JobRunNode }) {
  const { t } = useTranslation('jobRuns')
  const reason = useReason()(node)
  const hasNoSlots = useHasNoSlots(node)
  // A queued run says by itself what it waits for, unless the job run holds it back; a failure is said above all panes.
  if (!reason || node.status === 'failed') return null
  return (
    <div className={runClasses.banner} role="status">
      <IconInfoCircle size={16} aria-hidden />
      <div className={runClasses.bannerText}>{hasNoSlots ? t('pane.noSlots', { pool: node.pool ?? '' }) : reason}</div>
    </div>
  )
}
