import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Column } from '../../../contract/common.ts'
import { type Connector, listResources } from '../../../contract/connectors.ts'
import type { Segment } from '../../../language/editor/schema-walk.ts'
import { operationQuery } from '../../api/queries.ts'
import type { EditorKnowledge } from '../../ui/code/editor-knowledge.ts'
import type { Stage } from './StageStrip.tsx'
import { stageOfPath } from './stage-lines.ts'

/** A table or file that is made meanwhile may wait so long to be offered. */
const staleTime = 60_000
const none: readonly Column[] = []

/** Columns that enter the place: of the stage before a step; of the source in the source itself. */
export function columnsAt(stages: readonly Stage[], path: readonly Segment[]): readonly Column[] {
  const stage = stageOfPath(path)
  if (stage === null) return none
  const wanted = stage === 'last' ? Infinity : Math.max(0, stage - 1)
  // A stage that failed has no columns; those of the last one that worked are the best guess.
  return stages.findLast((one) => one.index <= wanted && !one.error)?.columns ?? none
}

/** What completion and hover can know beside the text: columns of the last preview, and what is behind the bound connectors. */
export function useEditorKnowledge(
  connectors: readonly Connector[],
  mapping: Readonly<Record<string, number>>,
  stages: readonly Stage[] | undefined,
): EditorKnowledge {
  const client = useQueryClient()
  return useMemo(
    () => ({
      connectors,
      columnsAt: (path) => columnsAt(stages ?? [], path),
      resources: async (slot) => {
        const id = mapping[slot]
        if (id === undefined) return []
        const found = await client
          .fetchQuery({ ...operationQuery(listResources, { params: { id }, query: {} }), staleTime })
          // Not reachable or not allowed: the connector's own page says why; here there is just nothing to offer.
          .catch(() => null)
        return found?.resources ?? []
      },
    }),
    [client, connectors, mapping, stages],
  )
}
