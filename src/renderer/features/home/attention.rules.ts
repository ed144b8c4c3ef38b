/** How what needs someone is shown. Pure. */
import type { AttentionItem } from '../../../contract/attention.ts'
import { paths } from '../../paths.ts'
import type { Status } from '../../ui/status.ts'

/** Where the way on is: the gate, the log of the step that failed, the question, the calendar, the metric, the executors. */
export function leadsTo({ kind, name, job_run_id, run_id, task_id, job_id, task_keys }: AttentionItem): string {
  if (kind === 'gate' && job_run_id !== null) return paths.jobRun(job_run_id, { task: task_keys[0] ?? '' })
  if (kind === 'outcome' && task_id !== null) return paths.taskState(task_id)
  if (kind === 'missed' && job_id !== null) return paths.triggers({ job_id })
  if (kind === 'metric') return paths.customMetrics({ metric: name })
  if (kind === 'executor') return paths.executors()
  if (job_run_id !== null) return paths.jobRun(job_run_id)
  return run_id === null ? paths.home() : paths.run(run_id)
}

interface Badge {
  status: Status
  /** A word of its own instead of the status's. */
  word: 'outcome' | 'missed' | 'metric' | 'overdue' | null
}

export function badgeOf({ kind, message_params }: Pick<AttentionItem, 'kind' | 'message_params'>): Badge {
  switch (kind) {
    case 'gate':
      return { status: 'approval', word: null }
    case 'outcome':
      return { status: 'completed', word: 'outcome' }
    case 'missed':
      return { status: 'completed', word: 'missed' }
    case 'metric':
      // What was to be written by now is a matter of freshness.
      return { status: 'failed', word: message_params?.['reason'] === 'metric_overdue' ? 'overdue' : 'metric' }
    case 'executor':
      return { status: 'lost', word: null }
    case 'failure':
      // The run that is named has failed, whatever the newest one does.
      return { status: 'failed', word: null }
  }
}
