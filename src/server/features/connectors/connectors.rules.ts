import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'

type Bindable = { id: number; name: string; type: string; archived: 0 | 1; config: Record<string, unknown> }

/** Why a mapping of slots to connectors does not do; empty when it does. `owner` has the slots. */
export function checkBinding(
  mapping: Record<string, number>,
  slots: Record<string, ConnectorSlot>,
  known: ReadonlyMap<number, Bindable>,
  owner = 'The task',
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const refuse = (slot: string, message: string) => details.push({ path: `body.connector_mapping.${slot}`, message })
  for (const slot of Object.keys(mapping)) {
    if (!Object.hasOwn(slots, slot)) {
      const names = Object.keys(slots)
      refuse(slot, `${owner} has no slot ${slot}; it has ${names.length > 0 ? names.join(', ') : 'none'}`)
    }
  }
  for (const [slot, { types, access }] of Object.entries(slots)) {
    const id = Object.hasOwn(mapping, slot) ? mapping[slot] : undefined
    const wanted = types.join(' or ')
    if (id === undefined) {
      refuse(slot, `Slot ${slot} is not bound: choose a ${wanted} connector`)
      continue
    }
    const connector = known.get(id)
    if (!connector) refuse(slot, `There is no connector with id ${id}`)
    else if (connector.archived) refuse(slot, `Connector ${connector.name} is archived: restore it or choose another`)
    else if (!types.includes(connector.type)) {
      refuse(slot, `Slot ${slot} takes a ${wanted} connector; ${connector.name} is ${connector.type}`)
    } else if (access !== 'read' && connector.config['read_only'] === true) {
      refuse(slot, `${owner} writes to slot ${slot}, but connector ${connector.name} is read only`)
    }
  }
  return details
}

/** Secrets after a save: what was stored, with the given ones over it; null takes one away. */
export function mergeSecrets(
  stored: Record<string, string>,
  given: Record<string, string | null> | undefined,
): Record<string, string> {
  const merged = Object.entries({ ...stored, ...given }).filter((entry): entry is [string, string] => entry[1] !== null)
  return Object.fromEntries(merged)
}
