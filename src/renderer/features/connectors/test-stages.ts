/** The stages of a connection test: those that were run, and those that a failure kept from being run. Pure. */
import type { ConnectorCheck, ConnectorTestResult } from '../../../contract/connectors.ts'

export type Stage =
  | { name: string; state: 'waiting' | 'running' | 'not_run' }
  | { name: string; state: 'ok' | 'failed'; check: ConnectorCheck }

const expectedByType: Readonly<Record<string, readonly string[]>> = {
  postgres: ['resolve', 'connect', 'authenticate', 'read_probe', 'write_probe'],
  sqlite: ['connect', 'read_probe', 'write_probe'],
  file: ['connect', 'read_probe', 'write_probe'],
}

export type TestState =
  | { phase: 'idle' }
  | { phase: 'running' }
  | { phase: 'done'; result: ConnectorTestResult; at: string | null }

export function stagesOf(type: string, state: TestState): Stage[] {
  const expected = expectedByType[type] ?? ['connect', 'authenticate', 'read_probe']
  if (state.phase === 'idle') return expected.map((name) => ({ name, state: 'waiting' }))
  if (state.phase === 'running') return expected.map((name) => ({ name, state: 'running' }))
  const run = state.result.checks.map((check): Stage => ({
    name: check.name,
    state: check.ok ? 'ok' : 'failed',
    check,
  }))
  if (state.result.ok) return run
  // What comes after the stage that failed was never tried.
  const lastRun = Math.max(-1, ...state.result.checks.map((check) => expected.indexOf(check.name)))
  const rest = expected.slice(lastRun + 1).map((name): Stage => ({ name, state: 'not_run' }))
  return [...run, ...rest]
}
