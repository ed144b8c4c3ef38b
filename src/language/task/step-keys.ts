import type { TaskStep } from './steps/step.types.ts'

/**
 * Names for a pipeline's steps in logs, reports and rejects: the kind, and from the second of a kind on its number: `filter`,
 * `filter_2`. Source and target are `source` and `target`.
 */
export function stepKeys(steps: readonly Pick<TaskStep, 'kind'>[]): string[] {
  const seen = new Map<string, number>()
  return steps.map(({ kind }) => {
    const count = (seen.get(kind) ?? 0) + 1
    seen.set(kind, count)
    return count === 1 ? kind : `${kind}_${count}`
  })
}
