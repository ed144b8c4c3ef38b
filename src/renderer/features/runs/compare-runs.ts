import type { Run, RunStep } from '../../../contract/runs.ts'
import type { ValueChange } from '../../../contract/value-change.ts'
import { differingFirst, minus } from '../../ui/compare/compare-values.ts'

export interface StepComparison {
  key: string
  a: RunStep | null
  b: RunStep | null
  /** Milliseconds that b took more than a; null where one of them has no duration. */
  duration: number | null
  rows: number | null
  /** What differs; durations are never equal and are no difference. */
  differs: ('presence' | 'status' | 'in' | 'rows' | 'upserted' | 'rejected' | 'reported')[]
}

/** What a step reported about values and columns, on both sides. */
export interface ChangeComparison {
  key: string
  step: RunStep
  column: string
  /** Of values: what happens to them. Of a column of a table: null. */
  change: ValueChange | null
  a: Reported | null
  b: Reported | null
}
type Reported = { kind: 'values'; count: number } | { kind: 'drift'; drift: NonNullable<RunStep['drift']>[number] }

const reportOf = ({ changes = [], drift = [] }: RunStep) =>
  JSON.stringify([changes.map(({ column, change, count }) => [column, change, count]), drift])

function differences(a: RunStep | null, b: RunStep | null): StepComparison['differs'] {
  if (!a || !b) return ['presence']
  const pairs = [
    ['status', a.status !== b.status],
    ['in', a.rows_in !== b.rows_in],
    ['rows', a.rows_out !== b.rows_out],
    ['upserted', a.rows_inserted !== b.rows_inserted || a.rows_updated !== b.rows_updated],
    ['rejected', (a.rows_rejected ?? 0) !== (b.rows_rejected ?? 0)],
    ['reported', reportOf(a) !== reportOf(b)],
  ] as const
  return pairs.filter(([, differ]) => differ).map(([name]) => name)
}

function compareStep(key: string, a: RunStep | null, b: RunStep | null): StepComparison {
  return {
    key,
    a,
    b,
    duration: minus(a?.duration_ms, b?.duration_ms),
    rows: minus(a?.rows_out, b?.rows_out),
    differs: differences(a, b),
  }
}

/** Steps that pass rows on while they run count the same time twice. */
export const overlaps = (
  { duration_ms: total }: Pick<Run, 'duration_ms'>,
  steps: readonly Pick<RunStep, 'duration_ms'>[],
) => total !== null && steps.reduce((sum, step) => sum + (step.duration_ms ?? 0), 0) > total

/** Steps of both runs, in the order in which they ran; those that only the left run has stand before the target. */
export function compareSteps(a: readonly RunStep[], b: readonly RunStep[]): StepComparison[] {
  const inA = new Map(a.map((step) => [step.key, step]))
  const inB = new Set(b.map((step) => step.key))
  const gone = a.filter((step) => !inB.has(step.key)).map((step) => compareStep(step.key, step, null))
  const both = b.map((step) => compareStep(step.key, inA.get(step.key) ?? null, step))
  const last = both.at(-1)?.key === 'target' ? -1 : both.length
  return [...both.slice(0, last), ...gone, ...(last === -1 ? both.slice(-1) : [])]
}

function* changesIn(step: RunStep): Generator<{ column: string; change: ValueChange | null; reported: Reported }> {
  for (const drift of step.drift ?? []) yield { column: drift.column, change: null, reported: { kind: 'drift', drift } }
  for (const change of step.changes ?? [])
    yield { column: change.column, change, reported: { kind: 'values', count: change.count } }
}

/** Values that arrived differently and columns that differ from the table, as either run reported; those that differ first. */
export function compareChanges(steps: readonly StepComparison[]): ChangeComparison[] {
  const rows = new Map<string, ChangeComparison>()
  for (const { key, a, b } of steps) {
    for (const side of ['a', 'b'] as const) {
      const step = { a, b }[side]
      if (!step) continue
      for (const { column, change, reported } of changesIn(step)) {
        const id = JSON.stringify([key, column, change?.change])
        const row = rows.get(id) ?? { key, step, column, change, a: null, b: null }
        row[side] = reported
        rows.set(id, row)
      }
    }
  }
  return differingFirst([...rows.values()], changesDiffer)
}

export const changesDiffer = (row: ChangeComparison): boolean => JSON.stringify(row.a) !== JSON.stringify(row.b)
