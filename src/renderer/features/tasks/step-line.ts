import type { RunStep } from '../../../contract/runs.ts'
import { stageLines } from './stage-lines.ts'

/** The line (from 1) at which a step of a run is written in the task’s YAML, or the part of it that has a name there; null where it is not there. */
export function lineOfStep(
  yaml: string,
  { index, key }: Pick<RunStep, 'index' | 'key'>,
  part: string | null = null,
): number | null {
  const lines = yaml.split('\n')
  if (key === 'target') {
    const at = lines.findIndex((line) => /^target\s*:/.test(line))
    return at === -1 ? null : at + 1
  }
  const step = stageLines(yaml).find(({ stage }) => stage === index)
  if (!step) return null
  const named = part === null ? -1 : lines.slice(step.from - 1, step.to).findIndex((line) => line.includes(part))
  return step.from + Math.max(0, named)
}
