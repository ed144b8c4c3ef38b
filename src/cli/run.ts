import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { BoundConnector, SourceState } from '../contract/executor-protocol.ts'
import type { RunIo, RunOutcome } from '../executor/worker-protocol.ts'
import { bindConnectors, requireAllSlots } from './bound-connectors.ts'
import { DocumentError, readTask, type ReadTask } from './documents.ts'
import { listenForInterruption, type Interruption } from './interruption.ts'
import { InputError, exitCodes, type Output } from './output.ts'
import { protectDataFolder } from './protect.ts'
import { oneFile, readCommandLine, readTaskArguments } from './read-arguments.ts'
import { logLine, openRejects, type RejectSink } from './run-log.ts'
import { printOutcome } from './run-summary.ts'
import { readState, writeState } from './state-file.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const options = {
  connectors: { type: 'string' },
  arg: { type: 'string', multiple: true },
  state: { type: 'string' },
  'full-refresh': { type: 'boolean', default: false },
  rejects: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

/** Runs a task in this process, as a worker of an executor would. */
export async function run(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, options)
  const file = oneFile(positionals)
  let interruption: Interruption | undefined
  try {
    const task = await readTask(file, output, values.json)
    const given = readTaskArguments(values.arg ?? [], task.arguments)
    const connectors = await bindConnectors(task, values.connectors, output, values.json)
    requireAllSlots(task, connectors, values.connectors)
    await checkArguments(task, given)
    const state = await readState(values.state, task.task.name)
    if (values.state === undefined && keepsState(task))
      output.err('The task is incremental. Without --state, it reads from the start and doesn’t save its state.')
    interruption = listenForInterruption(output.err)
    const rejects = await openRejects(values.rejects, output.err)
    await protectDataFolder()
    const began = performance.now()
    const plan: Planned = { task, given, connectors, state, fullRefresh: values['full-refresh'] }
    const outcome = await attempts(plan, interruption, rejects, output)
    // First: what is written must not be read again, whatever else goes wrong.
    if (values.state !== undefined && outcome.state) await writeState(values.state, task.task.name, outcome.state)
    printOutcome(outcome, performance.now() - began, values.json, output)
    const allKept = await endRejects(rejects, values.rejects, output)
    if (interruption.interrupted()) return exitCodes.interrupted
    return outcome.status === 'failed' || !allKept ? exitCodes.failed : exitCodes.ok
  } catch (error) {
    if (error instanceof DocumentError) return exitCodes.failed
    throw error
  } finally {
    interruption?.end()
  }
}

interface Planned {
  task: ReadTask
  given: Record<string, unknown>
  connectors: Record<string, BoundConnector>
  state: SourceState | null
  fullRefresh: boolean
}

/** Before anything is opened: a mistake on the command line is told as such. */
async function checkArguments({ task }: ReadTask, given: Record<string, unknown>): Promise<void> {
  const { resolveArguments } = await import('../language/task/resolve-arguments.ts')
  const { problems } = resolveArguments(task.args, given)
  if (problems.length > 0)
    throw new InputError(problems.map(({ path, message }) => `--arg ${path}: ${message}`).join('\n'))
}

async function endRejects(rejects: RejectSink, file: string | undefined, output: Output): Promise<boolean> {
  try {
    await rejects.end()
    return true
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    output.err(`headgate: Can’t write all rejected rows to ${file}: ${why}. The file is incomplete.`)
    return false
  }
}

function keepsState({ task }: ReadTask): boolean {
  if (task.kind !== 'pipeline') return false
  return task.state.cursor !== null || (task.source.kind === 'files' && task.source.new_only)
}

/** As the control plane does it: again after a failure that may pass, as often as the task allows. */
async function attempts(
  planned: Planned,
  interruption: Interruption,
  rejects: RejectSink,
  output: Output,
): Promise<RunOutcome> {
  const { max, delay_ms: first, backoff } = planned.task.task.retries
  const logicalDate = new Date().toISOString()
  const folder = makeTemporaryFolder()
  for (let attempt = 1; ; attempt++) {
    const outcome = await runOnce({ ...planned, attempt, logicalDate, folder }, interruption, rejects, output)
    const again = outcome.status === 'failed' && outcome.error?.retryable === true && attempt <= max
    if (!again || interruption.signal.aborted) return outcome
    const wait = first * backoff ** (attempt - 1)
    output.err(logLine('warn', `Attempt ${attempt} failed. Retrying in ${wait / 1000} s.`, null))
    await delay(wait, undefined, { signal: interruption.signal }).catch(() => undefined) // stopped while waiting
    if (interruption.signal.aborted) return outcome
  }
}

async function runOnce(
  planned: Planned & { attempt: number; logicalDate: string; folder: string },
  interruption: Interruption,
  rejects: RejectSink,
  output: Output,
): Promise<RunOutcome> {
  const { runTask } = await import('../executor/engine/run-task.ts')
  const { redactDeep, redactorFor } = await import('../executor/redact.ts')
  const { task, given, connectors, state, fullRefresh, attempt, logicalDate, folder } = planned
  const redact = redactorFor(Object.values(connectors))
  const limit = task.task.timeout_ms
  const signal =
    limit === null ? interruption.signal : AbortSignal.any([interruption.signal, AbortSignal.timeout(limit)])
  const io: RunIo = {
    log: (level, message, step) => output.err(logLine(level, redact(message), step)),
    logRoom: async () => undefined,
    progress: () => undefined,
    reject: (entries) => rejects.add(redactDeep(entries, redact)),
    signal,
    tempDir: await mkdtemp(join(folder, 'attempt-')),
  }
  const outcome = await runTask(
    {
      run_id: 1,
      attempt,
      lease_token: '',
      task: { id: 1, name: task.task.name, version: 1, yaml_content: task.yaml },
      arguments: given,
      connectors,
      logical_date: logicalDate,
      trigger_type: 'manual',
      job_run_id: null,
      timeout_ms: limit,
      state: fullRefresh ? null : state,
      full_refresh: fullRefresh,
    },
    io,
  )
  return redactDeep(timedOut(outcome, interruption, limit), redact)
}

/** The engine only knows that it was stopped. */
function timedOut(outcome: RunOutcome, interruption: Interruption, limit: number | null): RunOutcome {
  if (outcome.error?.code !== 'CANCELLED' || interruption.interrupted() || limit === null) return outcome
  return {
    ...outcome,
    error: { ...outcome.error, code: 'TIMEOUT', message: `The task exceeded its time limit of ${limit / 1000} s` },
  }
}
