// How the operations of settings, branding and the care of the store are brought to their answers.
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'

const older = { 'if-match': '"older"' }

export const serverConfigSuccesses = {
  getServerConfig: ({ live }: Stage) => send(live.admin, 'getServerConfig'),
  updateServerConfig: ({ live }: Stage) =>
    send(live.admin, 'updateServerConfig', {
      body: { values: { 'backup.keep': 5, 'ai.api_key': 'a-key-of-a-provider' } },
    }),
  getBranding: ({ live }: Stage) => send(live.server.client, 'getBranding'),
  updateBranding: ({ live }: Stage) =>
    send(live.admin, 'updateBranding', { body: { product_name: 'Data Works', primary_color: '#1f6feb' } }),
  getStoreInfo: ({ live }: Stage) => send(live.admin, 'getStoreInfo'),
  cleanStore: ({ live }: Stage) => send(live.admin, 'cleanStore'),
  vacuumStore: ({ live }: Stage) => send(live.admin, 'vacuumStore'),
}

export const serverConfigRefusals = {
  updateServerConfig: {
    CONFLICT: ({ live }: Stage) =>
      send(live.admin, 'updateServerConfig', { headers: older, body: { values: { 'backup.keep': 6 } } }),
  },
  updateBranding: {
    CONFLICT: ({ live }: Stage) =>
      send(live.admin, 'updateBranding', { headers: older, body: { product_name: 'Other' } }),
  },
}
