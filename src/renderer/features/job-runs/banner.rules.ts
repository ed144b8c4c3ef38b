import type { JobRun, JobRunNode } from '../../../contract/job-runs.ts'

export interface Failing {
  key: string
  kind: JobRunNode['kind']
  /** How many others failed. */
  others: number
}

/**
 * Whose failure the failed job run retells, so that it need not be said twice: the pane of that task says why. Null where the job run failed
 * of something else.
 */
export function failingNode(
  { error_message }: Pick<JobRun, 'error_message'>,
  nodes: readonly Pick<JobRunNode, 'key' | 'kind' | 'status' | 'error_message' | 'completed_at'>[],
): Failing | null {
  const failed = nodes
    .filter((node) => node.status === 'failed')
    .toSorted((a, b) => (a.completed_at ?? '~').localeCompare(b.completed_at ?? '~'))
  const told = failed.find(
    (node) =>
      error_message === null ||
      (error_message.includes(` ${node.key} `) && error_message.includes(node.error_message ?? '')),
  )
  return told ? { key: told.key, kind: told.kind, others: failed.length - 1 } : null
}
