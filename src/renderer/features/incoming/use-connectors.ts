import { useQuery } from '@tanstack/react-query'
import { type Connector, listConnectors } from '../../../contract/connectors.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { call } from '../../api/client.ts'

/** Ten thousand of them; whoever has more chooses in the editor. */
const mostPages = 50

/** Every connector: any may be the one that reaches a file. */
export function useAllConnectors() {
  return useQuery<readonly Connector[]>({
    // Under the name of the operation, so that events and deeds make it stale.
    queryKey: ['listConnectors', 'all'],
    queryFn: async ({ signal }) => {
      const all: Connector[] = []
      let cursor: string | undefined
      for (let page = 0; page < mostPages; page += 1) {
        // A page leads to the next.
        const found = await call(listConnectors, { query: { limit: 200, cursor, sort: 'name', order: 'asc' }, signal })
        all.push(...found.result)
        if (!found.nextCursor) break
        cursor = found.nextCursor
      }
      return all
    },
  })
}

/** Names of tasks, in the archive or not, that are like this one; lower case. */
export function useTakenNames(name: string) {
  const query = { q: name.slice(0, 200), limit: 200 }
  return useQuery<ReadonlySet<string>>({
    queryKey: ['listTasks', 'names', query],
    queryFn: async ({ signal }) => {
      const lists = await Promise.all(
        [false, true].map((archived) => call(listTasks, { query: { ...query, archived }, signal })),
      )
      return new Set(lists.flatMap(({ result }) => result.map((task) => task.name.toLowerCase())))
    },
  })
}
