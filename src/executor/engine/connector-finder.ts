import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { EngineError } from './errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** The connector bound to a slot; a failure says which slot lacks one. */
export function connectorFinder(connectors: Record<string, BoundConnector>): (slot: string) => BoundConnector {
  return (slot) => {
    const found = Object.hasOwn(connectors, slot) ? connectors[slot] : undefined
    if (found) return found
    throw new EngineError('CONNECTOR_MISSING', runMessage('slot_without_connector', { slot }), {
      hint: runMessage('slot_without_connector_fix'),
    })
  }
}
