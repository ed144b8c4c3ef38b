/** The stages of a connection test: those that were run, and those that a failure kept from being run. Pure. */
import type { ConnectorCheck, ConnectorTestResult } from '../../../contract/connectors.ts'
import type { FieldValues } from './schema-form.ts'

export type Stage =
  | { name: string; state: 'waiting' | 'running' | 'not_run' }
  | { name: string; state: 'ok' | 'failed'; check: ConnectorCheck }

export type TestState =
  | { phase: 'idle' }
  | { phase: 'running' }
  | { phase: 'done'; result: ConnectorTestResult; at: string | null }

/** What a test of this type goes through when all is well: shown before it ran, and where it stopped early. */
function expectedStages(type: string, config: FieldValues): string[] {
  switch (type) {
    case 'postgres': {
      const tls = config.ssl === 'disable' ? [] : ['tls']
      return ['resolve', 'connect', ...tls, 'authenticate', 'read_probe', 'write_probe']
    }
    case 'sqlite':
      return ['open', 'read_probe', ...(config.read_only === true ? [] : ['write_probe'])]
    case 'file':
      return ['resolve', 'list', 'read_probe', 'write_probe']
    default:
      return ['connect', 'authenticate', 'read_probe', 'write_probe']
  }
}

export function stagesOf(type: string, config: FieldValues, state: TestState): Stage[] {
  const expected = expectedStages(type, config)
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
  return [...run, ...expected.slice(lastRun + 1).map((name): Stage => ({ name, state: 'not_run' }))]
}
