// How the operations of notification channels are brought to their answers.
import type { createNotification } from '../../src/contract/notifications.ts'
import type { BodyOf } from '../../src/contract/operation.ts'
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { type Request, send } from './support/send.ts'
import { newName } from './support/worlds.ts'

/** Port 9 of this machine: nobody listens there, so that what is sent fails at once. */
const webhook = (): BodyOf<typeof createNotification> => ({
  name: newName('channel'),
  type: 'webhook',
  config: { url: 'http://127.0.0.1:9/hooks', headers: { 'X-Team': 'data' } },
  secrets: { signing_secret: 'secret' },
  on: ['failed'],
  job_ids: null,
})
const make = ({ live }: Stage, body = webhook()) => send(live.admin, 'createNotification', { body })
/** The parameters of a new channel. */
async function made(stage: Stage, body = webhook()): Promise<Request & { params: { id: number } }> {
  const answer = await make(stage, body)
  // As the contract has it.
  return { params: { id: (answer.body as { id: number }).id } }
}
/** Those of its delivery that was tried for nothing. */
async function failed(stage: Stage): Promise<{ params: { id: number; deliveryId: number } }> {
  const { params } = await made(stage)
  const { body } = await send(stage.live.admin, 'testNotification', { params })
  return { params: { ...params, deliveryId: (body as { id: number }).id } }
}
const desktop = () => ({ name: newName('channel'), type: 'desktop' as const })

export const notificationSuccesses = {
  listNotifications: async (stage: Stage) => {
    await failed(stage)
    return send(stage.live.admin, 'listNotifications', { query: { limit: 2 } })
  },
  createNotification: (stage: Stage) => make(stage),
  getNotification: async (stage: Stage) => send(stage.live.admin, 'getNotification', await made(stage)),
  updateNotification: async (stage: Stage) =>
    send(stage.live.admin, 'updateNotification', { ...(await made(stage)), body: { enabled: false, on: ['late'] } }),
  deleteNotification: async (stage: Stage) => send(stage.live.admin, 'deleteNotification', await made(stage)),
  testNotification: async (stage: Stage) => send(stage.live.admin, 'testNotification', await made(stage, desktop())),
  listNotificationDeliveries: async (stage: Stage) =>
    send(stage.live.admin, 'listNotificationDeliveries', { ...(await failed(stage)), query: { status: 'failed' } }),
  retryNotificationDelivery: async (stage: Stage) =>
    send(stage.live.admin, 'retryNotificationDelivery', await failed(stage)),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const notificationRefusals = {
  createNotification: {
    async CONFLICT(stage: Stage) {
      const body = desktop()
      await make(stage, body)
      return make(stage, body)
    },
  },
  updateNotification: {
    async CONFLICT(stage: Stage) {
      const taken = desktop()
      await make(stage, taken)
      return send(stage.live.admin, 'updateNotification', { ...(await made(stage)), body: { name: taken.name } })
    },
  },
  retryNotificationDelivery: {
    async INVALID_STATE(stage: Stage) {
      const request = await failed(stage)
      await send(stage.live.admin, 'retryNotificationDelivery', request)
      // A channel that is switched off sends nothing again.
      await send(stage.live.admin, 'updateNotification', { params: request.params, body: { enabled: false } })
      return send(stage.live.admin, 'retryNotificationDelivery', request)
    },
  },
}
