import type { BoundConnector } from '../../contract/executor-protocol.ts'
import type { ConnectorTestResult, ResourceDetail, ResourceList } from '../../contract/connectors.ts'
import type { ConnectorType } from '../../contract/connector-types.ts'
import type { CallIo } from '../worker-protocol.ts'

/** What can be asked about a connected system. One file a type, listed in the registry. */
export interface ConnectorRunner {
  readonly type: ConnectorType
  /** Stage by stage; what follows a failed stage is not tried. Never throws for what is wrong with the system. */
  test(connector: BoundConnector, io: CallIo): Promise<ConnectorTestResult>
  /** Tables, views or files whose name holds `q`. */
  listResources(connector: BoundConnector, q: string | null, io: CallIo): Promise<ResourceList>
  getResource(connector: BoundConnector, name: string, io: CallIo): Promise<ResourceDetail>
}

/** Resources that are listed at most. */
export const mostResources = 5000
export { sampleRows } from '../../contract/connectors.ts'
