// How the operations of Explorer presets are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { newName } from './support/worlds.ts'

const body = (more: object = {}) => ({
  name: newName('preset'),
  description: 'Orders of one customer',
  definition: {
    mode: 'visual',
    action: 'find',
    filters: [{ field: 'customer', operator: '=', value: 'ACME', valueType: 'string' }],
    columns: ['id', 'total'],
    limit: '100',
    sort: 'id',
    order: 'desc',
    resultView: 'table',
  },
  ...more,
})
async function made({ live }: Stage): Promise<{ id: number }> {
  const answer = await send(live.editor, 'createExplorerPreset', { body: body() })
  // As the contract has it.
  return { id: (answer.body as { id: number }).id }
}

export const explorerPresetSuccesses = {
  listExplorerPresets: async (stage: Stage) => {
    await made(stage)
    return send(stage.live.editor, 'listExplorerPresets', { query: { limit: 2, q: 'CUSTOMER' } })
  },
  createExplorerPreset: ({ live }: Stage) => send(live.editor, 'createExplorerPreset', { body: body() }),
  getExplorerPreset: async (stage: Stage) =>
    send(stage.live.editor, 'getExplorerPreset', { params: await made(stage) }),
  updateExplorerPreset: async (stage: Stage) =>
    send(stage.live.editor, 'updateExplorerPreset', {
      params: await made(stage),
      body: body({ definition: { mode: 'raw', rawQuery: 'SELECT 1' } }),
    }),
  deleteExplorerPreset: async (stage: Stage) =>
    send(stage.live.editor, 'deleteExplorerPreset', { params: await made(stage) }),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const explorerPresetRefusals = {
  createExplorerPreset: {
    async CONFLICT({ live }: Stage) {
      const headers = { 'idempotency-key': newName('key') }
      await send(live.editor, 'createExplorerPreset', { headers, body: body() })
      return send(live.editor, 'createExplorerPreset', { headers, body: body() })
    },
  },
  updateExplorerPreset: {
    NOT_FOUND: ({ live }: Stage) =>
      send(live.editor, 'updateExplorerPreset', { params: { id: 999_999 }, body: body() }),
    async CONFLICT(stage: Stage) {
      const params = await made(stage)
      return send(stage.live.editor, 'updateExplorerPreset', {
        params,
        headers: { 'if-match': '"stale"' },
        body: body(),
      })
    },
  },
}
