import type { Static } from 'typebox'
import type { Diagnostic } from '../../../contract/task-preview.ts'
import { collectDiagnostics } from '../../../language/diagnostic-collector.ts'
import { hasErrors } from '../../../language/diagnostics.ts'
import type { TaskNode } from '../../../language/job/job.types.ts'
import { checkArgumentValue } from '../../../language/task/argument-values.ts'
import { holdsExpression } from '../../../language/task/arguments.ts'
import type { ParsedTask } from '../../../language/task/parse-task.ts'
import { readYaml } from '../../../language/yaml/read-yaml.ts'
import { type Span, entryOf, joinPath } from '../../../language/yaml/yaml-tree.ts'

/** What a connector is, as far as a slot asks. */
export interface ConnectorKind {
  name: string
  type: string
  read_only: boolean
}
export type Finding = Static<typeof Diagnostic>

/**
 * Why a job cannot run `text` in the place of a task: its own errors, or what does not fit the template's node. A text that fits
 * has exactly the slots that the node binds, each taking the connector that the job binds there, and takes the arguments that
 * the node gives. Each finding stands at its place in `text`.
 */
export function fitOverride(
  text: string,
  parsed: ParsedTask,
  node: TaskNode,
  bound: (templateConnector: string) => ConnectorKind | undefined,
): Finding[] {
  if (!parsed.task || hasErrors(parsed.diagnostics)) {
    return parsed.diagnostics.filter(({ severity }) => severity === 'error')
  }
  const { report, list } = collectDiagnostics(text)
  const at = placesIn(text)
  fitSlots(parsed, node, bound, (slot, code, message, hint) =>
    report({ code, message, hint, path: path('connectors', slot), at: at('connectors', slot) }),
  )
  fitArguments(parsed, node, (argument, code, message, hint) =>
    report({ code, message, hint, path: path('args', argument), at: at('args', argument) }),
  )
  return list()
}

type Say<Code extends string> = (name: string | null, code: Code, message: string, hint: string) => void

function fitSlots(
  { connector_refs: slots }: ParsedTask,
  node: TaskNode,
  bound: (templateConnector: string) => ConnectorKind | undefined,
  say: Say<'slot_unbound' | 'unknown_slot' | 'slot_type' | 'slot_access'>,
): void {
  for (const [slot, { types, access }] of Object.entries(slots)) {
    const name = own(node.connectors, slot)
    if (name === undefined) {
      const binds = listed(Object.keys(node.connectors))
      const message = `The job template binds nothing to the slot \`${slot}\`; it binds ${binds}.`
      say(slot, 'slot_unbound', message, 'Use the slots that the template binds, or change the template.')
      continue
    }
    const connector = bound(name)
    if (connector && !types.includes(connector.type)) {
      const message = `The slot \`${slot}\` takes a ${types.join(' or ')} connector; the job binds ${connector.name} there, which is ${connector.type}.`
      say(slot, 'slot_type', message, `Let the slot take ${connector.type}, or bind another connector first.`)
    } else if (connector?.read_only && access !== 'read') {
      const message = `The slot \`${slot}\` is written to, but the job binds ${connector.name} there, which is read only.`
      say(slot, 'slot_access', message, 'Only read from it, or bind another connector first.')
    }
  }
  for (const slot of Object.keys(node.connectors)) {
    if (Object.hasOwn(slots, slot)) continue
    const message = `The job template binds the slot \`${slot}\`, which is not among the slots of this YAML: ${listed(Object.keys(slots))}.`
    say(null, 'unknown_slot', message, `Keep \`${slot}\` under \`connectors:\`.`)
  }
}

function fitArguments(
  { arguments: specs }: ParsedTask,
  node: TaskNode,
  say: Say<'argument_missing' | 'unknown_argument' | 'argument_not_allowed'>,
): void {
  for (const [name, spec] of Object.entries(specs)) {
    const given = own(node.args, name)
    if (given === undefined || given === null) {
      if (!spec.required) continue
      const message = `The argument \`${name}\` is required, but the job template does not give it.`
      say(name, 'argument_missing', message, 'Give it a default, or change the template.')
      continue
    }
    // What an expression gives is known only when the task runs.
    if (holdsExpression(given)) continue
    const checked = checkArgumentValue(spec, given)
    if (checked.ok) continue
    const message = `The job template gives the argument \`${name}\`, which ${checked.problem.message}.`
    say(name, 'argument_not_allowed', message, 'Let the argument take that value, or change the template.')
  }
  for (const name of Object.keys(node.args)) {
    if (Object.hasOwn(specs, name)) continue
    const message = `The job template gives the argument \`${name}\`, which this YAML does not have.`
    say(null, 'unknown_argument', message, `Keep \`${name}\` under \`args:\`.`)
  }
}

const own = <T>(values: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
const listed = (names: string[]) => (names.length > 0 ? names.join(', ') : 'none')
const path = (section: string, name: string | null) => (name === null ? section : joinPath(section, name))

/** Where an entry of a section stands; the section for null or an unknown entry, the first line where there is no section. */
function placesIn(text: string): (section: string, name: string | null) => Span {
  const { root } = readYaml(text, () => {})
  return (section, name) => {
    const found = root?.kind === 'map' ? entryOf(root, section) : undefined
    if (!found) return root?.kind === 'map' && root.entries[0] ? root.entries[0].keySpan : { start: 0, end: 0 }
    const entry = name !== null && found.value.kind === 'map' ? entryOf(found.value, name) : undefined
    return (entry ?? found).keySpan
  }
}
