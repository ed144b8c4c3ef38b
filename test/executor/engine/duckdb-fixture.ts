import { DuckDBInstance } from '@duckdb/node-api'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { temporaryFolder } from './run-task.ts'

let ids = 500

export interface DuckFile {
  path: string
  bound: BoundConnector
  /** As any other program would: opens the file, runs the SQL, closes it. Rows of the last statement, JSON-safe. */
  sql(statements: string): Promise<unknown[][]>
}

export function duckFile(folder = temporaryFolder(), file = 'warehouse.duckdb', more: object = {}): DuckFile {
  const path = join(folder, file)
  return {
    path,
    bound: { id: ++ids, name: 'warehouse', type: 'duckdb', config: { path, ...more }, secrets: {} },
    async sql(statements) {
      const instance = await DuckDBInstance.create(path)
      const connection = await instance.connect()
      try {
        return (await connection.runAndReadAll(statements)).getRowsJson()
      } finally {
        connection.closeSync()
        instance.closeSync()
      }
    },
  }
}

/** Another program that has the file open, until it is ended; throws where it cannot open it. */
export async function holdOpen(path: string): Promise<() => Promise<void>> {
  const program = `import('@duckdb/node-api').then(async ({ DuckDBInstance }) => {
    globalThis.held = await DuckDBInstance.create(${JSON.stringify(path)}); console.log('open'); setInterval(() => held, 1000) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const opened = await Promise.race([
    once(child.stdout, 'data').then(() => true),
    once(child, 'exit').then(() => false),
  ])
  if (!opened) throw new Error(`Another program cannot open ${path}`)
  return () => end(child)
}

export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** A run in a process of its own. */
export function runElsewhere(yaml: string, connectors: Record<string, BoundConnector>): ChildProcess {
  const folder = temporaryFolder()
  const plan = join(folder, 'plan.json')
  writeFileSync(
    plan,
    JSON.stringify({
      run_id: 1,
      attempt: 1,
      lease_token: 'token',
      task: { id: 1, name: 'test', version: 1, yaml_content: yaml },
      arguments: {},
      connectors,
      logical_date: '2026-03-01T00:00:00.000Z',
      trigger_type: 'manual',
      job_run_id: null,
      timeout_ms: null,
      state: null,
      full_refresh: false,
    }),
  )
  return spawn(process.execPath, [join(import.meta.dirname, 'children/run-plan.ts'), plan, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
