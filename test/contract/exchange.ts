import { MAX_BUNDLE_BYTES } from '../../src/contract/exchange.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send, sendRaw } from './support/send.ts'
import { newName, taskYaml } from './support/worlds.ts'

const headers = { 'content-type': 'application/x-ndjson' }
function bundle(name: string): string {
  const versions = [{ version: 1, yaml_content: taskYaml(name) }]
  return `{"kind":"bundle","format":1}\n${JSON.stringify({ kind: 'task', name, versions })}\n`
}

export const exchangeSuccesses = {
  exportBundle: async ({ live }: Stage) => {
    const { id } = await live.task()
    return send(live.admin, 'exportBundle', { query: { tasks: String(id), versions: 'all' } })
  },
  importBundle: ({ live }: Stage) =>
    send(live.admin, 'importBundle', {
      headers,
      query: { mode: 'upsert_all_versions' },
      body: bundle(newName('imported')),
    }),
}

export const exchangeRefusals = {
  exportBundle: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'exportBundle', { query: { tasks: '999999' } }),
  },
  importBundle: {
    VALIDATION_ERROR: ({ live }: RefusalStage) =>
      send(live.admin, 'importBundle', { headers, query: { mode: 'replace' }, body: bundle('of_nothing') }),
    IMPORT_ERROR: ({ live }: RefusalStage) => send(live.admin, 'importBundle', { headers, body: '{"kind": tru}' }),
    PAYLOAD_TOO_LARGE: ({ live }: RefusalStage) =>
      sendRaw(live.server.url, 'importBundle', {
        headers: { ...live.admin.headers, ...headers, 'content-length': String(MAX_BUNDLE_BYTES + 1) },
      }),
    UNSUPPORTED_MEDIA_TYPE: ({ live }: RefusalStage) =>
      send(live.admin, 'importBundle', { headers: { 'content-type': 'application/json' }, body: '{}' }),
  },
}
