import type { PipelineTask } from '../../language/task/task.types.ts'
import { runColumnar } from '../lanes/columnar.ts'
import type { KindRunner } from './kind.types.ts'

export const pipelineRunner: KindRunner<'pipeline'> = {
  kind: 'pipeline',
  async run(task, { plan, io, report, cursor, log, warn }) {
    log('info', describe(task))
    const result = await runColumnar({
      task,
      connectors: plan.connectors,
      io,
      report,
      runKey: `${plan.task.name} ${plan.run_id} ${plan.logical_date}`,
      state: plan.full_refresh ? null : plan.state,
      cursor,
      warn,
    })
    const { target, rejected, rows_in: read } = result
    return {
      item_count: target.changed,
      reject_count: rejected,
      metrics: {
        rows_in: read,
        rows_out: target.rows,
        rejected,
        lane: 'columnar',
        ...(target.bytes === null ? {} : { bytes: target.bytes }),
      },
      ...(result.state === null ? {} : { state: result.state }),
    }
  },
}

function describe(task: PipelineTask): string {
  const waits = task.steps.filter(
    (step) => step.kind === 'expect' || (step.kind === 'cast' && step.on_error === 'quarantine'),
  )
  const why =
    waits.length === 0
      ? 'its steps are fused into one query'
      : `its steps are fused into queries around ${waits.map((step) => `\`${step.kind}\``).join(', ')}, which must see all rows`
  return `Columnar lane (DuckDB): ${why}`
}
