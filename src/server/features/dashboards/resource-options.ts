import type { Truncated } from '../../../contract/dashboard-views.ts'
import type { WidgetOption } from '../../../contract/dashboards.ts'
import type { ConnectorsService } from '../connectors/connectors.service.ts'

/** Files of a connector as options. */
export const createResourceOptions = (connectors: Pick<ConnectorsService, 'resources'>) => ({
  async of(
    connectorId: number,
    q: string | undefined,
    signal: AbortSignal,
  ): Promise<{ options: WidgetOption[]; truncated: Truncated | null }> {
    const { resources, truncated } = await connectors.resources(connectorId, q, signal)
    return {
      options: resources.map(({ name }) => ({ value: name, label: name })),
      truncated: truncated ? { by: 'rows', limit: resources.length } : null,
    }
  },
})
