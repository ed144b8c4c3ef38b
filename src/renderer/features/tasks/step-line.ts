import type { RunStep } from '../../../contract/runs.ts'
import { stageLines } from './stage-lines.ts'

/** The line (from 1) at which a step of a run is written in the task’s YAML; null where it is not there. */
export function lineOfStep(yaml: string, { index, key }: Pick<RunStep, 'index' | 'key'>): number | null {
  if (key === 'target') {
    const at = yaml.split('\n').findIndex((line) => /^target\s*:/.test(line))
    return at === -1 ? null : at + 1
  }
  return stageLines(yaml).find(({ stage }) => stage === index)?.from ?? null
}
