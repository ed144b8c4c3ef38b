import type { BoundConnector } from '../contract/executor-protocol.ts'
import { driftWords } from '../contract/schema-drift.ts'
import { changeWords } from '../contract/value-change.ts'
import type { TaskPreview } from '../contract/task-preview.ts'
import { bindConnectors } from './bound-connectors.ts'
import { DocumentError, readTask } from './documents.ts'
import { listenForInterruption, type Interruption } from './interruption.ts'
import { exitCodes, InputError, type Output } from './output.ts'
import { protectDataFolder } from './protect.ts'
import { oneFile, readCommandLine, readTaskArguments, wholeNumber } from './read-arguments.ts'
import { drawTable } from './table.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

const options = {
  connectors: { type: 'string' },
  arg: { type: 'string', multiple: true },
  step: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean', default: false },
} as const

const mostSteps = 1000
const mostRows = 1000
const defaultRows = 20

/** A sample of a task's rows in the terminal. */
export async function preview(args: string[], output: Output): Promise<number> {
  const { values, positionals } = readCommandLine(args, options)
  const file = oneFile(positionals)
  const limit = Math.max(1, wholeNumber('limit', values.limit, defaultRows, mostRows))
  const step = values.step === undefined ? null : wholeNumber('step', values.step, 0, mostSteps)
  let interruption: Interruption | undefined
  try {
    const task = await readTask(file, output, values.json)
    const last = task.task.kind === 'pipeline' ? task.task.steps.length : 0
    if (step !== null && step > last)
      throw new InputError(`--step ${step} doesn’t exist: the last step of the task is ${last} (0 is the source)`)
    const given = readTaskArguments(values.arg ?? [], task.arguments)
    const connectors = await bindConnectors(task, values.connectors, output, values.json)
    interruption = listenForInterruption(output.err)
    const shown = await sample(task.yaml, given, connectors, step, limit, interruption.signal)
    if (interruption.interrupted()) return exitCodes.interrupted
    if ('failure' in shown) {
      output.err(`headgate: ${shown.failure}`)
      if (values.json) output.out(JSON.stringify({ error: { code: shown.code, message: shown.failure } }, null, 2))
      return exitCodes.failed
    }
    if (values.json) output.out(JSON.stringify(shown, null, 2))
    else printPreview(shown, output)
    return shown.stages.some(({ error }) => error !== undefined) ? exitCodes.failed : exitCodes.ok
  } catch (error) {
    if (error instanceof DocumentError) return exitCodes.failed
    throw error
  } finally {
    interruption?.end()
  }
}

async function sample(
  yaml: string,
  given: Record<string, unknown>,
  connectors: Record<string, BoundConnector>,
  step: number | null,
  limit: number,
  signal: AbortSignal,
): Promise<TaskPreview | { failure: string; code: string }> {
  const { CallFailure, runCall } = await import('../executor/engine/calls.ts')
  const { redactDeep, redactorFor } = await import('../executor/redact.ts')
  const redact = redactorFor(Object.values(connectors))
  await protectDataFolder()
  try {
    const work = { kind: 'preview', yaml_content: yaml, arguments: given, connectors, step, limit } as const
    const result = await runCall(work, { signal, tempDir: makeTemporaryFolder() })
    if (result.kind !== 'preview') throw new Error('The preview returned another result')
    return redactDeep(result.value, redact)
  } catch (error) {
    if (error instanceof CallFailure) return { failure: redact(error.message), code: error.code }
    throw error
  }
}

/** The stages with their counts, then the rows after the last of them. */
function printPreview(shown: TaskPreview, output: Output): void {
  const { stages, target, target_changes: atTarget = [], duration_ms: took } = shown
  for (const { index, key, label, row_count: rows, rejected, error, changes = [], notes = [] } of stages) {
    const lost = rejected > 0 ? `, ${rejected} rejected` : ''
    output.err(`${index} ${key === 'source' ? label : `${key}: ${label}`}: ${error ? 'failed' : `${rows} rows${lost}`}`)
    for (const words of [...notes, ...changes.map(changeWords)]) output.err(`  ${words}`)
    if (error) output.err(`  ${errorWords(error)}`)
  }
  const last = stages.findLast(({ error }) => error === undefined)
  if (last) {
    output.out(
      drawTable(
        last.columns.map(({ name }) => name),
        last.rows,
        output.columns,
      ),
    )
    for (const { reason, row } of last.rejects) output.err(`rejected: ${reason}: ${JSON.stringify(row)}`)
  }
  for (const change of atTarget) output.err(`target: ${changeWords(change)}`)
  for (const drift of target?.drift ?? []) output.err(`target: ${driftWords(drift)}`)
  if (target?.error) output.err(`target: ${errorWords(target.error)}`)
  output.err(`${Math.round(took)} ms`)
}

function errorWords({ code, message, hint }: { code: string; message: string; hint?: string }): string {
  return `${code}: ${message}${hint === undefined ? '' : `\n  ${hint}`}`
}
