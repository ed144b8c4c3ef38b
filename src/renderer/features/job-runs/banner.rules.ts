import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'
import { translateError } from '../../i18n/translate.ts'
import { isJobRunOver } from './node-status.ts'

/** Whether the banner asks the question of a waiting gate; it says a pause or a cancel first. */
export const asksInBanner = (run: Pick<JobRun, 'status' | 'pause_reason' | 'cancel_requested'>): boolean =>
  !isJobRunOver(run.status) && !run.cancel_requested && (run.status !== 'paused' || run.pause_reason === 'gate')

export interface Failing {
  key: string
  kind: JobRunNode['kind']
  /** Why it failed, in its own words. */
  reason: string | null
  /** How many others failed. */
  others: number
}

/** Whose failure the failed job run retells. Null where the job run failed of something else. */
export function failingNode(
  { error_message }: Pick<JobRun, 'error_message'>,
  nodes: readonly Pick<JobRunNode, 'key' | 'kind' | 'status' | 'error_message' | 'error_params' | 'completed_at'>[],
): Failing | null {
  const failed = nodes
    .filter((node) => node.status === 'failed')
    .toSorted((a, b) => (a.completed_at ?? '~').localeCompare(b.completed_at ?? '~'))
  const told = failed.find(
    (node) =>
      error_message === null ||
      (error_message.includes(` ${node.key} `) && error_message.includes(node.error_message ?? '')),
  )
  return told ? { key: told.key, kind: told.kind, reason: translateError(told), others: failed.length - 1 } : null
}
