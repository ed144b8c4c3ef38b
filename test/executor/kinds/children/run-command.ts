// Runs the task in its first argument as a worker would, until it is killed.
import { runTask } from '../../../../src/executor/engine/run-task.ts'

const [yaml = '', tempDir = ''] = process.argv.slice(2)
await runTask(
  {
    run_id: 1,
    attempt: 1,
    lease_token: 'token',
    task: { id: 1, name: 'test', version: 1, yaml_content: yaml },
    arguments: {},
    connectors: {},
    logical_date: '2026-03-01T00:00:00.000Z',
    trigger_type: 'manual',
    job_run_id: null,
    timeout_ms: null,
    state: null,
    full_refresh: false,
  },
  {
    log: (_level, message) => process.stdout.write(`${message}\n`),
    logRoom: async () => undefined,
    progress: () => undefined,
    reject: async () => undefined,
    signal: new AbortController().signal,
    tempDir,
  },
)
