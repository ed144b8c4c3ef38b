/** The datasets of one run. Pure. */
import { type DatasetName, datasetName } from '../../../language/lineage/dataset-names.ts'
import type { ColumnLineage } from '../../../language/lineage/column-lineage.ts'
import type { DatasetUse } from '../../../language/lineage/dataset-uses.ts'
import type { TaskLineage } from '../../../language/lineage/task-lineage.ts'
import type { RunRow } from '../runs/runs.service.ts'
import type { LineageConnectors } from './lineage.rules.ts'

export type LineageRun = Pick<RunRow, 'task_id' | 'task_version' | 'override_hash' | 'connector_mapping'>

export interface RunDataset extends DatasetName, Pick<DatasetUse, 'access' | 'part'> {}
export interface RunLineage {
  datasets: RunDataset[]
  columns: ColumnLineage | null
}

/** Whether its target has what the run wrote. */
export const hasWritten = ({ status, committed_at }: Pick<RunRow, 'status' | 'committed_at'>): boolean =>
  status === 'success' || status === 'completed' || committed_at !== null

/** Slots without a connector, and queries whose tables nobody knows, lead to nothing that another system could know. */
export function runLineage(
  { uses, columns }: TaskLineage,
  mapping: Readonly<Record<string, number>>,
  connectors: LineageConnectors,
): RunLineage {
  const datasets = uses.flatMap((use): RunDataset[] => {
    const connector = connectors.get(mapping[use.slot] ?? 0)
    if (!connector || use.kind === 'query') return []
    return [{ access: use.access, part: use.part, ...datasetName(use, connector) }]
  })
  return { datasets, columns }
}
