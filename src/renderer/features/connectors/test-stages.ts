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
  const tls = (on: boolean) => (on ? ['tls'] : [])
  const probes = ['read_probe', 'write_probe']
  switch (type) {
    case 'postgres':
    case 'mysql':
      return ['resolve', 'connect', ...tls(config.ssl !== 'disable'), 'authenticate', ...probes]
    case 'sqlite':
    case 'duckdb':
      return ['open', 'read_probe', ...(config.read_only === true ? [] : ['write_probe'])]
    case 'file':
      return ['resolve', 'list', ...probes]
    case 'mongodb': {
      // With mongodb+srv the hosts are known only to DNS.
      const srv = typeof config.uri === 'string' && config.uri.startsWith('mongodb+srv:')
      return ['resolve', ...(srv ? [] : ['connect']), 'authenticate', ...probes]
    }
    case 'http':
    case 'odata': {
      const secure = typeof config.base_url === 'string' && config.base_url.startsWith('https:')
      return ['resolve', 'connect', ...tls(secure), 'authenticate', 'read_probe']
    }
    case 's3': {
      const secure = typeof config.endpoint !== 'string' || !config.endpoint.startsWith('http:')
      return ['resolve', 'connect', ...tls(secure), 'authenticate', ...probes]
    }
    case 'sftp':
      return ['resolve', 'connect', 'authenticate', ...probes]
    default:
      return ['connect', 'authenticate', ...probes]
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
