/**
 * The life of a run.
 *
 * A run waits (`pending`), is claimed by an executor (`running`), and ends: `success` when every record was written,
 * `completed` when it finished but records were rejected or an expectation warned, `failed`, or `cancelled`. What has
 * ended never moves again. An attempt that failed in a way that another try may mend, or whose executor was lost, goes
 * back to `pending` as the next attempt while attempts remain. A claim that never reached its executor goes back as the
 * same attempt under another lease.
 *
 * Cancelling a waiting run ends it at once. A running one is only asked: its executor stops the work and says how it
 * ended, which may still be success. When no answer comes in time the run is cancelled without it.
 *
 * An attempt whose target has committed is never tried again: what it wrote would be written twice. It commits only with
 * the server's permit. When one that has it ends without a word, nobody knows what became of it: it is tried again only
 * where writing the same rows twice gives the same result, and else the run fails with OUTCOME_UNKNOWN.
 *
 * A worker that crashes twice in a row is not given the same run a third time: what ended it is most likely in the run's input.
 *
 * An executor speaks for an attempt by its lease token. The token dies when the attempt is given up, so that whatever
 * the executor says later is refused; it stays when the executor itself ended the attempt, so that saying it twice gives
 * the same answer.
 */
import type { ErrorInfo } from '../../../contract/executor-protocol.ts'
import type { RunStatus } from '../../../contract/runs.ts'
import type { CommitPermit } from './runs.table.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import { inOne } from '../../../language/message.ts'
import { keptError, withFix, type KeptError } from '../../platform/kept-error.ts'

export const moves = {
  claim: { from: 'pending', to: ['running'] },
  cancel: { from: 'pending', to: ['cancelled'] },
  finish: { from: 'running', to: ['success', 'completed', 'failed', 'cancelled'] },
  try_again: { from: 'running', to: ['pending'] },
  give_back: { from: 'running', to: ['pending'] },
} as const satisfies Record<string, { from: RunStatus; to: readonly RunStatus[] }>
export type MoveName = keyof typeof moves

export type EndStatus = (typeof moves.finish.to)[number]
export const endStatuses: readonly RunStatus[] = moves.finish.to
export const hasEnded = (status: RunStatus): boolean => endStatuses.includes(status)

/** What the rules need to know of a run. */
export interface RunState {
  status: RunStatus
  attempt: number
  max_attempts: number
  retry_delay_ms: number
  retry_backoff: number
  lease_token: string | null
  cancel_requested: 0 | 1
  committed_at: string | null
  commit_permit: CommitPermit | null
  /** While it waits or runs: of the attempt before this one; null in the first. */
  error_code: string | null
}

export type AttemptEnd =
  | { move: 'finish'; status: EndStatus; error: RunError | null }
  | { move: 'try_again'; delay_ms: number; error: RunError }

export interface RunError extends KeptError {
  code: string
}

/** What an executor says at the end of an attempt. */
export interface Report {
  status: EndStatus
  reject_count: number
  error?: ErrorInfo
}

/** Rejected rows that are kept of a run; all of them are counted. */
export const rejectsKept = 10_000

const stopped: RunError = {
  code: 'EXECUTOR_STOPPED',
  ...keptError(runMessage('executor_stopped')),
}

/** How an attempt that its executor reported ends. */
export function endOfReport(run: RunState & { reject_count: number | null }, report: Report): AttemptEnd {
  if (report.status === 'success' || report.status === 'completed') {
    const error = lostRejects(report.reject_count, run.reject_count ?? 0)
    return { move: 'finish', status: error ? 'failed' : report.status, error }
  }
  const unknown = report.error?.code === 'OUTCOME_UNKNOWN'
  if (run.cancel_requested && !unknown) return cancelled(run)
  // Nobody asked for it: the executor stopped the work because it itself had to stop.
  if (report.status === 'cancelled') return failedAttempt(run, stopped, true)
  const error = report.error ? reported(report.error) : { code: 'UNKNOWN', ...keptError(runMessage('no_reason_given')) }
  const { code } = error
  const retryable = report.error?.retryable ?? false
  if (retryable && crashes.has(code) && crashes.has(run.error_code ?? '')) {
    return failedAttempt(run, { code, ...withFix(error, runMessage('not_retried_same_end')) }, false)
  }
  return failedAttempt(run, error, retryable && !run.cancel_requested)
}

function reported({ code, message, hint, params }: ErrorInfo): RunError {
  return { code, message: hint ? inOne(message, hint) : message, params: params ? JSON.stringify(params) : null }
}

/** Ends of an attempt that the same input brings about again. */
const crashes: ReadonlySet<string> = new Set(['WORKER_CRASHED', 'OUT_OF_MEMORY'])

/** Executors send the rejected rows that are kept before they report the end: others than reported mean that some got lost. */
function lostRejects(sent: number, arrived: number): RunError | null {
  if (Math.min(sent, rejectsKept) === Math.min(arrived, rejectsKept)) return null
  return {
    code: 'REJECTS_LOST',
    ...keptError(runMessage('rejects_lost', { rejected: sent, arrived })),
  }
}

export type GiveUpReason = 'executor_lost' | 'executor_gone' | 'timeout' | 'cancel_unanswered'

/** How an attempt ends about which nobody reports. */
export function endOfSilence(run: RunState, reason: GiveUpReason, executor: string | null): AttemptEnd {
  if (run.commit_permit !== null && run.committed_at === null) return unknownOutcome(run, reason, executor)
  if (run.cancel_requested || reason === 'cancel_unanswered') return cancelled(run)
  const name = executor ?? 'unknown'
  const error: RunError =
    reason === 'timeout'
      ? { code: 'TIMEOUT', ...keptError(runMessage('timeout_not_stopped', { executor: name })) }
      : {
          code: 'EXECUTOR_LOST',
          ...keptError(runMessage(reason === 'executor_lost' ? 'executor_lost' : 'executor_left', { executor: name })),
        }
  return failedAttempt(run, error, true)
}

/** The attempt was allowed to commit and then fell silent. */
function unknownOutcome(run: RunState, reason: GiveUpReason, executor: string | null): AttemptEnd {
  const name = executor ?? 'unknown'
  const repeatable = run.commit_permit === 'repeatable'
  const kept = keptError(
    runMessage('lost_while_committing', { executor: name }),
    runMessage(repeatable ? 'retry_same_result' : 'check_target_before_retry'),
  )
  const again = repeatable && !run.cancel_requested && reason !== 'cancel_unanswered'
  return failedAttempt(run, { code: 'OUTCOME_UNKNOWN', ...kept }, again)
}

/** Whether an attempt before this one may have written its rows. Until one succeeds, nobody knows. */
export const isInDoubt = ({ error_code }: Pick<RunState, 'error_code'>): boolean => error_code === 'OUTCOME_UNKNOWN'

/** The error of an attempt; the doubt about one before it outlives it. */
export function withDoubt(run: Pick<RunState, 'error_code'>, error: RunError): RunError {
  if (!isInDoubt(run) || error.code === 'OUTCOME_UNKNOWN') return error
  return { code: 'OUTCOME_UNKNOWN', ...withFix(error, runMessage('earlier_attempt_unknown')) }
}

function cancelled(run: RunState): AttemptEnd {
  if (!isInDoubt(run)) return { move: 'finish', status: 'cancelled', error: null }
  const error = { code: 'OUTCOME_UNKNOWN', ...keptError(runMessage('earlier_attempt_unknown')) }
  return { move: 'finish', status: 'failed', error }
}

function failedAttempt(run: RunState, cause: RunError, retryable: boolean): AttemptEnd {
  if (run.committed_at !== null) {
    const explained = { ...cause, ...withFix(cause, runMessage('committed_stays')) }
    return { move: 'finish', status: 'failed', error: explained }
  }
  const error = withDoubt(run, cause)
  if (!retryable || run.attempt >= run.max_attempts) return { move: 'finish', status: 'failed', error }
  return { move: 'try_again', delay_ms: retryDelay(run, run.attempt), error }
}

const longestDelayMs = 24 * 3_600_000

/** How long to wait after the given attempt (from 1) has failed. */
export function retryDelay(policy: Pick<RunState, 'retry_delay_ms' | 'retry_backoff'>, attempt: number): number {
  return Math.min(Math.round(policy.retry_delay_ms * policy.retry_backoff ** (attempt - 1)), longestDelayMs)
}

/** An attempt that was followed by another one, as far as callbacks are concerned. */
export interface PastAttempt {
  lease_token: string | null
  log_seq: number
  reject_seq: number
}

export type Standing =
  /** The attempt is under way under this lease. */
  | { kind: 'current' }
  /** The executor itself ended this attempt: what was said before may be said again, nothing new. */
  | { kind: 'ended'; log_seq: number; reject_seq: number }
  /** Another attempt or lease holds, or the attempt was given up. */
  | { kind: 'stale' }

/** What weight a callback has that comes with this attempt and lease token. */
export function standing(
  run: RunState & { log_seq: number; reject_seq: number },
  past: PastAttempt | undefined,
  given: { attempt: number; lease_token: string },
): Standing {
  if (given.attempt === run.attempt && run.lease_token !== null && run.lease_token === given.lease_token) {
    if (run.status === 'running') return { kind: 'current' }
    if (hasEnded(run.status)) return { kind: 'ended', log_seq: run.log_seq, reject_seq: run.reject_seq }
  }
  if (past?.lease_token && given.attempt < run.attempt && past.lease_token === given.lease_token) {
    return { kind: 'ended', log_seq: past.log_seq, reject_seq: past.reject_seq }
  }
  return { kind: 'stale' }
}

export type BatchVerdict = { kind: 'append' } | { kind: 'repeat' } | { kind: 'gap'; expected: number }

/** Whether a numbered batch is the next one, one that is already there, or one too far. */
export function batchVerdict(standing: Standing, lastSeq: number, seq: number): BatchVerdict {
  if (seq <= lastSeq) return { kind: 'repeat' }
  if (standing.kind === 'current' && seq === lastSeq + 1) return { kind: 'append' }
  return { kind: 'gap', expected: lastSeq + 1 }
}

/** An executor's clock may be wrong: its times are kept within what the server saw itself. ISO texts compare as they sort. */
export function within(earliest: string, given: string, latest: string): string {
  const at = new Date(given)
  const iso = Number.isNaN(at.getTime()) ? earliest : at.toISOString()
  return iso < earliest ? earliest : iso > latest ? latest : iso
}
