import { listJobRunRuns } from '../../../contract/job-runs.ts'
import { useList } from '../../api/queries.ts'
import { RunsTable } from '../runs/RunsTable.tsx'

/** Every run of the task in this job run: more than one after a resume. */
export function TaskRunsTable({ jobRunId, taskKey }: { jobRunId: number; taskKey: string }) {
  const list = useList(listJobRunRuns, { params: { id: jobRunId }, query: { task_key: taskKey } })
  return <RunsTable list={list} withTask={false} empty={null} />
}
