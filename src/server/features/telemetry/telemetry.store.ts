import type { Store } from '../../platform/store.ts'
import type { RunAttemptRow, RunStepRow } from '../runs/runs.service.ts'
import type { Fact } from './facts.ts'

export const sinks = ['openlineage_url', 'openlineage_folder', 'otlp'] as const
export type Sink = (typeof sinks)[number]

export interface OutboxEntry {
  id: number
  fact: Fact
}

/** How many runs of a pipeline have this status. */
export interface ActivePipeline {
  name: string
  status: string
  n: number
}

export function createTelemetryStore({ sqlite }: Pick<Store, 'sqlite'>) {
  const add = sqlite.prepare<[Sink, string]>('INSERT INTO telemetry_outbox (sink, fact) VALUES (?, ?)')
  const next = sqlite.prepare<[Sink, number], { id: number; fact: string }>(
    'SELECT id, fact FROM telemetry_outbox WHERE sink = ? ORDER BY id LIMIT ?',
  )
  const remove = sqlite.prepare<[Sink, number]>('DELETE FROM telemetry_outbox WHERE sink = ? AND id <= ?')
  const clear = sqlite.prepare<[Sink]>('DELETE FROM telemetry_outbox WHERE sink = ?')
  const count = sqlite.prepare<[Sink], number>('SELECT count(*) FROM telemetry_outbox WHERE sink = ?').pluck()
  const cut = sqlite.prepare<[Sink, Sink, number]>(`DELETE FROM telemetry_outbox WHERE sink = ? AND id <=
    (SELECT id FROM telemetry_outbox WHERE sink = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`)
  const steps = sqlite.prepare<[number], RunStepRow>(
    'SELECT * FROM run_steps WHERE run_id = ? ORDER BY attempt, step_index',
  )
  const attempts = sqlite.prepare<[number], RunAttemptRow>(
    'SELECT * FROM run_attempts WHERE run_id = ? ORDER BY attempt',
  )
  const jobName = sqlite.prepare<[number], string>('SELECT job_name FROM job_runs WHERE id = ?').pluck()

  const activeRuns = sqlite.prepare<[], ActivePipeline>(
    "SELECT task_name AS name, status, count(*) AS n FROM runs WHERE status IN ('pending', 'running') AND job_run_id IS NULL GROUP BY task_name, status",
  )
  const activeJobRuns = sqlite.prepare<[], ActivePipeline>(
    "SELECT job_name AS name, status, count(*) AS n FROM job_runs WHERE status IN ('pending', 'running', 'paused') GROUP BY job_name, status",
  )

  return {
    /** Job runs, and runs of their own. */
    activePipelines: (): ActivePipeline[] => [...activeRuns.all(), ...activeJobRuns.all()],
    add: (sink: Sink, fact: Fact): void => void add.run(sink, JSON.stringify(fact)),
    // Written by `add`.
    next: (sink: Sink, limit: number): OutboxEntry[] =>
      next.all(sink, limit).map(({ id, fact }) => ({ id, fact: JSON.parse(fact) as Fact })),
    /** Everything up to this one has arrived. */
    arrived: (sink: Sink, id: number): void => void remove.run(sink, id),
    clear: (sink: Sink): void => void clear.run(sink),
    waiting: (sink: Sink): number => count.get(sink) ?? 0,
    /** Drops the oldest beyond so many; how many were dropped. */
    cut: (sink: Sink, most: number): number => cut.run(sink, sink, most).changes,
    steps: (runId: number): RunStepRow[] => steps.all(runId),
    attempts: (runId: number): RunAttemptRow[] => attempts.all(runId),
    jobNameOf: (jobRunId: number): string | null => jobName.get(jobRunId) ?? null,
  }
}
export type TelemetryStore = ReturnType<typeof createTelemetryStore>
