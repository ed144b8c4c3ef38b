// Runs tasks with the engine for the oracle: one request a line on stdin, one answer a line on stdout. Ends with its stdin.
import { createInterface } from 'node:readline'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runTask } from '../../../src/executor/engine/run-task.ts'
import { silentIo } from '../../support/silent-io.ts'

interface Request {
  yaml: string
  connectors: Record<string, BoundConnector>
  /** Exists; the oracle removes it. */
  tempDir: string
}

for await (const line of createInterface({ input: process.stdin })) {
  const { yaml, connectors, tempDir } = JSON.parse(line) as Request // written by oracle/engine.py
  const outcome = await runTask(
    {
      run_id: 1,
      attempt: 1,
      lease_token: 'token',
      task: { id: 1, name: 'differential', version: 1, yaml_content: yaml },
      arguments: {},
      connectors,
      logical_date: '2026-03-01T00:00:00.000Z',
      trigger_type: 'manual',
      job_run_id: null,
      timeout_ms: null,
      state: null,
      full_refresh: false,
    },
    silentIo(tempDir),
  )
  const { status, error = null, item_count, metrics, steps } = outcome
  const changes = steps.at(-1)?.changes ?? []
  process.stdout.write(`${JSON.stringify({ status, error, item_count, lane: metrics.lane, changes })}\n`)
}
