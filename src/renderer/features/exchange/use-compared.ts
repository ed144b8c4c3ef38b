import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { getJobTemplate } from '../../../contract/job-templates.ts'
import { getDashboardTemplate } from '../../../contract/dashboard-templates.ts'
import { listConnectors } from '../../../contract/connectors.ts'
import { listExplorerPresets } from '../../../contract/explorer-presets.ts'
import { getAiReference, listAiReferences } from '../../../contract/ai-references.ts'
import { getTask } from '../../../contract/tasks.ts'
import { call } from '../../api/client.ts'
import { findByName } from '../../api/find-by-name.ts'
import { recordOf, textOf } from './bundle-index.ts'
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

/** What people read of a record's text: references and presets stand in a bundle as JSON objects. */
function readable(kind: ResultRow['kind'], text: string): string {
  if (kind !== 'ai_reference' && kind !== 'explorer_preset') return text
  try {
    const value: unknown = JSON.parse(text)
    if (kind === 'explorer_preset') return pretty(value)
    return typeof value === 'object' && value !== null && 'content' in value ? String(value.content) : text
  } catch {
    return text
  }
}

/** The preset of that name, however many others are called so: bundles number them. */
async function presetHere(record: string, signal: AbortSignal): Promise<Compared['here']> {
  const { result } = await call(listConnectors, { query: { limit: 200 }, signal })
  const nameOf = (id: number | null) => (id === null ? null : (result.find((one) => one.id === id)?.name ?? null))
  const q = record.split(' · ')[0] ?? record
  const found = await call(listExplorerPresets, { query: { q: q.slice(0, 200), limit: 200 }, signal })
  const preset = found.result.find(
    ({ name, connector_id, resource }) =>
      [name, nameOf(connector_id), resource].filter((part) => part !== null).join(' · ') === record,
  )
  if (!preset) return null
  const { id, name, description, connector_id, resource, definition } = preset
  return { text: pretty({ name, description, connector: nameOf(connector_id), resource, definition }), version: 1, id }
}

const pretty = (value: unknown) => JSON.stringify(value, null, 2)

async function textHere(row: ResultRow, signal: AbortSignal): Promise<Compared['here']> {
  if (row.kind === 'ai_reference') return referenceHere(row.name, signal)
  if (row.kind === 'explorer_preset') return presetHere(row.name, signal)
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
      const place = index && recordOf(index, row)
      const text = index && place ? await textOf(file, index, place) : undefined
      return {
        here: await textHere(row, signal),
        theirs: text === undefined ? null : readable(row.kind, text),
        line: place?.line ?? null,
      }
    },
  })
}
