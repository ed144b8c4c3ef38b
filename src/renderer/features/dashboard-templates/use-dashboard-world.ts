import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import type { DashboardWorld } from '../../../language/complete-dashboard.ts'
import type { DashboardJobTemplate } from '../../../language/dashboard/dashboard.types.ts'
import { operationQuery, useOperation } from '../../api/queries.ts'
import type { LiveWorld } from '../../ui/code/template-language.ts'
import { templateReader } from '../job-templates/template-reader.ts'

/** As many as a list gives at once; whoever has more types the others. */
const most = 200
const staleTime = 30_000

/** What a dashboard template can name: job templates with their connectors, parameters, and tasks. Read as it is now by each call. */
export function useDashboardWorld(): () => LiveWorld<DashboardWorld> {
  const client = useQueryClient()
  const templates = useOperation(listJobTemplates, { query: { limit: most, sort: 'name', order: 'asc' } }).data?.result
  const live = useMemo((): LiveWorld<DashboardWorld> => {
    const read = new Map<string, DashboardJobTemplate>()
    const asked = new Set<string>()
    const coming = new Set<Promise<void>>()
    const ask = async (name: string, id: number) => {
      const query = operationQuery(getJobTemplate, { params: { id } })
      const { yaml_content, archived } = await client.fetchQuery({ ...query, staleTime })
      const { connector_refs, parameters, nodes } = await templateReader.read(yaml_content)
      const tasks = nodes.flatMap((node) => (node.kind === 'task' ? node.key : []))
      read.set(name, { archived: archived === 1, connectors: connector_refs, parameters, tasks })
    }
    return {
      world: {
        catalogue: {
          templateNames: () => templates?.map(({ name }) => name) ?? [],
          template(name) {
            const template = templates?.find((one) => one.name === name)
            if (template && !asked.has(name)) {
              asked.add(name)
              // The server is away: the findings say so; here there is just nothing to offer.
              const fetching = ask(name, template.id).catch(() => undefined)
              coming.add(fetching)
              void fetching.finally(() => coming.delete(fetching))
            }
            return read.get(name)
          },
        },
      },
      pending: () => (coming.size > 0 ? Promise.all(coming) : null),
    }
  }, [client, templates])
  const latest = useRef(live)
  useEffect(() => {
    latest.current = live
  })
  return useMemo(() => () => latest.current, [])
}
