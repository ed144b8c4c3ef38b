import { useEffect, useState } from 'react'
import { type Run, type RunStep, listRunSteps } from '../../../contract/runs.ts'
import { getTaskVersion } from '../../../contract/tasks.ts'
import { plannedSteps } from '../../../contract/planned-steps.ts'
import { useOperation } from '../../api/queries.ts'

export interface RunSteps {
  steps: readonly RunStep[]
  /** They are what will be done, read from the task: nothing was reported yet. */
  planned: boolean
  loaded: boolean
}

const none: readonly RunStep[] = []

/** The steps of a run; until an executor reports them, the plan that its version of the task gives. */
export function useRunSteps(run: Run): RunSteps {
  const reported = useOperation(listRunSteps, { params: { id: run.id } })
  const empty = reported.data?.length === 0
  const version = useOperation(
    getTaskVersion,
    { params: { id: run.task_id, vid: run.task_version } },
    { enabled: empty },
  )
  const text = version.data?.yaml_content
  const [plan, setPlan] = useState<readonly RunStep[]>(none)
  useEffect(() => {
    if (!empty || text === undefined) return
    let wanted = true
    // The language is a large part of the program, needed here only for runs that have not begun.
    const read = async () => {
      const [{ taskReader }, { stagesOf }] = await Promise.all([
        import('../tasks/task-reader.ts'),
        import('../../../language/task/stages.ts'),
      ])
      const { task } = await taskReader.read(text)
      if (wanted) setPlan(task ? plannedSteps(stagesOf(task)) : none)
    }
    void read()
    return () => {
      wanted = false
    }
  }, [empty, text])
  if (!empty) return { steps: reported.data ?? none, planned: false, loaded: reported.data !== undefined }
  return { steps: plan, planned: plan.length > 0, loaded: true }
}
