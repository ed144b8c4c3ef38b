import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getJobTemplate } from '../../../contract/job-templates.ts'
import { getTask } from '../../../contract/tasks.ts'
import { call } from '../../api/client.ts'
import { findByName } from '../../api/find-by-name.ts'
import { keyOf, textOf } from './bundle-index.ts'
import type { ResultRow } from './import-state.ts'
import type { Bundle } from './use-bundle.ts'

export interface Compared {
  /** The text here; null when there is no record of that name. */
  here: { text: string; version: number; id: number } | null
  /** Null when the bundle's own line has no text to show. */
  theirs: string | null
  /** Of the bundle. */
  line: number | null
}

async function textHere(row: ResultRow, signal: AbortSignal): Promise<Compared['here']> {
  const found = await findByName(row.kind, row.name, signal)
  if (!found) return null
  const record = await call(row.kind === 'task' ? getTask : getJobTemplate, { params: { id: found.id }, signal })
  return { text: record.yaml_content, version: record.current_version, id: record.id }
}

/** A record of the bundle beside the one of that name here. */
export function useCompared(row: ResultRow, bundle: Bundle, runKey: string): UseQueryResult<Compared> {
  const { file, index } = bundle
  return useQuery<Compared>({
    queryKey: ['import-compared', file.name, file.lastModified, runKey, row.kind, row.name],
    enabled: index !== null,
    queryFn: async ({ signal }) => {
      const place = index?.byName.get(keyOf(row.kind, row.name))
      return {
        here: await textHere(row, signal),
        theirs: index && place ? ((await textOf(file, index, place)) ?? null) : null,
        line: place?.line ?? null,
      }
    },
  })
}
