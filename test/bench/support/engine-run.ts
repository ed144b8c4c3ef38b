// Runs a task in this process, as a worker would, without a server.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runTask } from '../../../src/executor/engine/run-task.ts'
import type { RunOutcome } from '../../../src/executor/worker-protocol.ts'
import { silentIo } from '../../support/silent-io.ts'

export interface BenchFolder {
  path: string
  remove(): void
}

export function benchFolder(): BenchFolder {
  const path = mkdtempSync(join(tmpdir(), 'headgate-bench-'))
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) }
}

export function filesIn(root: string): BoundConnector {
  return { id: 1, name: 'files', type: 'file', config: { root }, secrets: {} }
}
export function sqliteAt(path: string): BoundConnector {
  return { id: 2, name: 'db', type: 'sqlite', config: { path }, secrets: {} }
}

/** Milliseconds and outcome of one run; a failed run ends the benchmark. */
export async function timedRun(
  yaml: string,
  connectors: Record<string, BoundConnector>,
  folder: BenchFolder,
): Promise<{ ms: number; outcome: RunOutcome }> {
  const tempDir = join(folder.path, 'temp')
  mkdirSync(tempDir, { recursive: true })
  const began = performance.now()
  const outcome = await runTask(
    {
      run_id: 1,
      attempt: 1,
      lease_token: 'bench',
      task: { id: 1, name: 'bench', version: 1, yaml_content: yaml },
      arguments: {},
      connectors,
      logical_date: '2026-01-01T00:00:00.000Z',
      timeout_ms: null,
      state: null,
      full_refresh: false,
      trigger_type: 'manual',
      job_run_id: null,
    },
    silentIo(tempDir),
  )
  const ms = performance.now() - began
  if (outcome.status === 'failed') throw new Error(`${outcome.error?.code}: ${outcome.error?.message}`)
  return { ms, outcome }
}

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
