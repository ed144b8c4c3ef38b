import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { ConnectorConfig, ConnectorType } from '../../contract/connector-types.ts'
import { EngineError } from '../engine/errors.ts'

/** A connector's configuration as its type has it. The server has validated it against the type's schema. */
export function configOf<T extends ConnectorType>(connector: BoundConnector, type: T): ConnectorConfig<T> {
  if (connector.type === type) return connector.config as ConnectorConfig<T> // validated by the control plane against this type
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    `The connector \`${connector.name}\` is of type ${connector.type}, not ${type}`,
    {
      hint: `Bind a connector of type ${type} to this slot.`,
    },
  )
}

/** Read-only connectors are never written to, whatever the task says. */
export function refuseReadOnly(connector: BoundConnector): void {
  if (connector.config['read_only'] !== true) return
  throw new EngineError('CONNECTOR_READ_ONLY', `The connector \`${connector.name}\` is read only`, {
    hint: 'Bind another connector to the target, or turn off “Read only” in the connector’s settings.',
  })
}
