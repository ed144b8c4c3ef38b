/**
 * What executors say about their attempts. They say it at least once; here it takes effect exactly once: the same callback
 * again gets the same answer, one for an attempt that is not theirs any more a 409.
 */
import { msg } from '../../../contract/messages.ts'
import type {
  completeRun,
  postRunLogs,
  postRunProgress,
  postRunRejects,
  postRunState,
} from '../../../contract/executor-protocol.ts'
import type { BodyOf } from '../../../contract/operation.ts'
import type { RunStep } from '../../../contract/runs.ts'
import type { Platform } from '../../platform/platform.ts'
import { conflict, notFound } from '../../platform/refusal.ts'
import type { AttemptsService } from './attempts.service.ts'
import type { RunDetailsStore } from './run-details.store.ts'
import { type EncodedChunk, encodeChunks } from './run-logs.codec.ts'
import type { RunLogsService } from './run-logs.service.ts'
import type { RunWatchers } from './run-watchers.ts'
import { type Standing, batchVerdict, endOfReport, rejectsKept, standing, within } from './runs.rules.ts'
import type { RunsStore } from './runs.store.ts'
import type { RunRow } from './runs.table.ts'

/** Progress of a run is told to the window no more often than this. */
const progressEveryMs = 250

interface Lease {
  attempt: number
  lease_token: string
}
const accepted = { accepted: true } as const

interface Parts {
  runs: RunsStore
  details: RunDetailsStore
  logs: RunLogsService
  attempts: AttemptsService
  watchers: RunWatchers
}

export function createRunCallbacksService(
  { store, clock, events }: Pick<Platform, 'store' | 'clock' | 'events'>,
  { runs, details, logs, attempts, watchers }: Parts,
) {
  const lastProgress = new Map<number, number>()
  attempts.listen({
    ready() {},
    heard() {},
    cancelRequested() {},
    ended: ({ run_id }) => void lastProgress.delete(run_id),
  })

  function refuseStale(id: number, { attempt }: Lease): never {
    conflict(msg('attempt_stale', { attempt, id }))
  }

  /** The run and what weight this callback has; refuses a stale one. */
  function admit(id: number, lease: Lease): { run: RunRow; standing: Exclude<Standing, { kind: 'stale' }> } {
    const run = runs.get(id) ?? notFound()
    const past = lease.attempt < run.attempt ? runs.pastAttempt(id, lease.attempt) : undefined
    const found = standing(run, past, lease)
    if (found.kind === 'stale') return refuseStale(id, lease)
    if (found.kind === 'current') attempts.heard({ run_id: id, attempt: run.attempt })
    return { run, standing: found }
  }

  function refuseGap(path: string, expected: number): never {
    conflict(msg('batch_missing', { expected }), [{ path, ...msg('batch_expected', { expected }) }])
  }

  interface Batch {
    seq: number
    chunks: EncodedChunk[]
  }

  /** Appends a batch unless it is there already. */
  function appendLogs(run: RunRow, found: Standing, { seq, chunks }: Batch, path: string): void {
    const verdict = batchVerdict(found, found.kind === 'ended' ? found.log_seq : run.log_seq, seq)
    if (verdict.kind === 'repeat') return
    if (verdict.kind === 'gap') refuseGap(path, verdict.expected)
    logs.append(run.id, run.attempt, seq, run.log_lines + 1, chunks)
    const lines = chunks.reduce((sum, chunk) => sum + chunk.line_count, run.log_lines)
    runs.setLogs(run.id, seq, lines)
    run.log_seq = seq
    run.log_lines = lines
    store.afterCommit(() => watchers.notify(run.id))
  }

  function publishProgress(run: RunRow, steps: readonly RunStep[]): void {
    const now = clock.monotonic()
    if (now - (lastProgress.get(run.id) ?? -Infinity) < progressEveryMs) return
    lastProgress.set(run.id, now)
    // Columns are read with the steps; here they would only make the event large.
    const shown = steps.map((step) => ({ ...step, columns: [] }))
    events.append('run.progress', run.id, { id: run.id, task_id: run.task_id, attempt: run.attempt, steps: shown })
  }

  return {
    /** The task's code has begun, asks to commit, or its target has committed. */
    state: (id: number, body: BodyOf<typeof postRunState>) =>
      store.group(() => {
        const { run, standing: found } = admit(id, body)
        // What has ended commits nothing any more.
        if (found.kind === 'ended' && body.state === 'committing') refuseStale(id, body)
        if (found.kind === 'current') {
          const at = clock.iso()
          runs.setStarted(id, within(run.started_at ?? at, body.started_at, at), at)
          if (body.state === 'committing') attempts.permit(run, body.repeatable === true, body.source_state)
          else if (body.state === 'committed') attempts.committed(run, body.item_count ?? null, body.source_state)
        }
        return accepted
      }),

    logs: (id: number, body: BodyOf<typeof postRunLogs>) => {
      const batch = { seq: body.seq, chunks: encodeChunks(body.lines) }
      return store.group(() => {
        const { run, standing: found } = admit(id, body)
        appendLogs(run, found, batch, 'body.seq')
        return accepted
      })
    },

    progress: (id: number, body: BodyOf<typeof postRunProgress>) =>
      store.group(() => {
        const { run, standing: found } = admit(id, body)
        if (found.kind === 'current') {
          details.saveSteps(id, run.attempt, body.steps)
          publishProgress(run, body.steps)
        }
        return accepted
      }),

    rejects: (id: number, body: BodyOf<typeof postRunRejects>) =>
      store.group(() => {
        const { run, standing: found } = admit(id, body)
        const verdict = batchVerdict(found, found.kind === 'ended' ? found.reject_seq : run.reject_seq, body.seq)
        if (verdict.kind === 'repeat') return accepted
        if (verdict.kind === 'gap') refuseGap('body.seq', verdict.expected)
        const room = Math.max(0, rejectsKept - run.rejects_stored)
        const kept = body.rejects.slice(0, room)
        details.saveRejects(id, run.attempt, kept, clock.iso())
        const count = (run.reject_count ?? 0) + body.rejects.length
        runs.setRejects(id, body.seq, count, run.rejects_stored + kept.length)
        return accepted
      }),

    /** The attempt is over: last log lines, steps and outcome in one transaction. */
    complete: (id: number, body: BodyOf<typeof completeRun>) => {
      const batch = body.logs && { seq: body.logs.seq, chunks: encodeChunks(body.logs.lines) }
      return store.group(() => {
        const { run, standing: found } = admit(id, body)
        if (found.kind === 'ended') return accepted
        if (batch) appendLogs(run, found, batch, 'body.logs.seq')
        details.saveSteps(id, run.attempt, body.steps)
        attempts.end(run, endOfReport(run, body), body)
        return accepted
      })
    },
  }
}
export type RunCallbacksService = ReturnType<typeof createRunCallbacksService>
