import { MOST_UPLOAD_MIB, uploadType } from '../../src/contract/uploads.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send, sendRaw } from './support/send.ts'

const headers = { 'content-type': uploadType }
const query = { name: 'orders.csv' }

export const uploadSuccesses = {
  uploadFile: ({ live }: Stage) => send(live.admin, 'uploadFile', { headers, query, body: 'id\n1\n' }),
}

export const uploadRefusals = {
  uploadFile: {
    VALIDATION_ERROR: ({ live }: RefusalStage) =>
      send(live.admin, 'uploadFile', { headers, query: { name: '' }, body: 'id\n1\n' }),
    PAYLOAD_TOO_LARGE: ({ live }: RefusalStage) =>
      sendRaw(live.server.url, 'uploadFile', {
        headers: { ...live.admin.headers, ...headers, 'content-length': String(MOST_UPLOAD_MIB * 1024 * 1024 + 1) },
      }),
    UNSUPPORTED_MEDIA_TYPE: ({ live }: RefusalStage) =>
      send(live.admin, 'uploadFile', { headers: { 'content-type': 'application/json' }, query, body: '{}' }),
  },
}
