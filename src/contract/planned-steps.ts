import { shortened } from '../language/shortened.ts'
import type { Stage } from '../language/task/stage.types.ts'
import type { RunStep } from './runs.ts'

/** A label within the length of the protocol, with the code and parameters that it was made with. */
export const labelOf = ({ label: { code, params, message } }: Stage): Pick<RunStep, 'label' | 'code' | 'params'> => ({
  label: shortened(message, 200),
  code,
  params,
})

/** The steps of a run of a task with these stages, as they are before it begins. */
export const plannedSteps = (stages: readonly Stage[]): RunStep[] =>
  stages.map((stage, index) => ({
    index,
    key: stage.key,
    ...labelOf(stage),
    status: 'pending',
    rows_in: null,
    rows_out: null,
    rows_rejected: null,
    bytes: null,
    started_at: null,
    duration_ms: null,
    columns: [],
  }))
