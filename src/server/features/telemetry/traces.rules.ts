/** Spans of job runs, runs, attempts and steps. Pure. Names of attributes are those of the CI/CD semantic conventions where they have one. */
import { createHash } from 'node:crypto'
import type { RunAttemptRow, RunStepRow } from '../runs/runs.service.ts'
import type { JobRunFacts, RunFacts } from './facts.ts'
import { type Attributes, type KeyValue, keyValues, unixNano } from './otlp-values.ts'

export interface Span {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  /** 1: internal, 2: server. */
  kind: 1 | 2
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: KeyValue[]
  links?: { traceId: string; spanId: string }[]
  /** 0: unset, 2: error. */
  status: { code: 0 | 2; message?: string }
}

/** What ids and addresses of spans are made with. */
export interface SpanContext {
  /** Of this store: ids of runs are numbers that every server gives. */
  store: string
  /** Address of this server, without a slash at its end. */
  url: string
}

const id = (store: string, what: string, length: 16 | 32) =>
  createHash('sha256').update(`${store} ${what}`).digest('hex').slice(0, length)
/** A job run and all its runs are one trace; so is a run of its own. */
const traceOf = (store: string, run: { id: number; job_run_id: number | null }) =>
  id(store, run.job_run_id === null ? `trace run ${run.id}` : `trace job run ${run.job_run_id}`, 32)

/** Failures of the system, not of the task. */
export const systemErrors: ReadonlySet<string> = new Set([
  'EXECUTOR_LOST',
  'EXECUTOR_STOPPED',
  'INTERNAL_ERROR',
  'OUTCOME_UNKNOWN',
  'REJECTS_LOST',
  'WORKER_CRASHED',
])

/** By the conventions: success, failure, error, timeout, cancellation. */
export function resultOf({ status, error_code }: { status: string; error_code?: string | null }): string {
  if (status === 'cancelled') return 'cancellation'
  if (status !== 'failed') return 'success'
  if (error_code === 'TIMEOUT') return 'timeout'
  return systemErrors.has(error_code ?? '') ? 'error' : 'failure'
}

const action = 'RUN'

function statusOf(failed: boolean, message: string | null): Span['status'] {
  return failed ? { code: 2, ...(message !== null && { message }) } : { code: 0 }
}

export function jobRunSpan({ store, url }: SpanContext, run: JobRunFacts): Span {
  const ended = run.completed_at ?? run.started_at ?? run.logical_date
  const failed = run.status === 'failed'
  return {
    traceId: traceOf(store, { id: 0, job_run_id: run.id }),
    spanId: id(store, `job run ${run.id}`, 16),
    name: `${action} ${run.job_name}`,
    kind: 2,
    startTimeUnixNano: unixNano(run.started_at ?? ended),
    endTimeUnixNano: unixNano(ended),
    attributes: keyValues({
      'cicd.pipeline.name': run.job_name,
      'cicd.pipeline.run.id': String(run.id),
      'cicd.pipeline.run.url.full': `${url}/job-runs/${run.id}`,
      'cicd.pipeline.action.name': action,
      'cicd.pipeline.result': resultOf(run),
      'headgate.trigger_type': run.trigger_type,
      'headgate.logical_date': run.logical_date,
      ...(failed && { 'error.type': 'failure' }),
    }),
    status: statusOf(failed, run.error_message),
  }
}

/** The run, its attempts where it had several, each linked to the one before, and the steps of each. */
export function runSpans(
  { store, url }: SpanContext,
  run: RunFacts,
  earlier: readonly RunAttemptRow[],
  steps: readonly RunStepRow[],
): Span[] {
  const traceId = traceOf(store, run)
  const own = id(store, `run ${run.id}`, 16)
  const ended = run.completed_at ?? run.updated_at
  const begun = earlier.find(({ started_at }) => started_at !== null)?.started_at ?? run.started_at ?? ended
  const failed = run.status === 'failed'
  const name =
    run.task_key === null
      ? `${action} ${run.task_name}`
      : `${run.task_key}${run.item_index === null ? '' : `[${run.item_index}]`}`
  const attributes: Attributes = {
    'cicd.pipeline.task.name': run.task_name,
    'cicd.pipeline.task.run.id': String(run.id),
    'cicd.pipeline.task.run.url.full': `${url}/runs/${run.id}`,
    'cicd.pipeline.task.run.result': resultOf(run),
    // Outside of jobs, the task is the pipeline, as in the metrics.
    ...(run.job_run_id === null && {
      'cicd.pipeline.name': run.task_name,
      'cicd.pipeline.action.name': action,
      'cicd.pipeline.result': resultOf(run),
    }),
    'headgate.task.version': run.task_version,
    'headgate.task.key': run.task_key,
    'headgate.trigger_type': run.trigger_type,
    'headgate.attempts': run.attempt,
    'headgate.rows': run.item_count,
    'headgate.rows_rejected': run.reject_count,
    'cicd.worker.name': run.executor_name,
    'error.type': failed ? (run.error_code ?? 'failure') : null,
  }
  const whole: Span = {
    traceId,
    spanId: own,
    ...(run.job_run_id !== null && { parentSpanId: id(store, `job run ${run.job_run_id}`, 16) }),
    name,
    kind: run.job_run_id === null ? 2 : 1,
    startTimeUnixNano: unixNano(begun),
    endTimeUnixNano: unixNano(ended),
    attributes: keyValues(attributes),
    status: statusOf(failed, run.error_message),
  }
  const several = earlier.length > 0
  const attempts = [...earlier.map((one) => ({ ...one, failed: true })), { ...run, ended_at: ended, failed }].map(
    (one) => attemptSpan(store, { traceId, own }, run, one),
  )
  const spanOf = (attempt: number) => (several ? attemptId(store, run.id, attempt) : own)
  return [
    whole,
    ...(several ? attempts : []),
    ...steps.flatMap((step) => stepSpan(store, traceId, spanOf(step.attempt), step)),
  ]
}

const attemptId = (store: string, run: number, attempt: number) => id(store, `run ${run} attempt ${attempt}`, 16)

type Attempt = Pick<
  RunAttemptRow,
  'attempt' | 'started_at' | 'ended_at' | 'executor_name' | 'error_code' | 'error_message'
>

function attemptSpan(
  store: string,
  { traceId, own }: { traceId: string; own: string },
  run: RunFacts,
  one: Attempt & { failed: boolean },
): Span {
  return {
    traceId,
    spanId: attemptId(store, run.id, one.attempt),
    parentSpanId: own,
    name: `attempt ${one.attempt}`,
    kind: 1,
    startTimeUnixNano: unixNano(one.started_at ?? one.ended_at),
    endTimeUnixNano: unixNano(one.ended_at),
    attributes: keyValues({
      'headgate.attempt': one.attempt,
      'cicd.worker.name': one.executor_name,
      'error.type': one.failed ? (one.error_code ?? 'failure') : null,
    }),
    ...(one.attempt > 1 && { links: [{ traceId, spanId: attemptId(store, run.id, one.attempt - 1) }] }),
    status: statusOf(one.failed, one.error_message),
  }
}

/** Steps that never began leave no span. */
function stepSpan(store: string, traceId: string, parentSpanId: string, step: RunStepRow): Span[] {
  if (step.started_at === null) return []
  const begun = unixNano(step.started_at)
  const spent = BigInt(Math.round((step.duration_ms ?? 0) * 1e6))
  return [
    {
      traceId,
      spanId: id(store, `run ${step.run_id} attempt ${step.attempt} step ${step.step_index}`, 16),
      parentSpanId,
      name: step.label,
      kind: 1,
      startTimeUnixNano: begun,
      endTimeUnixNano: `${BigInt(begun) + spent}`,
      attributes: keyValues({
        'headgate.step.key': step.key,
        'headgate.rows_in': step.rows_in,
        'headgate.rows_out': step.rows_out,
        'headgate.rows_rejected': step.rows_rejected,
        'headgate.bytes': step.bytes,
      }),
      status: statusOf(step.status === 'failed', null),
    },
  ]
}
