import { useTranslation } from 'react-i18next'
import type { Run } from '../../../contract/runs.ts'
import { useSession } from '../../api/session.ts'
import { startedByText } from '../job-runs/started-by.ts'

/** How a run was started, and whether it was you, in the words of job runs. */
export function useStartedBy(): (run: Run) => string {
  const { t } = useTranslation('runs')
  const { t: ofJobRuns } = useTranslation('jobRuns')
  const { me } = useSession()
  return ({ trigger_type: trigger, created_by }) =>
    startedByText(ofJobRuns, t(`trigger.${trigger}`), { created_by, created_by_name: null }, me.user.id)
}
