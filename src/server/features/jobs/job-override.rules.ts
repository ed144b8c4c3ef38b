import type { Static } from 'typebox'
import type { Diagnostic } from '../../../contract/task-preview.ts'
import { collectDiagnostics } from '../../../language/diagnostic-collector.ts'
import { hasErrors } from '../../../language/diagnostics.ts'
import type { Message } from '../../../language/message.ts'
import { msg } from '../../../language/messages.ts'
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

type Say<Code extends string> = (name: string | null, code: Code, message: Message, hint: Message) => void

function fitSlots(
  { connector_refs: slots }: ParsedTask,
  node: TaskNode,
  bound: (templateConnector: string) => ConnectorKind | undefined,
  say: Say<'slot_unbound' | 'unknown_slot' | 'slot_type' | 'slot_access'>,
): void {
  for (const [slot, { types, access }] of Object.entries(slots)) {
    const name = own(node.connectors, slot)
    if (name === undefined) {
      const message = msg('override_slot_unbound', { slot, bound: listed(Object.keys(node.connectors)) })
      say(slot, 'slot_unbound', message, msg('override_use_bound_slots'))
      continue
    }
    const connector = bound(name)
    if (connector && !types.includes(connector.type)) {
      const { type } = connector
      const message = msg('override_slot_type', { slot, types, connector: connector.name, type })
      say(slot, 'slot_type', message, msg('override_allow_type', { type }))
    } else if (connector?.read_only && access !== 'read') {
      const message = msg('override_slot_read_only', { slot, connector: connector.name })
      say(slot, 'slot_access', message, msg('override_only_read'))
    }
  }
  for (const slot of Object.keys(node.connectors)) {
    if (Object.hasOwn(slots, slot)) continue
    const message = msg('override_slot_unknown', { slot, slots: listed(Object.keys(slots)) })
    say(null, 'unknown_slot', message, msg('override_keep_slot', { slot }))
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
      say(name, 'argument_missing', msg('override_argument_missing', { name }), msg('override_give_default'))
      continue
    }
    // What an expression gives is known only when the task runs.
    if (holdsExpression(given)) continue
    const checked = checkArgumentValue(spec, given)
    if (checked.ok) continue
    const message = msg('override_argument_invalid', { name, problem: checked.problem.message })
    say(name, 'argument_not_allowed', message, msg('override_allow_value'))
  }
  for (const name of Object.keys(node.args)) {
    if (Object.hasOwn(specs, name)) continue
    say(null, 'unknown_argument', msg('override_argument_unknown', { name }), msg('override_keep_argument', { name }))
  }
}

const own = <T>(values: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
const listed = (names: string[]) => (names.length > 0 ? names : msg('none'))
const path = (section: string, name: string | null) => (name === null ? section : joinPath(section, name))

/** Where an entry of a section stands; the section for null or an unknown entry, the first line where there is no section. */
function placesIn(text: string): (section: string, name: string | null) => Span {
  // Read only where something has been found.
  let read: ReturnType<typeof readYaml> | undefined
  return (section, name) => {
    const { root } = (read ??= readYaml(text, () => {}))
    const found = root?.kind === 'map' ? entryOf(root, section) : undefined
    if (!found) return root?.kind === 'map' && root.entries[0] ? root.entries[0].keySpan : { start: 0, end: 0 }
    const entry = name !== null && found.value.kind === 'map' ? entryOf(found.value, name) : undefined
    return (entry ?? found).keySpan
  }
}
