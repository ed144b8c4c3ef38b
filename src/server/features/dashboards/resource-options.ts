import type { WidgetOption } from '../../../contract/dashboards.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'

/** Files of a connector as options. */
export const createResourceOptions = (connectors: Pick<ConnectorsService, 'resources'>) => ({
  async of(connectorId: number, q: string | undefined, signal: AbortSignal): Promise<WidgetOption[]> {
    const { resources } = await connectors.resources(connectorId, q, signal)
    return resources.map(({ name }) => ({ value: name, label: name }))
  },
})
