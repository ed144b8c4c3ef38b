// How a run that did not end by itself is told: pure decisions, from why it was stopped and how its worker ended.
import type { BodyOf } from '../../contract/operation.ts'
import type { ErrorInfo, completeRun } from '../../contract/executor-protocol.ts'
import type { LogLevel, RunStep } from '../../contract/runs.ts'
import type { ExitInfo } from '../../process/child.ts'
import type { AbortReason, Committed, RunOutcome } from '../worker-protocol.ts'
import { runMessage } from '../../contract/run-messages.ts'
import type { Message } from '../../language/message.ts'
import { errorInfo } from '../engine/errors.ts'

export type Completion = Pick<
  BodyOf<typeof completeRun>,
  'status' | 'item_count' | 'reject_count' | 'error' | 'steps' | 'outputs' | 'metrics' | 'state'
>

/** What is told, and the line that explains it in the log, if the engine has not. */
export interface Ending {
  completion: Completion
  line: { level: LogLevel; message: string } | null
}

export interface Circumstances {
  /** Why we asked it to stop; null when we did not. */
  stopped: AbortReason | null
  timeoutMs: number | null
  /** As last told by the worker. */
  steps: RunStep[]
  /** What it was allowed to do: commit once, or as often as it likes; null: nothing. */
  permit: 'once' | 'repeatable' | null
  /** What the worker has told to be written for good; null: nothing. */
  committed: Committed | null
}

/** The worker gave an outcome. What has been committed is told as it is, even when the run was to stop. */
export function endingOf(outcome: RunOutcome, circumstances: Circumstances): Ending {
  const { stopped } = circumstances
  const steps = outcome.steps.length > 0 ? outcome.steps : circumstances.steps
  const reported: Completion = {
    status: outcome.status,
    item_count: outcome.item_count,
    reject_count: outcome.reject_count,
    steps,
    metrics: outcome.metrics,
  }
  if (outcome.outputs) reported.outputs = outcome.outputs
  if (outcome.error) reported.error = outcome.error
  if (outcome.state) reported.state = outcome.state
  if (stopped === null || outcome.status !== 'failed') return { completion: reported, line: null }
  return stoppedEnding(stopped, circumstances, reported)
}

/** The worker ended without an outcome: because it did not stop when asked to, or by itself. */
export function endingWithoutOutcome(exit: ExitInfo, circumstances: Circumstances): Ending {
  const { committed, permit, steps } = circumstances
  const reported: Completion = { status: 'failed', item_count: committed?.item_count ?? null, reject_count: 0, steps }
  if (committed?.state) reported.state = committed.state
  if (permit && !committed) return failure(reported, unknownOutcome(exit, permit === 'repeatable'), false)
  if (circumstances.stopped) return stoppedEnding(circumstances.stopped, circumstances, reported)
  return failure(reported, crashError(exit), committed !== null)
}

function stoppedEnding(reason: AbortReason, { timeoutMs, committed }: Circumstances, reported: Completion): Ending {
  if (reason === 'cancelled') {
    return {
      completion: {
        ...reported,
        status: 'cancelled',
        error: undefined,
        steps: closeSteps(reported.steps, 'cancelled'),
      },
      line: { level: 'warn', message: 'Cancelled' },
    }
  }
  return failure(reported, reason === 'timeout' ? timeoutError(timeoutMs ?? 0) : shutdownError, committed !== null)
}

function timeoutError(limitMs: number): ErrorInfo {
  const reason = runMessage('run_timed_out', { limit: durationText(limitMs) })
  return errorInfo('TIMEOUT', reason, runMessage('run_timed_out_fix'), true)
}

const shutdownError = errorInfo(
  'EXECUTOR_SHUTDOWN',
  runMessage('executor_shut_down'),
  runMessage('executor_shut_down_fix'),
  true,
)

function crashError(exit: ExitInfo): ErrorInfo {
  return errorInfo('WORKER_CRASHED', endOfWorker(exit), exit.error ? undefined : runMessage('worker_ended_fix'), true)
}

function endOfWorker(exit: ExitInfo): Message {
  if (exit.error) return runMessage('no_worker', { cause: exit.error.message })
  const how = exit.signal
    ? runMessage('ended_by_signal', { signal: exit.signal })
    : runMessage('ended_with_code', { exit_code: exit.code ?? '?' })
  return runMessage('worker_ended', { how })
}

/** The worker was allowed to commit, and ended without a word. */
function unknownOutcome(exit: ExitInfo, repeatable: boolean): ErrorInfo {
  const next = repeatable ? runMessage('retry_repeatable') : runMessage('check_target_before_retry')
  return errorInfo('OUTCOME_UNKNOWN', runMessage('outcome_unknown', { cause: endOfWorker(exit) }), next, repeatable)
}

function failure(reported: Completion, error: ErrorInfo, committed: boolean): Ending {
  const unfinished = reported.steps.find(({ status }) => status === 'running' || status === 'failed')
  // Another attempt would write once more what is written.
  const retryable = error.retryable && !committed
  const located = { ...error, retryable, ...(unfinished && !error.step ? { step: unfinished.key } : {}) }
  return {
    completion: { ...reported, status: 'failed', error: located, steps: closeSteps(reported.steps, 'failed') },
    line: { level: 'error', message: error.message },
  }
}

/** Nothing runs any more: the step that did, or that failed by being stopped, becomes `unfinished`; what never began is skipped. */
function closeSteps(steps: RunStep[], unfinished: 'failed' | 'cancelled'): RunStep[] {
  return steps.map((step) => {
    if (step.status === 'running' || step.status === 'failed') return { ...step, status: unfinished }
    return step.status === 'pending' ? { ...step, status: 'skipped' } : step
  })
}

/** `90 s`, `5 min`, `2 h`, `250 ms`: in the largest unit that says it exactly. */
export function durationText(ms: number): string {
  const units = [
    [3_600_000, 'h'],
    [60_000, 'min'],
    [1_000, 's'],
  ] as const
  for (const [size, name] of units) if (ms >= size && ms % size === 0) return `${ms / size} ${name}`
  return `${ms} ms`
}
