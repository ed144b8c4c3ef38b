import { MOST_UPLOAD_MIB, type UploadedFile, uploadType } from '../../src/contract/uploads.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send, sendRaw } from './support/send.ts'
import { type World, newName, taskYaml } from './support/worlds.ts'

const headers = { 'content-type': uploadType }
const query = { name: 'orders.csv' }

/** The name of a new upload. */
async function uploaded({ admin }: World): Promise<string> {
  const answer = await send(admin, 'uploadFile', { headers, query, body: 'id\n1\n' })
  // What the server answers is what the contract says.
  return (answer.body as UploadedFile).name
}

export const uploadSuccesses = {
  uploadFile: ({ live }: Stage) => send(live.admin, 'uploadFile', { headers, query, body: 'id\n1\n' }),
  listUploads: async ({ live }: Stage) => {
    await uploaded(live)
    await uploaded(live)
    return send(live.admin, 'listUploads', { query: { limit: 1 } })
  },
  deleteUpload: async ({ live }: Stage) =>
    send(live.admin, 'deleteUpload', { params: { name: await uploaded(live) }, query: { force: true } }),
}

export const uploadRefusals = {
  deleteUpload: {
    VALIDATION_ERROR: ({ live }: RefusalStage) =>
      send(live.admin, 'deleteUpload', { params: { name: 'unknown.csv' }, query: { force: 'perhaps' } }),
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'deleteUpload', { params: { name: 'unknown.csv' } }),
    async CONFLICT({ live }: RefusalStage) {
      const name = await uploaded(live)
      await live.task(taskYaml(newName('task')).replace('numbers.csv', name))
      return send(live.admin, 'deleteUpload', { params: { name } })
    },
  },
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
