import type { Run, RunStatus } from '../../../contract/runs.ts'

export const isOver = (status: RunStatus) => status !== 'pending' && status !== 'running'

/** A JSON-encoded object of a run, or null where there is none (or it cannot be read). */
export function jsonObject(text: string | null): Record<string, unknown> | null {
  if (text === null) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : null
  } catch {
    return null
  }
}

/** Rows read at the source, as far as the run has told. */
export function rowsIn(run: Pick<Run, 'metrics_summary'>): number | null {
  const count = jsonObject(run.metrics_summary)?.['rows_in']
  return typeof count === 'number' ? count : null
}

const lanes = ['pushdown', 'bytes', 'columnar', 'arrays', 'objects'] as const

/** How the rows went, once the executor has chosen; tasks without rows have no lane. */
export function laneOf(run: Pick<Run, 'metrics_summary'>): (typeof lanes)[number] | null {
  const lane = jsonObject(run.metrics_summary)?.['lane']
  return lanes.find((one) => one === lane) ?? null
}

/** Connector by slot, from the run's JSON field. */
export function mappingOf(run: Pick<Run, 'connector_mapping'>): [slot: string, id: number][] {
  return Object.entries(jsonObject(run.connector_mapping) ?? {}).filter(
    (entry): entry is [string, number] => typeof entry[1] === 'number',
  )
}
