import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach } from 'vitest'
import type {
  BoundConnector,
  RejectEntry,
  RejectedInput,
  SourceState,
} from '../../../src/contract/executor-protocol.ts'
import { runTask as runPlan } from '../../../src/executor/engine/run-task.ts'
import type { RunIo, RunOutcome } from '../../../src/executor/worker-protocol.ts'

export const vegaData = resolve('node_modules/vega-datasets/data')

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A folder of its own, removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'headgate-engine-'))
  folders.push(folder)
  return folder
}

let ids = 0

export function fileConnector(root: string): BoundConnector {
  return { id: ++ids, name: 'files', type: 'file', config: { root }, secrets: {} }
}
export function sqliteConnector(path: string, more: Record<string, unknown> = {}): BoundConnector {
  return { id: ++ids, name: 'app', type: 'sqlite', config: { path, ...more }, secrets: {} }
}

export interface FinishedRun extends RunOutcome {
  log: { level: string; message: string; step: string | null }[]
  rejects: RejectEntry[]
}

export interface RunOptions {
  arguments?: Record<string, unknown>
  signal?: AbortSignal
  /** What an earlier run has left. */
  state?: SourceState | undefined
  fullRefresh?: boolean
  attempt?: number
  /** Rows of another run, read instead of the source. */
  rejected?: RejectedInput
  tempDir?: string
  /** By default all of them. */
  keptRejects?: number
  logRoom?: () => Promise<void>
  /** Called with each line of the log, before the run goes on. */
  heard?: (message: string) => void
}

/** Runs a task's YAML as a worker would, and keeps what it says. */
export async function runTask(
  yaml: string,
  connectors: Record<string, BoundConnector>,
  options: RunOptions = {},
): Promise<FinishedRun> {
  const log: FinishedRun['log'] = []
  const rejects: RejectEntry[] = []
  const io: RunIo = {
    log: (level, message, step) => {
      log.push({ level, message, step: step ?? null })
      options.heard?.(message)
    },
    logRoom: options.logRoom ?? (async () => undefined),
    progress: () => undefined,
    reject: async (entries) => void rejects.push(...entries),
    ...(options.keptRejects === undefined ? {} : { keptRejects: options.keptRejects }),
    signal: options.signal ?? new AbortController().signal,
    tempDir: options.tempDir ?? temporaryFolder(),
  }
  const outcome = await runPlan(
    {
      run_id: 1,
      attempt: options.attempt ?? 1,
      lease_token: 'token',
      task: { id: 1, name: 'test', version: 1, yaml_content: yaml },
      arguments: options.arguments ?? {},
      connectors,
      logical_date: '2026-03-01T00:00:00.000Z',
      trigger_type: 'manual',
      job_run_id: null,
      timeout_ms: null,
      state: options.state ?? null,
      full_refresh: options.fullRefresh ?? false,
      ...(options.rejected && { rejected: options.rejected }),
    },
    io,
  )
  return { ...outcome, log, rejects }
}

/** `source 1461→1461 | filter 1461→641 | …`: what each stage got and gave. */
export function flow(run: RunOutcome): string {
  return run.steps
    .map((step) => {
      const rejected = step.rows_rejected ? ` -${step.rows_rejected}` : ''
      return `${step.key} ${step.rows_in}→${step.rows_out}${rejected}`
    })
    .join(' | ')
}
