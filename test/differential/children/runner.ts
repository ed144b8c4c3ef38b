// The engine's own worker for the oracle: a request a line on stdin, an answer a line on stdout. Ends with its stdin.
import { createInterface } from 'node:readline'
import type { BoundConnector, LogEntry, SourceState } from '../../../src/contract/executor-protocol.ts'
import { engine } from '../../../src/executor/engine/engine.ts'
import { serveWorker } from '../../../src/executor/workers/worker-host.ts'
import type { FromWorker, ToWorker } from '../../../src/executor/worker-protocol.ts'

/** What oracle/engine.py writes, but for its first line, which is the folder that the worker may use. */
interface Request {
  yaml: string
  connectors: Record<string, BoundConnector>
  state: SourceState | null
}

const input = createInterface({ input: process.stdin })
let hear: (message: ToWorker) => void = () => undefined

/** What the log of the run warns of. */
let told: string[] = []

function tell(lines: readonly LogEntry[]): void {
  told.push(...lines.filter(({ level }) => level === 'warn').map(({ message }) => message))
}

/** What an executor answers. */
function answer(message: FromWorker): void {
  if (message.type === 'committing') hear({ type: 'permitted', run_id: 1 })
  if (message.type === 'logs') tell(message.lines)
  if (message.type === 'logs') hear({ type: 'logs-taken', run_id: 1, bytes: message.bytes })
  if (message.type === 'rejects') hear({ type: 'rejects-taken', run_id: 1 })
  if (message.type === 'run-done') {
    tell(message.lines)
    const { status, error = null, item_count, reject_count, state = null, metrics, steps } = message.outcome
    const said = { status, error, item_count, reject_count, state, lane: metrics.lane, told, steps }
    told = []
    process.stdout.write(`${JSON.stringify(said)}\n`)
  }
}

serveWorker(engine, {
  kind: 'node',
  send(message) {
    // The worker speaks nothing else.
    setImmediate(answer, message as FromWorker)
    return true
  },
  deliver: async (message) => void process.stderr.write(`${JSON.stringify(message)}\n`),
  onMessage: (listener) => (hear = listener),
  onDisconnect: (listener) => void input.on('close', listener),
})

input.once('line', (tempDir) => {
  hear({ type: 'init', tempDir, lease: `${tempDir}/lease`, title: 'differential' })
  input.on('line', (line) => {
    const { yaml, connectors, state } = JSON.parse(line) as Request // as said above
    hear({
      type: 'run',
      leaseMs: null,
      places: [],
      plan: {
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
        state,
        full_refresh: false,
      },
    })
  })
})
