import type { JobRunNode } from '../../../contract/job-runs.ts'
import type { JobRunStatus } from '../../../contract/jobs.ts'
import { hasFailed, isJobRunOver } from './node-status.ts'

/** What a rerun was asked for; `from` null: all tasks; `edit`: the task whose YAML is changed first. */
export interface RerunPlan {
  from: string[] | null
  edit: JobRunNode | null
}

type Node = Pick<JobRunNode, 'key' | 'status' | 'depends_on' | 'reason'>

/** Where a rerun of what failed begins: the failed ones themselves; all after them follow by themselves. */
export const failedKeys = (nodes: readonly Node[]): string[] => nodes.filter(hasFailed).map((node) => node.key)

/** Tasks whose end the given one waits for. */
export const dependents = (key: string, nodes: readonly Node[]): string[] =>
  nodes.filter((node) => node.depends_on.includes(key)).map((node) => node.key)

export const mayRerun = (status: JobRunStatus) => isJobRunOver(status) || status === 'paused'
export const mayPause = (status: JobRunStatus) => status === 'running'
export const mayResume = (status: JobRunStatus) => status === 'paused' || status === 'failed'
export const mayCancel = (status: JobRunStatus) => !isJobRunOver(status)
