// How the operations of AI references are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { newName } from './support/worlds.ts'

const body = (more: object = {}) => ({
  title: newName('reference'),
  kind: 'markdown',
  content: '# Orders\n\nOne row per order. `state` is `open`, `shipped`, or `returned`.\n',
  tags: ['sales'],
  ...more,
})
async function made({ live }: Stage): Promise<{ id: number }> {
  const answer = await send(live.editor, 'createAiReference', { body: body() })
  // As the contract has it.
  return { id: (answer.body as { id: number }).id }
}

export const aiReferenceSuccesses = {
  listAiReferences: async (stage: Stage) => {
    await made(stage)
    return send(stage.live.editor, 'listAiReferences', { query: { limit: 2, q: 'SHIPPED', kind: 'markdown' } })
  },
  createAiReference: ({ live }: Stage) => send(live.editor, 'createAiReference', { body: body() }),
  getAiReference: async (stage: Stage) => send(stage.live.editor, 'getAiReference', { params: await made(stage) }),
  updateAiReference: async (stage: Stage) =>
    send(stage.live.editor, 'updateAiReference', { params: await made(stage), body: body({ kind: 'text' }) }),
  deleteAiReference: async (stage: Stage) =>
    send(stage.live.editor, 'deleteAiReference', { params: await made(stage) }),
  previewAiReferences: async (stage: Stage) => {
    const { id } = await made(stage)
    return send(stage.live.editor, 'previewAiReferences', { body: { prompt: 'Load the orders', reference_ids: [id] } })
  },
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const aiReferenceRefusals = {
  createAiReference: {
    async CONFLICT({ live }: Stage) {
      const same = body()
      await send(live.editor, 'createAiReference', { body: same })
      return send(live.editor, 'createAiReference', { body: same })
    },
  },
  updateAiReference: {
    NOT_FOUND: ({ live }: Stage) => send(live.editor, 'updateAiReference', { params: { id: 999_999 }, body: body() }),
    async CONFLICT(stage: Stage) {
      const params = await made(stage)
      return send(stage.live.editor, 'updateAiReference', { params, headers: { 'if-match': '"stale"' }, body: body() })
    },
  },
}
