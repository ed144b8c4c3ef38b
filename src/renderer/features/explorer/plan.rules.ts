import type { PlanNode } from '../../../contract/explain.ts'

/** How deep each step stands; parents stand before their children. */
export function depthsOf(nodes: readonly Pick<PlanNode, 'parent'>[]): number[] {
  const depths: number[] = []
  for (const { parent } of nodes) depths.push(parent === null ? 0 : (depths[parent] ?? 0) + 1)
  return depths
}
