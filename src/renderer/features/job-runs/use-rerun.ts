import { type JobRun, type JobRunNode } from '../../../contract/job-runs.ts'
import { rerunJobRun } from '../../../contract/job-run-control.ts'
import { getTaskVersion } from '../../../contract/tasks.ts'
import { useQuery } from '@tanstack/react-query'
import { ApiFailure, call } from '../../api/client.ts'
import { queryKey, useOperation } from '../../api/queries.ts'

/**
 * The YAML that this job run ran for a task: that of the pinned version or, where it was overridden, the text that a dry run names
 * as what would be replaced.
 */
export function useRanYaml(run: JobRun, node: JobRunNode | null) {
  const known = node !== null && node.task_id !== null && node.task_version !== null
  const pinned = useOperation(
    getTaskVersion,
    { params: { id: node?.task_id ?? 0, vid: node?.task_version ?? 0 } },
    { enabled: known },
  )
  const key = node?.key ?? ''
  const text = pinned.data?.yaml_content
  const body = { from: [key], overrides: { [key]: text ?? '' }, dry_run: true }
  const replaced = useQuery({
    queryKey: [...queryKey(rerunJobRun, { params: { id: run.id } }), 'ran', key],
    queryFn: ({ signal }) => call(rerunJobRun, { params: { id: run.id }, body, signal }),
    enabled: node?.overridden === true && text !== undefined,
    // What a job run ran never changes; whether it may be rerun is asked when it is.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const own = replaced.data?.overrides.find((one) => one.task_key === key)?.before
  const failure = pinned.error ?? replaced.error
  return {
    yaml: node?.overridden ? (replaced.data ? (own ?? text) : undefined) : text,
    error: failure instanceof ApiFailure ? failure : null,
  }
}
