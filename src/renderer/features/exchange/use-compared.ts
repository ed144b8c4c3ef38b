import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getJobTemplate } from '../../../contract/job-templates.ts'
import { getDashboardTemplate } from '../../../contract/dashboard-templates.ts'
import { getAiReference, listAiReferences } from '../../../contract/ai-references.ts'
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

async function referenceHere(title: string, signal: AbortSignal): Promise<Compared['here']> {
  const found = await call(listAiReferences, { query: { q: title.slice(0, 200), limit: 200 }, signal })
  const id = found.result.find((one) => one.title === title)?.id
  if (id === undefined) return null
  return { text: (await call(getAiReference, { params: { id }, signal })).content, version: 1, id }
}

/** What people read of a record's text: a reference stands in a bundle as a JSON object. */
function readable(kind: ResultRow['kind'], text: string): string {
  if (kind !== 'ai_reference') return text
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && 'content' in value ? String(value.content) : text
  } catch {
    return text
  }
}

async function textHere(row: ResultRow, signal: AbortSignal): Promise<Compared['here']> {
  if (row.kind === 'ai_reference') return referenceHere(row.name, signal)
  const found = await findByName(row.kind, row.name, signal)
  if (!found) return null
  const get = { task: getTask, job_template: getJobTemplate, dashboard_template: getDashboardTemplate }[row.kind]
  const record = await call(get, { params: { id: found.id }, signal })
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
      const text = index && place ? await textOf(file, index, place) : undefined
      return {
        here: await textHere(row, signal),
        theirs: text === undefined ? null : readable(row.kind, text),
        line: place?.line ?? null,
      }
    },
  })
}
