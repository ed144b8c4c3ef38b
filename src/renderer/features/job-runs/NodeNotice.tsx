import { IconAlertOctagon, IconInfoCircle } from '@tabler/icons-react'
import type { JobRunNode } from '../../../contract/job-runs.ts'
import type { Run } from '../../../contract/runs.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import runClasses from '../runs/RunPage.module.css'
import { useReason } from './NotRunPane.tsx'
import { translateError } from '../../i18n/translate.ts'

/** Above the panes: why a task is as it is although a run of it is shown. */
export function NodeNotice({ node, run }: { node: JobRunNode; run: Run | null }) {
  const reason = useReason()(node)
  // A run that failed says why by itself.
  if (node.status === 'failed' && node.error_message !== null && run !== null && run.error_message === null) {
    return (
      <div className={runClasses.banner} data-tone="failed" role="status">
        <IconAlertOctagon size={16} aria-hidden />
        <div className={runClasses.bannerText}>
          <CodeWords text={translateError(node) ?? ''} />
        </div>
      </div>
    )
  }
  // A queued run says by itself what it waits for, unless the job run holds it back.
  if (!reason || node.status === 'failed') return null
  return (
    <div className={runClasses.banner} role="status">
      <IconInfoCircle size={16} aria-hidden />
      <div className={runClasses.bannerText}>{reason}</div>
    </div>
  )
}
