import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { ConnectorConfig, ConnectorType } from '../../contract/connector-types.ts'
import { EngineError } from '../engine/errors.ts'
import { runMessage } from '../../contract/run-messages.ts'

/** A connector's configuration as its type has it. The server has validated it against the type's schema. */
export function configOf<T extends ConnectorType>(connector: BoundConnector, type: T): ConnectorConfig<T> {
  if (connector.type === type) return connector.config as ConnectorConfig<T> // validated by the control plane against this type
  throw new EngineError(
    'CONNECTOR_UNSUITABLE',
    runMessage('connector_of_other_type', { connector: connector.name, type: connector.type, required: type }),
    {
      hint: runMessage('connector_of_other_type_fix', { type }),
    },
  )
}

/** Read-only connectors are never written to, whatever the task says. */
export function refuseReadOnly(connector: BoundConnector): void {
  if (connector.config['read_only'] !== true) return
  throw new EngineError('CONNECTOR_READ_ONLY', runMessage('connector_is_read_only', { connector: connector.name }), {
    hint: runMessage('connector_is_read_only_fix'),
  })
}
