import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useRef } from 'react'
import { listConnectors } from '../../../contract/connectors.ts'
import { listNotifications } from '../../../contract/notifications.ts'
import { listPools } from '../../../contract/pools.ts'
import { getTask, getTaskVersion, listTasks } from '../../../contract/tasks.ts'
import type { JobWorld } from '../../../language/complete-job.ts'
import type { CatalogueVersion } from '../../../language/job/job.types.ts'
import { operationQuery, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import type { LiveWorld } from '../../ui/code/template-language.ts'
import { taskReader } from '../tasks/task-reader.ts'

/** As many as a list gives at once; whoever has more types the others. */
const most = 200
const staleTime = 30_000

/** What a job template can name: tasks with their slots and arguments, pools, channels, connectors. Read as it is now by each call. */
export function useJobWorld(): () => LiveWorld<JobWorld> {
  const client = useQueryClient()
  const { can } = useSession()
  const byName = { query: { limit: most, sort: 'name', order: 'asc' } } as const
  const tasks = useOperation(listTasks, byName).data?.result
  const connectors = useOperation(listConnectors, byName).data?.result
  const pools = useOperation(listPools, {}, { enabled: can('listPools') }).data
  const channels = useOperation(listNotifications, {}, { enabled: can('listNotifications') }).data?.result
  const live = useMemo((): LiveWorld<JobWorld> => {
    const texts = new Map<string, CatalogueVersion>()
    const asked = new Set<string>()
    const coming = new Set<Promise<void>>()
    const yamlOf = async (id: number, vid: number | null) => {
      if (vid === null) return client.fetchQuery({ ...operationQuery(getTask, { params: { id } }), staleTime })
      return client.fetchQuery({ ...operationQuery(getTaskVersion, { params: { id, vid } }), staleTime })
    }
    const ask = async (key: string, id: number, vid: number | null) => {
      const { yaml_content } = await yamlOf(id, vid)
      const parsed = await taskReader.read(yaml_content)
      texts.set(key, { connectors: parsed.connector_refs, arguments: parsed.arguments })
    }
    return {
      world: {
        tasks: tasks ?? [],
        connectors: connectors ?? [],
        pools: pools?.map((pool) => pool.name) ?? [],
        channels: channels?.map((channel) => channel.name) ?? [],
        version: (name, version) => {
          const task = tasks?.find((one) => one.name === name)
          if (!task) return undefined
          const key = `${task.id}.${version ?? 'current'}`
          if (!asked.has(key)) {
            asked.add(key)
            // No such version, or the server is away: the findings say so; here there is just nothing to offer.
            const fetching = ask(key, task.id, version).catch(() => undefined)
            coming.add(fetching)
            void fetching.finally(() => coming.delete(fetching))
          }
          return texts.get(key)
        },
      },
      pending: () => (coming.size > 0 ? Promise.all(coming) : null),
    }
  }, [client, tasks, connectors, pools, channels])
  const latest = useRef(live)
  useEffect(() => {
    latest.current = live
  })
  return useMemo(() => () => latest.current, [])
}
