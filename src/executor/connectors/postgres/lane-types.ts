import type { ColumnPlan } from '../../targets/column-plan.ts'
import { isPortable } from './kept.ts'
import { LaneUnfit } from '../../lanes/direct.types.ts'

/**
 * Whether a column takes the values of another as they are, so that they mean what they would mean after a way through DuckDB; anything
 * else is for the columnar lane and its schema policy.
 */
export function takesAsIs(from: string, to: string): boolean {
  if (from === to) return true
  if (to === 'text') return /^character varying(\(\d+\))?$/.test(from)
  if (to === 'character varying') return from === 'text' || from.startsWith('character varying')
  if (to === 'numeric') return from.startsWith('numeric')
  return false
}

export interface TypedColumn {
  name: string
  type: string
}

/** Throws `LaneUnfit` where a type differs, or, with `binary`, where its binary form may. */
export function requireSameTypes(
  plan: ColumnPlan,
  source: ReadonlyMap<string, string>,
  table: readonly TypedColumn[],
  binary: boolean,
): void {
  if (plan.widen.length + plan.recreate.length > 0) throw new LaneUnfit('the table’s columns must be altered')
  // A table that is being altered cannot be read by another session, and the source may be that very table.
  if (binary && plan.add.length > 0) throw new LaneUnfit('the table lacks columns')
  for (const { from, to } of plan.writes) {
    const given = source.get(from.name) ?? ''
    const wanted = table.find((column) => column.name === to)?.type ?? ''
    if (!takesAsIs(given, wanted)) throw new LaneUnfit(`column \`${to}\` is ${wanted}, the source gives ${given}`)
    if (binary && !isPortable(given))
      throw new LaneUnfit(`${given} (column \`${from.name}\`) has no common binary form`)
  }
}
