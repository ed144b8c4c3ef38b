import type { OperationId } from '../../src/contract/operations.ts'
import type { Answer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { type LiveWorld, newName } from './support/worlds.ts'

const idOf = ({ body }: Answer) => (body as { id: number }).id // answers that made something
const future = '2999-01-01T06:00:00.000Z'
const unknownToken = `hook_${'0'.repeat(64)}`

async function trigger(live: LiveWorld, more: object = {}): Promise<Answer> {
  const { id: job_id } = await live.job()
  const body = {
    job_id,
    type: 'cron',
    cron_expression: '0 6 1 1 *',
    timezone: 'Europe/Berlin',
    arguments: { least: 3 },
  }
  return send(live.editor, 'createTrigger', { body: { ...body, ...more } })
}
async function eventTrigger(live: LiveWorld, more: object = {}): Promise<Answer> {
  const { id: job_id } = await live.job()
  const body = { job_id, name: newName('event'), type: 'webhook', arguments: { least: '${{ event.body.least }}' } }
  return send(live.editor, 'createEventTrigger', { body: { ...body, ...more } })
}
async function archived(live: LiveWorld): Promise<number> {
  const { id } = await live.job()
  await send(live.editor, 'archiveJob', { params: { id } })
  return id
}
/** The job of a trigger is archived. */
async function ofArchived(live: LiveWorld, made: Promise<Answer>): Promise<number> {
  const answer = await made
  const { job_id } = answer.body as { job_id: number } // as the contract has it
  await send(live.editor, 'archiveJob', { params: { id: job_id } })
  return idOf(answer)
}
/** The same key with another request. */
async function twice(live: LiveWorld, id: OperationId, first: object, second: object): Promise<Answer> {
  const headers = { 'idempotency-key': newName('key') }
  const { id: job_id } = await live.job()
  await send(live.editor, id, { headers, body: { job_id, ...first } })
  return send(live.editor, id, { headers, body: { job_id, ...second } })
}

export const triggerSuccesses = {
  listTriggers: async ({ live }: Stage) => {
    await trigger(live)
    return send(live.admin, 'listTriggers', { query: { enabled: true, sort: 'next_fire_at', limit: 1 } })
  },
  createTrigger: ({ live }: Stage) => trigger(live, { type: 'one_off', cron_expression: future, task_key: 'load' }),
  getTrigger: async ({ live }: Stage) => send(live.admin, 'getTrigger', { params: { id: idOf(await trigger(live)) } }),
  updateTrigger: async ({ live }: Stage) =>
    send(live.editor, 'updateTrigger', {
      params: { id: idOf(await trigger(live)) },
      body: { cron_expression: '*/5 * * * *', enabled: false, on_overlap: 'skip', jitter_seconds: 30 },
    }),
  deleteTrigger: async ({ live }: Stage) =>
    send(live.editor, 'deleteTrigger', { params: { id: idOf(await trigger(live)) } }),
  previewTrigger: ({ live }: Stage) =>
    send(live.admin, 'previewTrigger', {
      body: { cron_expression: '30 2 * * *', timezone: 'Europe/Berlin', count: 3 },
    }),
  listTriggerFirings: async ({ live }: Stage) =>
    send(live.admin, 'listTriggerFirings', { params: { id: idOf(await trigger(live)) } }),
  getTriggerCalendar: async ({ live }: Stage) => {
    await trigger(live)
    const from = new Date()
    const to = new Date(from.getTime() + 365 * 86_400_000)
    const query = { from: from.toISOString(), to: to.toISOString(), limit: 2 }
    return send(live.admin, 'getTriggerCalendar', { query })
  },

  listEventTriggers: async ({ live }: Stage) => {
    await eventTrigger(live)
    return send(live.admin, 'listEventTriggers', { query: { type: 'webhook', limit: 1 } })
  },
  createEventTrigger: ({ live }: Stage) =>
    eventTrigger(live, {
      type: 'file_arrival',
      config: { connector_id: live.files, glob: 'inbox/*.csv' },
      arguments: { least: '${{ event.count }}' },
    }),
  getEventTrigger: async ({ live }: Stage) =>
    send(live.admin, 'getEventTrigger', { params: { id: idOf(await eventTrigger(live)) } }),
  updateEventTrigger: async ({ live }: Stage) =>
    send(live.editor, 'updateEventTrigger', {
      params: { id: idOf(await eventTrigger(live)) },
      body: { name: newName('event'), enabled: false },
    }),
  deleteEventTrigger: async ({ live }: Stage) =>
    send(live.editor, 'deleteEventTrigger', { params: { id: idOf(await eventTrigger(live)) } }),
  rotateEventTriggerToken: async ({ live }: Stage) =>
    send(live.editor, 'rotateEventTriggerToken', { params: { id: idOf(await eventTrigger(live)) } }),
  callHook: async ({ live }: Stage) => {
    const { token } = (await eventTrigger(live)).body as { token: string } // of a webhook
    return send(live.server.client, 'callHook', { params: { token }, body: { least: 3 } })
  },
}

export const triggerRefusals = {
  createTrigger: {
    INVALID_STATE: async ({ live }: RefusalStage) => trigger(live, { job_id: await archived(live) }),
    NOT_FOUND: ({ live }: RefusalStage) => trigger(live, { job_id: 999_999 }),
    CONFLICT: ({ live }: RefusalStage) => {
      const body = { type: 'cron', cron_expression: '0 6 1 1 *' }
      return twice(live, 'createTrigger', body, { ...body, cron_expression: '0 7 1 1 *' })
    },
  },
  updateTrigger: {
    INVALID_STATE: async ({ live }: RefusalStage) => {
      const id = await ofArchived(live, trigger(live))
      return send(live.editor, 'updateTrigger', { params: { id }, body: { arguments: { least: 4 } } })
    },
    CONFLICT: async ({ live }: RefusalStage) => {
      const id = idOf(await trigger(live))
      return send(live.editor, 'updateTrigger', { params: { id }, headers: { 'if-match': '"older"' }, body: {} })
    },
  },
  createEventTrigger: {
    INVALID_STATE: async ({ live }: RefusalStage) => eventTrigger(live, { job_id: await archived(live) }),
    NOT_FOUND: ({ live }: RefusalStage) => eventTrigger(live, { job_id: 999_999 }),
    CONFLICT: async ({ live }: RefusalStage) => {
      const { job_id, name } = (await eventTrigger(live)).body as { job_id: number; name: string } // as the contract has it
      return eventTrigger(live, { job_id, name })
    },
  },
  updateEventTrigger: {
    INVALID_STATE: async ({ live }: RefusalStage) => {
      const id = await ofArchived(live, eventTrigger(live))
      return send(live.editor, 'updateEventTrigger', { params: { id }, body: { arguments: { least: 4 } } })
    },
    CONFLICT: async ({ live }: RefusalStage) => {
      const id = idOf(await eventTrigger(live))
      return send(live.editor, 'updateEventTrigger', { params: { id }, headers: { 'if-match': '"older"' }, body: {} })
    },
  },
  rotateEventTriggerToken: {
    INVALID_STATE: async ({ live }: RefusalStage) => {
      const { id: job_id } = await live.job()
      const made = await eventTrigger(live, { type: 'after_job', config: { job_id }, arguments: {} })
      return send(live.editor, 'rotateEventTriggerToken', { params: { id: idOf(made) } })
    },
  },
  callHook: {
    CONFLICT: async ({ live }: RefusalStage) => {
      const { token } = (await eventTrigger(live)).body as { token: string } // of a webhook
      const headers = { 'idempotency-key': newName('key') }
      await send(live.server.client, 'callHook', { params: { token }, body: { least: 3 }, headers })
      return send(live.server.client, 'callHook', { params: { token }, body: { least: 4 }, headers })
    },
    NOT_FOUND: ({ live }: RefusalStage) =>
      send(live.server.client, 'callHook', { params: { token: unknownToken }, body: {} }),
  },
}
