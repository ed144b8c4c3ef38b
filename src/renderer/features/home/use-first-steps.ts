import { useLocalStorage } from '@mantine/hooks'
import { listConnectors } from '../../../contract/connectors.ts'
import { listEventTriggers } from '../../../contract/event-triggers.ts'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listJobs } from '../../../contract/jobs.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { listTriggers } from '../../../contract/triggers.ts'
import { useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { paths } from '../../paths.ts'

export interface FirstStep {
  name: 'connector' | 'task' | 'job' | 'schedule'
  done: boolean
  to: string
  allowed: boolean
}

/** Of the steps from data to a schedule; null once they are done or dismissed, where they are not one's to take, or not known yet. */
export function useFirstSteps(): { steps: FirstStep[]; dismiss: () => void } | null {
  const { me, can } = useSession()
  const [dismissed, setDismissed] = useLocalStorage({
    key: `headgate.first-steps.${me.user.id}`,
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const query = { limit: 1 }
  const options = { enabled: !dismissed && can('createTask') }
  const connectors = useOperation(listConnectors, { query }, options).data?.total
  const tasks = useOperation(listTasks, { query }, options).data?.total
  const templates = useOperation(listJobTemplates, { query }, options).data?.total
  const jobs = useOperation(listJobs, { query }, options).data?.total
  const times = useOperation(listTriggers, { query }, options).data?.total
  const events = useOperation(listEventTriggers, { query }, options).data?.total
  const known = [connectors, tasks, templates, jobs, times, events]
  if (!options.enabled || known.includes(undefined)) return null
  const some = (total: number | undefined) => (total ?? 0) > 0
  const steps: FirstStep[] = [
    { name: 'connector', done: some(connectors), to: paths.connectorNew(), allowed: can('createConnector') },
    { name: 'task', done: some(tasks), to: paths.taskNew(), allowed: can('createTask') },
    {
      name: 'job',
      done: some(jobs),
      to: some(templates) ? paths.jobs({ new: 'yes' }) : paths.jobTemplateNew(),
      allowed: can('createJob') && some(tasks),
    },
    {
      name: 'schedule',
      done: some(times) || some(events),
      to: paths.triggers({ view: 'list' }),
      allowed: can('createTrigger') && some(jobs),
    },
  ]
  return steps.every(({ done }) => done) ? null : { steps, dismiss: () => setDismissed(true) }
}
