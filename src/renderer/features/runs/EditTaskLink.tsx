import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run, RunStep } from '../../../contract/runs.ts'
import { getTask } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { failedPart } from './failure-facts.rules.ts'

/** Where the step that failed is written in a text, or what failed within it. */
export function useFailedLine(run: Run | null, step: RunStep | null, yaml: string | undefined): number | null {
  const part = run && failedPart(run)
  const [line, setLine] = useState<number | null>(null)
  useEffect(() => {
    if (yaml === undefined || step === null) return
    let wanted = true
    // The language is a large part of the program, needed here only for runs that failed.
    const read = async () => {
      const { lineOfStep } = await import('../tasks/step-line.ts')
      if (wanted) setLine(lineOfStep(yaml, step, part))
    }
    void read()
    return () => {
      wanted = false
    }
  }, [yaml, step, part])
  return line
}

/** From a failure to the text that it is about: `Edit task at line 15`. */
export function EditTaskLink({ run, step }: { run: Run; step: RunStep | null }) {
  const { t } = useTranslation('runs')
  const { can } = useSession()
  // What ran is not the task’s text: it is edited in the job, or by a rerun.
  const possible = can('updateTask') && !run.overridden
  // As it is now, which may not be the version that ran.
  const task = useOperation(getTask, { params: { id: run.task_id } }, { enabled: possible && step !== null })
  const line = useFailedLine(run, step, task.data?.yaml_content)
  if (!possible) return null
  return (
    <CommandButton
      id="run.edit-task"
      needsServer
      label={line === null ? t('failure.edit') : t('failure.editAt', { line })}
      variant="default"
      size="compact-sm"
      to={paths.task(run.task_id, line === null ? undefined : { line })}
    />
  )
}
