import { plainMessage } from '../../language/message.ts'
import type { RunPlan } from '../../contract/executor-protocol.ts'
import { evaluateOutputs } from '../../language/task/resolve-task.ts'
import type { ExpressionScope } from '../../language/task/task-scope.ts'
import type { Json } from '../../language/task/task.types.ts'
import type { KindContext, KindResult } from '../kinds/kind.types.ts'
import { runKind } from '../kinds/registry.ts'
import { redactorFor } from '../redact.ts'
import type { RunIo, RunOutcome } from '../worker-protocol.ts'
import { connectorFinder } from './connector-finder.ts'
import { EngineError, asEngineError, messageOf, toErrorInfo } from './errors.ts'
import { HookFailure, runErrorHooks, runHooks } from './hooks.ts'
import { releaseFiles } from './open-file.ts'
import { checkSqlOf, prepareTask, readTask, runValuesOf, type PreparedTask, type ReadTask } from './prepare-task.ts'
import { createStepReport, type StepReport } from './step-report.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** Runs a task to its end. Never throws for mistakes of the user: those are outcomes with status `failed`. */
export async function runTask(plan: RunPlan, io: RunIo): Promise<RunOutcome> {
  const run: Running = { plan, io, read: null, report: null, result: null, warnings: 0 }
  try {
    return await work(run)
  } catch (thrown) {
    return await failed(run, thrown)
  } finally {
    await releaseFiles(io.tempDir)
  }
}

/** How far a run has come. */
interface Running {
  readonly plan: RunPlan
  readonly io: RunIo
  /** What the hooks after a failure need. */
  read: ReadTask | null
  report: StepReport | null
  /** Set once the work is done and what was written is committed. */
  result: KindResult | null
  warnings: number
}

async function work(run: Running): Promise<RunOutcome> {
  const { plan, io } = run
  const read = readTask(plan.task.yaml_content, plan.arguments, runValuesOf(plan))
  run.read = read
  const prepared = prepareTask(read, savedCursor(plan))
  const { task } = prepared
  await checkSqlOf(plan.task.yaml_content)
  const report = createStepReport(task)
  run.report = report
  // A resumed task is a new run: its first attempt is nothing to count beside the runs.
  const again = plan.attempt > 1 ? `, attempt ${plan.attempt}` : ''
  io.log('info', `Task ${plan.task.name} version ${plan.task.version}${again}`)
  const context = kindContext(run, prepared, report)
  await runHooks('before', task.hooks, prepared.scope, context)
  const began = performance.now()
  if (task.kind !== 'pipeline') {
    report.begin(0)
    io.progress(report.steps.map((step) => ({ ...step })))
  }
  const result = await runKind(task, context)
  run.result = result
  io.committed?.({ item_count: result.item_count, ...(result.state === undefined ? {} : { state: result.state }) })
  if (task.kind !== 'pipeline') report.finish(0)
  logSteps(report, io)
  logRejects(result.reject_count ?? 0, io)
  const scope = scopeAfter(prepared.scope, result, performance.now() - began)
  const outputs = outputsOf(prepared, scope)
  await runHooks('after', task.hooks, scope, context)
  const status = run.warnings > 0 || (result.reject_count ?? 0) > 0 ? 'completed' : 'success'
  return { ...whatWasDone(result, report), status, outputs }
}

function savedCursor(plan: RunPlan): string | number | null {
  return plan.full_refresh ? null : (plan.state?.cursor ?? null)
}

function kindContext(run: Running, { scope, cursor }: PreparedTask, report: StepReport): KindContext {
  const { plan, io } = run
  const keyOf = (stage = 0): string | null => report.steps[stage]?.key ?? null
  return {
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
      run.warnings++
      io.log('warn', message, keyOf(stage))
    },
  }
}

function logSteps(report: StepReport, io: RunIo): void {
  for (const step of report.steps) {
    const lost = step.rows_rejected ? `, ${step.rows_rejected.toLocaleString('en')} rejected` : ''
    const rows =
      step.rows_in === null && step.rows_out === null
        ? 'done'
        : `${count(step.rows_in)} rows in, ${count(step.rows_out)} out${lost}`
    // The line has the key in front already.
    const label = step.label.startsWith(`${step.key} `) ? step.label.slice(step.key.length + 1) : step.label
    io.log('info', `${label}: ${rows} (${step.duration_ms} ms)`, step.key)
  }
}

/** How many of the rejected rows can be looked at afterwards. */
function logRejects(rejected: number, { keptRejects: kept, log }: RunIo): void {
  if (kept === undefined || rejected <= kept) return
  const [all, rest] = [rejected, rejected - kept].map((rows) => rows.toLocaleString('en'))
  log('warn', `${all} rows were rejected: the first ${kept.toLocaleString('en')} are kept, ${rest} are only counted`)
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
  const written = runMessage(task.kind === 'pipeline' ? 'target_is_written' : 'work_is_done')
  throw new EngineError(
    'EXPRESSION_FAILED',
    runMessage('output_not_evaluated', { written, path: problem.path, cause: plainMessage(problem) }),
    {
      hint: runMessage('output_not_evaluated_fix'),
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

async function failed(run: Running, thrown: unknown): Promise<RunOutcome> {
  const { plan, io, report, result } = run
  const hook = thrown instanceof HookFailure ? thrown : null
  const error = hook && result ? afterTheWork(hook.error) : (hook?.error ?? asEngineError(thrown))
  const stage = error.stage ?? 0
  if (report && !result && !hook) report.fail(stage)
  if (report && !result && hook) report.skip()
  const steps = report?.steps ?? []
  const key = hook ? hook.key : result ? undefined : steps[stage]?.key
  // What to do about it is said with the failure.
  io.log('error', error.message, key ?? null)
  if (error.code === 'INTERNAL_ERROR' && error.cause instanceof Error)
    io.log('debug', error.cause.stack ?? messageOf(error.cause), key ?? null)
  if (run.read) {
    const { task, scope } = run.read
    // What leaves by a hook is as free of secrets as what goes into the log.
    const message = redactorFor(Object.values(plan.connectors))(error.message)
    const after = { ...scope, error: { code: error.code, message, step: key ?? null } }
    await runErrorHooks(task.hooks, after, { io, connector: connectorFinder(plan.connectors) })
  }
  return failedOutcome(error, key, run)
}

/** Says that what was written stays: a hook's own error does not know. */
function afterTheWork(error: EngineError): EngineError {
  const stopped = error.code === 'CANCELLED'
  const reason = stopped ? runMessage('stopped_in_hook') : error.reason
  return new EngineError(error.code, reason, {
    hint: stopped || !error.fix ? runMessage('work_stays') : runMessage('fix_and_work_stays', { fix: error.fix }),
    cause: error.cause,
  })
}

function failedOutcome(error: EngineError, key: string | undefined, { report, result }: Running): RunOutcome {
  const info = toErrorInfo(error, key)
  // Another attempt would do once more what is done.
  if (result && report)
    return { ...whatWasDone(result, report), status: 'failed', error: { ...info, retryable: false } }
  const steps = report?.steps ?? []
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
