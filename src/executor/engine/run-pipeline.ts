import type { RunPlan } from '../../contract/executor-protocol.ts'
import { evaluateOutputs } from '../../language/task/resolve-task.ts'
import { runColumnar, type LaneResult } from '../lanes/columnar.ts'
import type { RunIo, RunOutcome } from '../worker-protocol.ts'
import { EngineError, asEngineError, messageOf, toErrorInfo } from './errors.ts'
import { prepareTask, runValuesOf, type PreparedTask } from './prepare-task.ts'
import { createStepReport, type StepReport } from './step-report.ts'

/** Runs a task's pipeline to its end. Never throws for mistakes of the user: those are outcomes with status `failed`. */
export async function runPipeline(plan: RunPlan, io: RunIo): Promise<RunOutcome> {
  const began = performance.now()
  let report: StepReport | null = null
  try {
    const prepared = prepareTask(plan.task.yaml_content, plan.arguments, runValuesOf(plan))
    report = createStepReport(prepared.task)
    io.log('info', describe(plan, prepared))
    const result = await runColumnar({ task: prepared.task, connectors: plan.connectors, io, report })
    return succeeded(prepared, result, report, io, began)
  } catch (thrown) {
    return failed(asEngineError(thrown), report, io)
  }
}

function describe(plan: RunPlan, { task }: PreparedTask): string {
  const waits = task.steps.filter(
    (step) => step.kind === 'expect' || (step.kind === 'cast' && step.on_error === 'quarantine'),
  )
  const why =
    waits.length === 0
      ? 'its steps are fused into one query'
      : `its steps are fused into queries around ${waits.map((step) => `\`${step.kind}\``).join(', ')}, which must see all rows`
  return `Task ${plan.task.name} version ${plan.task.version}, attempt ${plan.attempt}: columnar lane (DuckDB), ${why}`
}

function succeeded(
  prepared: PreparedTask,
  result: LaneResult,
  report: StepReport,
  io: RunIo,
  began: number,
): RunOutcome {
  const { target, rejected, warnings } = result
  for (const step of report.steps) {
    const lost = step.rows_rejected ? `, ${step.rows_rejected.toLocaleString('en')} rejected` : ''
    io.log(
      'info',
      `${step.label}: ${count(step.rows_in)} rows in, ${count(step.rows_out)} out${lost} (${step.duration_ms} ms)`,
      step.key,
    )
  }
  const status = rejected > 0 || warnings > 0 ? 'completed' : 'success'
  const { outputs, problems } = evaluateOutputs(prepared.task, {
    ...prepared.scope,
    run: {
      ...prepared.scope.run,
      item_count: target.changed,
      read_count: result.rows_in,
      rejected_count: rejected,
      duration_ms: Math.round(performance.now() - began),
    },
  })
  const base = {
    item_count: target.changed,
    reject_count: rejected,
    steps: report.steps,
    metrics: {
      rows_in: result.rows_in,
      rows_out: target.rows,
      rejected,
      lane: 'columnar',
      ...(target.bytes === null ? {} : { bytes: target.bytes }),
    },
  }
  const problem = problems[0]
  if (problem) {
    const error = new EngineError(
      'EXPRESSION_FAILED',
      `The target is written, but ${problem.path} could not be evaluated: ${problem.message}`,
      {
        hint: 'Mend the output; running again writes the target again.',
      },
    )
    io.log('error', error.message)
    return { ...base, status: 'failed', error: toErrorInfo(error, undefined) }
  }
  return { ...base, status, outputs }
}

function failed(error: EngineError, report: StepReport | null, io: RunIo): RunOutcome {
  const stage = error.stage ?? 0
  if (report) report.fail(stage)
  const steps = report?.steps ?? []
  const key = steps[stage]?.key
  const rejected = steps.reduce((sum, step) => sum + (step.rows_rejected ?? 0), 0)
  io.log('error', error.hint === undefined ? error.message : `${error.message} — ${error.hint}`, key ?? null)
  if (error.code === 'INTERNAL_ERROR' && error.cause instanceof Error)
    io.log('debug', error.cause.stack ?? messageOf(error.cause), key ?? null)
  return {
    status: 'failed',
    item_count: null,
    reject_count: rejected,
    error: toErrorInfo(error, key),
    steps,
    metrics: { rows_in: steps[0]?.rows_in ?? 0, rows_out: 0, rejected, lane: 'columnar' },
  }
}

function count(rows: number | null): string {
  return rows === null ? '?' : rows.toLocaleString('en')
}
