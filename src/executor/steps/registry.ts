import type { TaskStep } from '../../language/task/steps/step.types.ts'
import type { StageContext, StepRunner } from '../engine/lane.types.ts'
import type { RowStream } from '../engine/stream.ts'
import { castStep } from './cast.ts'
import { dedupeStep } from './dedupe.ts'
import { deriveStep } from './derive.ts'
import { dropStep } from './drop.ts'
import { expectStep } from './expect.ts'
import { explodeStep } from './explode.ts'
import { filterStep } from './filter.ts'
import { flattenStep } from './flatten.ts'
import { lookupStep } from './lookup.ts'
import { mapStep } from './map.ts'
import { renameStep } from './rename.ts'
import { selectStep } from './select.ts'
import { sqlStep } from './sql.ts'

/** Every step that the columnar lane knows: one file each. */
const stepRunners: { [K in TaskStep['kind']]: StepRunner<K> } = {
  select: selectStep,
  rename: renameStep,
  drop: dropStep,
  cast: castStep,
  filter: filterStep,
  derive: deriveStep,
  map: mapStep,
  flatten: flattenStep,
  explode: explodeStep,
  lookup: lookupStep,
  dedupe: dedupeStep,
  sql: sqlStep,
  expect: expectStep,
}

export function applyStep(step: TaskStep, stream: RowStream, context: StageContext): Promise<RowStream> {
  const runner = stepRunners[step.kind] as StepRunner<TaskStep['kind']> // the table pairs each kind with its own runner
  return runner.apply(step, stream, context)
}
