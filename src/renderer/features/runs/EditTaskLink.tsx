import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run, RunStep } from '../../../contract/runs.ts'
import { getTask } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'

/** Where the step is written in the task as it is now, which may not be the version that ran. */
function useLine(run: Run, step: RunStep | null, enabled: boolean): number | null {
  const task = useOperation(getTask, { params: { id: run.task_id } }, { enabled: enabled && step !== null })
  const yaml = task.data?.yaml_content
  const [line, setLine] = useState<number | null>(null)
  useEffect(() => {
    if (yaml === undefined || step === null) return
    let wanted = true
    // The language is a large part of the program, needed here only for runs that failed.
    const read = async () => {
      const { lineOfStep } = await import('../tasks/step-line.ts')
      if (wanted) setLine(lineOfStep(yaml, step))
    }
    void read()
    return () => {
      wanted = false
    }
  }, [yaml, step])
  return line
}

/** From a failure to the text that it is about: `Edit task at line 15`. */
export function EditTaskLink({ run, step }: { run: Run; step: RunStep | null }) {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  // What ran is not the task’s text: it is edited in the job, or by a rerun.
  const possible = can('updateTask') && !run.overridden
  const line = useLine(run, step, possible)
  if (!possible) return null
  return (
    <CommandButton
      id="run.edit-task"
      needsServer
      label={line === null ? t('failure.edit') : t('failure.editAt', { line })}
      variant="subtle"
      color="gray"
      size="compact-sm"
      to={paths.task(run.task_id, line === null ? undefined : { line })}
    />
  )
}
