import type { RunPlan } from '../../contract/executor-protocol.ts'
import { evaluateOutputs } from '../../language/task/resolve-task.ts'
import type { ExpressionScope } from '../../language/task/task-scope.ts'
import type { Json } from '../../language/task/task.types.ts'
import type { KindContext, KindResult } from '../kinds/kind.types.ts'
import { runKind } from '../kinds/registry.ts'
import type { RunIo, RunOutcome } from '../worker-protocol.ts'
import { connectorFinder } from './connector-finder.ts'
import { EngineError, asEngineError, messageOf, toErrorInfo } from './errors.ts'
import { prepareTask, runValuesOf, type PreparedTask } from './prepare-task.ts'
import { createStepReport, type StepReport } from './step-report.ts'

/** Runs a task to its end. Never throws for mistakes of the user: those are outcomes with status `failed`. */
export async function runTask(plan: RunPlan, io: RunIo): Promise<RunOutcome> {
  let report: StepReport | null = null
  let result: KindResult | null = null
  try {
    const prepared = prepareTask(plan.task.yaml_content, plan.arguments, runValuesOf(plan), savedCursor(plan))
    const { task } = prepared
    report = createStepReport(task)
    io.log('info', `Task ${plan.task.name} version ${plan.task.version}, attempt ${plan.attempt}`)
    const began = performance.now()
    const { context, warnings } = kindContext(plan, io, prepared, report)
    if (task.kind !== 'pipeline') report.begin(0)
    result = await runKind(task, context)
    if (task.kind !== 'pipeline') report.finish(0)
    logSteps(report, io)
    const scope = scopeAfter(prepared.scope, result, performance.now() - began)
    const outputs = outputsOf(prepared, scope)
    const status = warnings() > 0 || (result.reject_count ?? 0) > 0 ? 'completed' : 'success'
    return { ...whatWasDone(result, report), status, outputs }
  } catch (thrown) {
    return failed(asEngineError(thrown), report, result, io)
  }
}

function savedCursor(plan: RunPlan): string | number | null {
  return plan.full_refresh ? null : (plan.state?.cursor ?? null)
}

function kindContext(
  plan: RunPlan,
  io: RunIo,
  { scope, cursor }: PreparedTask,
  report: StepReport,
): { context: KindContext; warnings: () => number } {
  let warnings = 0
  const keyOf = (stage = 0): string | null => report.steps[stage]?.key ?? null
  const context: KindContext = {
    plan,
    scope,
    cursor,
    io,
    signal: io.signal,
    tempDir: io.tempDir,
    report,
    connector: connectorFinder(plan.connectors),
    log: (level, message, stage) => io.log(level, message, keyOf(stage)),
    warn(message, stage) {
      warnings++
      io.log('warn', message, keyOf(stage))
    },
  }
  return { context, warnings: () => warnings }
}

function logSteps(report: StepReport, io: RunIo): void {
  for (const step of report.steps) {
    const lost = step.rows_rejected ? `, ${step.rows_rejected.toLocaleString('en')} rejected` : ''
    const rows =
      step.rows_in === null && step.rows_out === null
        ? 'done'
        : `${count(step.rows_in)} rows in, ${count(step.rows_out)} out${lost}`
    io.log('info', `${step.label}: ${rows} (${step.duration_ms} ms)`, step.key)
  }
}

/** What outputs and the hooks after the work may refer to. */
function scopeAfter(scope: ExpressionScope, result: KindResult, took: number): ExpressionScope {
  const run = {
    ...scope.run,
    item_count: result.item_count,
    read_count: result.metrics.rows_in,
    rejected_count: result.reject_count ?? 0,
    duration_ms: Math.round(took),
  }
  return { ...scope, ...result.scope, run }
}

function outputsOf({ task }: PreparedTask, scope: ExpressionScope): Record<string, Json> {
  const { outputs, problems } = evaluateOutputs(task, scope)
  const problem = problems[0]
  if (!problem) return outputs
  const written = task.kind === 'pipeline' ? 'The target is written' : 'The work is done'
  throw new EngineError(
    'EXPRESSION_FAILED',
    `${written}, but ${problem.path} could not be evaluated: ${problem.message}`,
    {
      hint: 'Mend the output; running again does the work again.',
    },
  )
}

function whatWasDone(
  result: KindResult,
  report: StepReport,
): Pick<RunOutcome, 'item_count' | 'reject_count' | 'steps' | 'metrics' | 'state'> {
  return {
    item_count: result.item_count,
    reject_count: result.reject_count ?? 0,
    steps: result.steps ?? report.steps,
    metrics: result.metrics,
    // The target has committed: what follows may still fail, but what was read stays read.
    ...(result.state === undefined ? {} : { state: result.state }),
  }
}

function failed(error: EngineError, report: StepReport | null, result: KindResult | null, io: RunIo): RunOutcome {
  const stage = error.stage ?? 0
  if (report && !result) report.fail(stage)
  const steps = report?.steps ?? []
  const key = result ? undefined : steps[stage]?.key
  io.log('error', error.hint === undefined ? error.message : `${error.message} — ${error.hint}`, key ?? null)
  if (error.code === 'INTERNAL_ERROR' && error.cause instanceof Error)
    io.log('debug', error.cause.stack ?? messageOf(error.cause), key ?? null)
  const info = toErrorInfo(error, key)
  if (result && report) return { ...whatWasDone(result, report), status: 'failed', error: info }
  const rejected = steps.reduce((sum, step) => sum + (step.rows_rejected ?? 0), 0)
  return {
    status: 'failed',
    item_count: null,
    reject_count: rejected,
    error: info,
    steps,
    metrics: { rows_in: steps[0]?.rows_in ?? 0, rows_out: 0, rejected, lane: 'none' },
  }
}

function count(rows: number | null): string {
  return rows === null ? '?' : rows.toLocaleString('en')
}
