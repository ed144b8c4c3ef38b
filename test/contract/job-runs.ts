import type { OperationId } from '../../src/contract/operations.ts'
import type { Answer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { type World, newName } from './support/worlds.ts'

const idOf = ({ body }: Answer) => (body as { id: number }).id // answers that made something
const oneDay = { from: '2026-03-28', to: '2026-03-30', timezone: 'Europe/Berlin' }

/** A job run of a new job. In the scripted world nobody takes its task. */
async function started(world: World, body: object = {}): Promise<number> {
  const { id } = await world.job()
  return idOf(await send(world.editor, 'runJob', { params: { id }, body }))
}
/** Of the gate alone, which waits at once. */
const atGate = (world: World) => started(world, { selected_tasks: ['sign_off'], skip_deps: true })
async function cancelled(world: World): Promise<number> {
  const id = await started(world)
  await send(world.editor, 'cancelJobRun', { params: { id } })
  return id
}
async function ofArchived(world: World, operation: OperationId, body: object): Promise<Answer> {
  const { id } = await world.job()
  await send(world.editor, 'archiveJob', { params: { id } })
  return send(world.editor, operation, { params: { id }, body })
}
/** The same key with another request. */
async function twice(world: World, operation: OperationId, id: number, bodies: [object, object]): Promise<Answer> {
  const headers = { 'idempotency-key': newName('key') }
  await send(world.editor, operation, { params: { id }, headers, body: bodies[0] })
  return send(world.editor, operation, { params: { id }, headers, body: bodies[1] })
}
const gateOf = (id: number) => ({ params: { id, key: 'sign_off' }, body: { open: true, note: 'Checked' } })

export const jobRunSuccesses = {
  runJob: async ({ scripted }: Stage) =>
    send(scripted.editor, 'runJob', {
      params: { id: (await scripted.job()).id },
      body: { arguments: { least: 3 }, selected_tasks: ['load'], priority: 5, logical_date: '2026-03-29T02:30:00Z' },
    }),
  backfillJob: async ({ scripted }: Stage) =>
    send(scripted.editor, 'backfillJob', {
      params: { id: (await scripted.job()).id },
      body: { ...oneDay, every: 'day', max_parallel: 2 },
    }),
  listAllJobRuns: async ({ scripted }: Stage) => {
    await started(scripted)
    return send(scripted.admin, 'listAllJobRuns', { query: { status: 'running', limit: 2 } })
  },
  getJobRun: async ({ scripted }: Stage) =>
    send(scripted.admin, 'getJobRun', { params: { id: await started(scripted) } }),
  getJobRunGraph: async ({ scripted }: Stage) =>
    send(scripted.admin, 'getJobRunGraph', { params: { id: await started(scripted) } }),
  listJobRunRuns: async ({ scripted }: Stage) =>
    send(scripted.admin, 'listJobRunRuns', { params: { id: await started(scripted) }, query: { task_key: 'load' } }),
  listJobRunItems: async ({ scripted }: Stage) =>
    send(scripted.admin, 'listJobRunItems', { params: { id: await started(scripted), key: 'load' } }),
  getJobHistory: async ({ scripted }: Stage) => {
    const { id } = await scripted.job()
    await send(scripted.editor, 'runJob', { params: { id } })
    return send(scripted.admin, 'getJobHistory', { params: { id } })
  },
  pauseJobRun: async ({ scripted }: Stage) =>
    send(scripted.editor, 'pauseJobRun', { params: { id: await started(scripted) }, body: { stop_running: true } }),
  resumeJobRun: async ({ scripted }: Stage) =>
    send(scripted.editor, 'resumeJobRun', { params: { id: await atGate(scripted) } }),
  cancelJobRun: async ({ scripted }: Stage) =>
    send(scripted.editor, 'cancelJobRun', { params: { id: await started(scripted) } }),
  decideGate: async ({ scripted }: Stage) => send(scripted.editor, 'decideGate', gateOf(await atGate(scripted))),
  rerunJobRun: async ({ scripted }: Stage) =>
    send(scripted.editor, 'rerunJobRun', { params: { id: await cancelled(scripted) }, body: { from: ['load'] } }),
  getAttention: async ({ scripted }: Stage) => {
    await atGate(scripted)
    return send(scripted.editor, 'getAttention')
  },
  listRecentRuns: async ({ scripted }: Stage) => {
    const { id } = await scripted.job()
    await send(scripted.editor, 'runJob', { params: { id } })
    return send(scripted.editor, 'listRecentRuns', { query: { of: 'job', ids: [id, 999_999] } })
  },
  listFailures: ({ live }: Stage) => send(live.admin, 'listFailures', { query: { from: '2026-01-01T00:00:00Z' } }),
  getLineage: async ({ live }: Stage) => {
    const { id } = await live.task()
    return send(live.admin, 'getLineage', { query: { task_id: id, columns: true } })
  },
  listPools: async ({ live }: Stage) => {
    await send(live.admin, 'setPool', { params: { name: newName('pool') }, body: { slots: 1 } })
    return send(live.admin, 'listPools')
  },
  getPool: async ({ live }: Stage) => {
    const name = newName('pool')
    await send(live.admin, 'setPool', { params: { name }, body: { slots: 1 } })
    return send(live.admin, 'getPool', { params: { name } })
  },
  setPool: ({ live }: Stage) =>
    send(live.admin, 'setPool', { params: { name: newName('pool') }, body: { slots: 0, description: 'None' } }),
  deletePool: async ({ live }: Stage) => {
    const name = newName('pool')
    await send(live.admin, 'setPool', { params: { name }, body: { slots: 1 } })
    return send(live.admin, 'deletePool', { params: { name } })
  },
}

export const jobRunRefusals = {
  runJob: {
    INVALID_STATE: ({ scripted }: RefusalStage) => ofArchived(scripted, 'runJob', {}),
    CONFLICT: async ({ scripted }: RefusalStage) =>
      twice(scripted, 'runJob', (await scripted.job()).id, [{}, { priority: 1 }]),
  },
  backfillJob: {
    INVALID_STATE: ({ scripted }: RefusalStage) => ofArchived(scripted, 'backfillJob', oneDay),
    NOT_FOUND: ({ scripted }: RefusalStage) =>
      send(scripted.editor, 'backfillJob', { params: { id: 999_999 }, body: oneDay }),
    CONFLICT: async ({ scripted }: RefusalStage) =>
      twice(scripted, 'backfillJob', (await scripted.job()).id, [oneDay, { ...oneDay, every: 'week' }]),
  },
  pauseJobRun: {
    INVALID_STATE: async ({ scripted }: RefusalStage) =>
      send(scripted.editor, 'pauseJobRun', { params: { id: await atGate(scripted) } }),
  },
  resumeJobRun: {
    INVALID_STATE: async ({ scripted }: RefusalStage) =>
      send(scripted.editor, 'resumeJobRun', { params: { id: await started(scripted) } }),
  },
  cancelJobRun: {
    INVALID_STATE: async ({ scripted }: RefusalStage) =>
      send(scripted.editor, 'cancelJobRun', { params: { id: await cancelled(scripted) } }),
  },
  decideGate: {
    INVALID_STATE: async ({ scripted }: RefusalStage) =>
      send(scripted.editor, 'decideGate', gateOf(await started(scripted))),
    NOT_FOUND: ({ scripted }: RefusalStage) => send(scripted.editor, 'decideGate', gateOf(999_999)),
  },
  rerunJobRun: {
    INVALID_STATE: async ({ scripted }: RefusalStage) =>
      send(scripted.editor, 'rerunJobRun', { params: { id: await started(scripted) } }),
    CONFLICT: async ({ scripted }: RefusalStage) =>
      twice(scripted, 'rerunJobRun', await cancelled(scripted), [{}, { from: ['load'] }]),
  },
  getPool: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'getPool', { params: { name: newName('pool') } }),
  },
  setPool: {
    CONFLICT: ({ live }: RefusalStage) =>
      send(live.admin, 'setPool', {
        params: { name: newName('pool') },
        headers: { 'if-match': '"older"' },
        body: { slots: 1 },
      }),
  },
  deletePool: {
    NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'deletePool', { params: { name: newName('pool') } }),
  },
}

/** Bodies that are right, for refusals that come later. */
export const jobRunBodies: Partial<Record<OperationId, unknown>> = {
  backfillJob: oneDay,
  decideGate: { open: true },
  setPool: { slots: 1 },
}
