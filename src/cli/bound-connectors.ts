import type { BoundConnector } from '../contract/executor-protocol.ts'
import { readConnectors } from './connectors-file.ts'
import { readDocument, stopAtErrors, type ReadTask } from './documents.ts'
import { InputError, type Output } from './output.ts'

/** What `--connectors` binds to the task's slots. Mistakes in the file are told like those of a task. */
export async function bindConnectors(
  task: ReadTask,
  file: string | undefined,
  output: Output,
  json: boolean,
): Promise<Record<string, BoundConnector>> {
  if (file === undefined) return {}
  const { name, text } = await readDocument(file)
  const { connectors, diagnostics } = readConnectors(text, file, task.connector_refs, process.env)
  stopAtErrors(name, diagnostics, output, json)
  return Object.fromEntries(Object.entries(connectors).filter(([slot]) => Object.hasOwn(task.connector_refs, slot)))
}

export function requireAllSlots(
  task: ReadTask,
  connectors: Record<string, BoundConnector>,
  file: string | undefined,
): void {
  const unbound = Object.keys(task.connector_refs).filter((slot) => !Object.hasOwn(connectors, slot))
  if (unbound.length === 0) return
  const slots = unbound.map((slot) => `\`${slot}\` (${task.connector_refs[slot]?.types.join(' or ')})`).join(', ')
  throw new InputError(
    file === undefined
      ? `The task needs connectors for ${slots}. Pass a file with --connectors.`
      : `${file} has no connectors for ${slots}`,
  )
}
