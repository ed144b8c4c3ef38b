import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Connector } from '../../../contract/connectors.ts'
import { previewConnector } from '../../../contract/connector-preview.ts'
import { type TaskPreview, previewTask } from '../../../contract/task-preview.ts'
import { type ApiFailure, call } from '../../api/client.ts'
import { sourceSlot } from './data-draft.rules.ts'

/** How the executor reaches the file: by a connector that is there, or by one that would be made. */
export type Reach =
  | { kind: 'there'; connector: Connector }
  | { kind: 'new'; type: 'file' | 'sqlite' | 'duckdb'; config: Record<string, string> }

export const rowsShown = 100

export function previewOf(reach: Reach, text: string, limit: number, signal: AbortSignal): Promise<TaskPreview> {
  if (reach.kind === 'there') {
    const body = { yaml_content: text, connector_mapping: { [sourceSlot]: reach.connector.id }, limit }
    return call(previewTask, { body, signal })
  }
  return call(previewConnector, { body: { type: reach.type, config: reach.config, yaml_content: text, limit }, signal })
}

const reachKey = (reach: Reach | null) =>
  reach?.kind === 'there' ? [reach.connector.id, reach.connector.updated_at] : [reach?.type, reach?.config]

/** The first rows of a text's source. `text` null: nothing can be asked yet. */
export function useFilePreview(reach: Reach | null, text: string | null, limit = rowsShown) {
  return useQuery<TaskPreview, ApiFailure>({
    queryKey: ['incoming-preview', reachKey(reach), text, limit],
    enabled: reach !== null && text !== null,
    // The file may be another one the next time.
    gcTime: 0,
    retry: false,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      if (!reach || text === null) throw new Error('Nothing to preview')
      return previewOf(reach, text, limit, signal)
    },
  })
}
