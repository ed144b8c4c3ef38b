import { listAiReferences } from '../../../contract/ai-references.ts'
import { listDashboardTemplates } from '../../../contract/dashboard-templates.ts'
import { listExplorerPresets } from '../../../contract/explorer-presets.ts'
import { listJobTemplates } from '../../../contract/job-templates.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'

interface Total {
  /** undefined: not known yet. */
  count: number | undefined
  error: Error | null
  retry(): void
}

/** How many there are of a kind, archived ones with them where they are taken. */
function useTotal(
  list: typeof listTasks | typeof listJobTemplates | typeof listDashboardTemplates,
  archived: boolean,
): Total {
  const now = useOperation(list, { query: { limit: 1 } })
  const old = useOperation(list, { query: { limit: 1, archived: true } })
  const [first, more] = [now.data?.total, archived ? old.data?.total : 0]
  return {
    count: first === undefined || more === undefined ? undefined : first + more,
    error: now.error ?? (archived ? old.error : null),
    retry: () => void (now.refetch(), old.refetch()),
  }
}

/** How much there is to export of each kind, and why that isn’t known. */
export function useTotals(archived: boolean) {
  const references = useOperation(listAiReferences, { query: { limit: 1 } })
  const presets = useOperation(listExplorerPresets, { query: { limit: 1 } })
  const kinds = {
    tasks: useTotal(listTasks, archived),
    job_templates: useTotal(listJobTemplates, archived),
    dashboard_templates: useTotal(listDashboardTemplates, archived),
  }
  const rest = [references, presets].map(({ error, refetch }) => ({ error, retry: () => void refetch() }))
  const failed = [...Object.values(kinds), ...rest].filter(({ error }) => error !== null)
  return {
    tasks: kinds.tasks.count,
    job_templates: kinds.job_templates.count,
    dashboard_templates: kinds.dashboard_templates.count,
    references: references.data?.total,
    presets: presets.data?.total,
    error: failed[0]?.error ?? null,
    retry: () => {
      for (const one of failed) one.retry()
    },
  }
}
