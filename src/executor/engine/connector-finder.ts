import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { EngineError } from './errors.ts'

/** The connector bound to a slot; a failure says which slot lacks one. */
export function connectorFinder(connectors: Record<string, BoundConnector>): (slot: string) => BoundConnector {
  return (slot) => {
    const found = Object.hasOwn(connectors, slot) ? connectors[slot] : undefined
    if (found) return found
    throw new EngineError('CONNECTOR_MISSING', `No connector is bound to the slot \`${slot}\``, {
      hint: 'Choose one when you start the run (connector_mapping).',
    })
  }
}
