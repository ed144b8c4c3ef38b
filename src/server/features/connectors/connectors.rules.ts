import { type Message, msg } from '../../../contract/messages.ts'
import { type ConnectorType, connectorTypeSpecs } from '../../../contract/connector-types.ts'
import type { ErrorDetail } from '../../../contract/errors.ts'
import type { ConnectorSlot } from '../../../language/task/task.types.ts'
import { type Places, originOf } from '../../platform/secret-places.ts'

type Bindable = { id: number; name: string; type: string; archived: 0 | 1; config: Record<string, unknown> }

/** Why a mapping of slots to connectors does not do; empty when it does. `owner` has the slots. */
export function checkBinding(
  mapping: Record<string, number>,
  slots: Record<string, ConnectorSlot>,
  known: ReadonlyMap<number, Bindable>,
  owner = 'The task',
): ErrorDetail[] {
  const details: ErrorDetail[] = []
  const refuse = (slot: string, reason: Message) => details.push({ path: `body.connector_mapping.${slot}`, ...reason })
  for (const slot of Object.keys(mapping)) {
    if (!Object.hasOwn(slots, slot)) {
      const known = Object.keys(slots)
      refuse(slot, known.length > 0 ? msg('slot_unknown', { owner, slot, known }) : msg('slots_none', { owner, slot }))
    }
  }
  for (const [slot, { types, access }] of Object.entries(slots)) {
    const id = Object.hasOwn(mapping, slot) ? mapping[slot] : undefined
    if (id === undefined) {
      refuse(slot, msg('slot_not_bound', { slot, types: types.join(' or ') }))
      continue
    }
    const connector = known.get(id)
    if (!connector) refuse(slot, msg('no_connector', { id }))
    else if (connector.archived) refuse(slot, msg('connector_archived', { name: connector.name }))
    else if (!types.includes(connector.type)) {
      refuse(slot, msg('slot_takes', { slot, types: types.join(' or '), name: connector.name, type: connector.type }))
    } else if (access !== 'read' && connector.config['read_only'] === true) {
      refuse(slot, msg('connector_read_only', { owner, slot, name: connector.name }))
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

/** Fields that say where secrets are sent, and how the other side proves who it is. */
const destinations = ['host', 'port', 'ssl', 'host_key', 'uri', 'base_url', 'token_url', 'endpoint']

/** What a connector's stored secrets were entered for. */
export function placesOf(type: ConnectorType, config: Record<string, unknown>): Places {
  return Object.fromEntries(destinations.map((field) => [field, placeOf(type, config, field)]))
}

function placeOf(type: ConnectorType, config: Record<string, unknown>, field: string): unknown {
  const properties: Readonly<Record<string, object>> = connectorTypeSpecs[type].config.properties
  const schema = properties[field]
  const given = config[field] ?? (schema && 'default' in schema ? schema.default : undefined)
  return field.endsWith('_url') || field === 'endpoint' ? originOf(given) : given
}
