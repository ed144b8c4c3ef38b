// How the operations of saved views are brought to their answers.
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { newName } from './support/worlds.ts'

const body = () => ({ list: 'runs', name: newName('view'), address: 'status=failed&last=24' })
async function made({ live }: Stage): Promise<{ id: number; name: string }> {
  const answer = await send(live.editor, 'createSavedView', { body: body() })
  // As the contract has it.
  return answer.body as { id: number; name: string }
}

export const savedViewSuccesses = {
  listSavedViews: async (stage: Stage) => {
    await made(stage)
    return send(stage.live.editor, 'listSavedViews', { query: { list: 'runs' } })
  },
  createSavedView: ({ live }: Stage) => send(live.editor, 'createSavedView', { body: body() }),
  updateSavedView: async (stage: Stage) =>
    send(stage.live.editor, 'updateSavedView', {
      params: { id: (await made(stage)).id },
      body: { address: 'status=success' },
    }),
  deleteSavedView: async (stage: Stage) =>
    send(stage.live.editor, 'deleteSavedView', { params: { id: (await made(stage)).id } }),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const savedViewRefusals = {
  createSavedView: {
    CONFLICT: async (stage: Stage) =>
      send(stage.live.editor, 'createSavedView', { body: { ...body(), name: (await made(stage)).name } }),
    INVALID_STATE: async ({ live }: Stage) => {
      for (;;) {
        const answer = await send(live.editor, 'createSavedView', { body: { ...body(), list: 'audit' } })
        if (answer.status !== 201) return answer
      }
    },
  },
  updateSavedView: {
    NOT_FOUND: ({ live }: Stage) =>
      send(live.editor, 'updateSavedView', { params: { id: 999_999 }, body: { name: 'x' } }),
    CONFLICT: async (stage: Stage) => {
      const { name } = await made(stage)
      return send(stage.live.editor, 'updateSavedView', { params: { id: (await made(stage)).id }, body: { name } })
    },
  },
  deleteSavedView: {
    // Those of others are not there.
    NOT_FOUND: async (stage: Stage) =>
      send(stage.live.admin, 'deleteSavedView', { params: { id: (await made(stage)).id } }),
  },
}
