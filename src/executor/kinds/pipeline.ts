import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { KindContext, KindRunner } from './kind.types.ts'
import type { PipelineTask } from '../../language/task/kinds/task-document.types.ts'
import { chooseLane, type Lane } from '../lanes/choose-lane.ts'
import { runColumnar, type LaneInput, type LaneResult } from '../lanes/columnar.ts'
import { EngineError } from '../engine/errors.ts'
import { runDirect } from '../lanes/direct.ts'

export const pipelineRunner: KindRunner<'pipeline'> = {
  kind: 'pipeline',
  async run(task, context) {
    const { plan, io, report, cursor, warn } = context
    const input: LaneInput = {
      task,
      connectors: plan.connectors,
      io,
      report,
      runKey: `${plan.task.name} ${plan.run_id} ${plan.logical_date}`,
      rejected: plan.rejected ?? null,
      state: plan.full_refresh ? null : plan.state,
      cursor,
      warn,
    }
    const { lane, result } = await runByLane(task, input, context)
    const { target, rejected, rows_in: read } = result
    return {
      item_count: target.changed,
      reject_count: rejected,
      metrics: {
        rows_in: read,
        rows_out: target.rows,
        rejected,
        lane,
        ...(target.bytes === null ? {} : { bytes: target.bytes }),
      },
      ...(result.state === null ? {} : { state: result.state }),
    }
  },
}

async function runByLane(
  task: PipelineTask,
  input: LaneInput,
  { plan, log }: KindContext,
): Promise<{ lane: Lane; result: LaneResult }> {
  const connector = (slot: string): BoundConnector | undefined =>
    Object.hasOwn(plan.connectors, slot) ? plan.connectors[slot] : undefined
  if (input.rejected) {
    log('info', `${titles.columnar}: rejected rows of run #${input.rejected.run_id}`)
    return { lane: 'columnar', result: await inColumns(input) }
  }
  const choice = chooseLane(task, connector)
  if (choice.lane === 'pushdown' || choice.lane === 'bytes') {
    log('info', `${titles[choice.lane]}: ${choice.why}`)
    const result = await runDirect(choice.lane, input)
    if (result !== null) return { lane: choice.lane, result }
  }
  const { lane, why } = chooseLane(task, connector, false)
  log('info', `${titles[lane]}: ${why}`)
  return { lane, result: await inColumns(input) }
}

/** A file that several threads have misread is read again by one: nothing is committed yet, and no reject was sent. */
async function inColumns(input: LaneInput): Promise<LaneResult> {
  try {
    return await runColumnar(input)
  } catch (error) {
    const hasRejects = input.report.steps.some((step) => (step.rows_rejected ?? 0) > 0)
    if (!(error instanceof EngineError) || !error.misread || hasRejects) throw error
    input.io.log('info', 'Several threads could not tell the rows of a CSV file: one reads it again')
    input.report.restart()
    return runColumnar({ ...input, inOrder: true })
  }
}

const titles: Record<Lane, string> = {
  pushdown: 'Running in the database',
  bytes: 'Copying bytes unchanged',
  columnar: 'Processing columns in DuckDB',
  arrays: 'Loading rows into DuckDB',
  objects: 'Loading records into DuckDB',
}
