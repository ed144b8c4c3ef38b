import type { TFunction } from 'i18next'
import type { JobRun } from '../../../contract/job-runs.ts'

/** How a job run was started, and by whom: `Manual (you)`, `API (ada)`. */
export function startedByText(
  t: TFunction<'jobRuns'>,
  trigger: string,
  { created_by: by, created_by_name: name }: Pick<JobRun, 'created_by' | 'created_by_name'>,
  ownId: number,
): string {
  if (by === ownId) return t('page.you', { trigger })
  return name === null ? trigger : t('page.someone', { trigger, name })
}
