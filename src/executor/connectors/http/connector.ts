import { EngineError } from '../../engine/errors.ts'
import type { ConnectorRunner } from '../connector.types.ts'
import { refusal } from './request.ts'
import { testWeb } from '../web/test.ts'
import { runMessage } from '../../../contract/run-messages.ts'

export const httpConnector: ConnectorRunner = {
  type: 'http',
  test: (connector, io) =>
    testWeb(connector, io, {
      request: (client) => ({ url: client.base, method: 'GET' }),
      // Few APIs have anything at their root: that it answers is enough.
      async check(response, client) {
        if (response.status >= 500) throw refusal(response, connector, client)
      },
    }),
  // An API does not say what it has: tasks name its paths.
  listResources: async () => ({ resources: [], truncated: false }),
  async getResource(connector, name) {
    throw new EngineError('TABLE_NOT_FOUND', runMessage('api_lists_nothing', { connector: connector.name, name }), {
      hint: runMessage('api_lists_nothing_fix'),
    })
  },
}
