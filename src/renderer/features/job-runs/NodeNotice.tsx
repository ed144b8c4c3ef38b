import { IconInfoCircle } from '@tabler/icons-react'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import runClasses from '../runs/RunPage.module.css'
import { useReason } from './NotRunPane.tsx'

/** Above the panes: why a task is as it is although a run of it is shown. */
export function NodeNotice({ node }: { node: JobRunNode }) {
  const reason = useReason()(node)
  // A queued run says by itself what it waits for, unless the job run holds it back; a failure is said above all panes.
  if (!reason || node.status === 'failed') return null
  return (
    <div className={runClasses.banner} role="status">
      <IconInfoCircle size={16} aria-hidden />
      <div className={runClasses.bannerText}>{reason}</div>
    </div>
  )
}
