import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Connector, getResource, listResources } from '../../../contract/connectors.ts'
import { operationQuery, useOperation } from '../../api/queries.ts'
import { tableOf } from './statements.rules.ts'

/** Tables whose columns are fetched: those that the text names. */
const mostDescribed = 12
const freshMs = 60_000

/** What the editor completes: all tables, and the columns of those that the text names. */
export function useSchema(connector: Connector, text: string, enabled: boolean): Record<string, string[]> {
  const list = useOperation(listResources, { params: { id: connector.id }, query: {} }, { enabled, staleTime: freshMs })
  const resources = list.data?.resources
  const named = useMemo(() => {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_./#*-]+/gu))
    return (resources ?? [])
      .map(({ name }) => name)
      .filter((name) => words.has(name.toLowerCase()) || words.has(name.toLowerCase().replaceAll('"', '')))
      .slice(0, mostDescribed)
  }, [resources, text])
  const described = useQueries({
    queries: named.map((name) => ({
      ...operationQuery(getResource, { params: { id: connector.id, name } }),
      enabled,
      staleTime: freshMs,
    })),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  })
  return useMemo(() => {
    const columns = new Map(described.map((resource) => [resource.name, resource.columns.map(({ name }) => name)]))
    return Object.fromEntries(
      (resources ?? []).map(({ name }) => [
        ['file', 's3', 'sftp'].includes(connector.type) ? tableOf(connector.type, name) : name.replaceAll('"', ''),
        columns.get(name) ?? [],
      ]),
    )
  }, [resources, described, connector.type])
}
