import type { OperationId } from '../../src/contract/operations.ts'
import type { RunPlan } from '../../src/contract/executor-protocol.ts'
import { failure, line, registration, success } from '../server/runs/fake-executor.ts'
import type { Answer } from '../support/server.ts'
import { auditSuccesses } from './audit.ts'
import { backupSuccesses } from './backups.ts'
import { authSuccesses } from './auth.ts'
import { aiSuccesses } from './ai.ts'
import { aiReferenceSuccesses } from './ai-references.ts'
import { rejectsSuccesses } from './rejects.ts'
import { savedViewSuccesses } from './saved-views.ts'
import { explorerPresetSuccesses } from './explorer-presets.ts'
import { metricSuccesses } from './metrics.ts'
import { exchangeSuccesses } from './exchange.ts'
import { uploadSuccesses } from './uploads.ts'
import { dashboardSuccesses } from './dashboards.ts'
import { changesSuccesses } from './changes.ts'
import { querySuccesses } from './queries.ts'
import { jobRunSuccesses } from './job-runs.ts'
import { notificationSuccesses } from './notifications.ts'
import { connectorPreviewSuccesses } from './connector-preview.ts'
import { secretsSuccesses } from './secrets.ts'
import { serverConfigSuccesses } from './server-config.ts'
import { schedulerSuccesses } from './scheduler.ts'
import { triggerSuccesses } from './triggers.ts'
import { userSuccesses } from './users.ts'
import { cookieOf } from '../support/sign-in.ts'
import { type Request, openStream, send } from './support/send.ts'
import {
  type LiveWorld,
  type ScriptedWorld,
  account,
  incrementalYaml,
  jobTemplateYaml,
  newName,
  taskYaml,
} from './support/worlds.ts'

export interface Stage {
  /** With a real executor. */
  live: LiveWorld
  /** With an executor that does what the row says. */
  scripted: ScriptedWorld
}

/** How each operation is brought to a success. A new operation needs a row here. */
export const successes: Record<OperationId, (stage: Stage) => Promise<Answer>> = {
  getHealth: ({ live }) => send(live.server.client, 'getHealth'),
  getAuthStatus: ({ live }) => send(live.server.client, 'getAuthStatus'),
  bootstrap: ({ live }) => Promise.resolve(live.bootstrapped),
  login: ({ live }) => send(live.server.client, 'login', { body: account }),
  launch: ({ live }) =>
    send(live.server.client, 'launch', { body: { token: live.server.services.auth.makeLaunchToken() } }),
  logout: async (stage) => send(stage.live.server.client, 'logout', { headers: await session(stage) }),
  getMe: async (stage) => send(stage.live.server.client, 'getMe', { headers: await session(stage) }),

  listApiKeys: ({ live }) => send(live.admin, 'listApiKeys', { query: { limit: 2 } }),
  createApiKey: ({ live }) => createApiKey(live),
  revokeApiKey: async ({ live }) =>
    send(live.admin, 'revokeApiKey', { params: { id: idOf(await createApiKey(live)) } }),

  listTasks: ({ live }) => send(live.admin, 'listTasks', { query: { q: 'contract', sort: 'name', limit: 1 } }),
  createTask: ({ live }) =>
    send(live.editor, 'createTask', {
      body: { yaml_content: taskYaml(newName('made')), change_summary: 'First', tags: ['a', 'b'] },
    }),
  getTask: async ({ live }) => send(live.admin, 'getTask', { params: { id: (await live.task()).id } }),
  updateTask: async ({ live }) => {
    const { id, name } = await live.task()
    return send(live.editor, 'updateTask', { params: { id }, body: { yaml_content: taskYaml(name, 'Changed') } })
  },
  tagTask: async ({ live }) =>
    send(live.editor, 'tagTask', { params: { id: (await live.task()).id }, body: { add: ['a'], remove: ['b'] } }),
  archiveTask: async ({ live }) => send(live.editor, 'archiveTask', { params: { id: (await live.task()).id } }),
  restoreTask: async ({ live }) => send(live.editor, 'restoreTask', { params: { id: (await live.task()).id } }),
  listTaskVersions: async ({ live }) =>
    send(live.admin, 'listTaskVersions', { params: { id: (await live.task()).id }, query: { limit: 1 } }),
  getTaskVersion: async ({ live }) =>
    send(live.admin, 'getTaskVersion', { params: { id: (await live.task()).id, vid: 1 } }),
  restoreTaskVersion: async ({ live }) => {
    const { id, name } = await live.task()
    await send(live.editor, 'updateTask', { params: { id }, body: { yaml_content: taskYaml(name, 'Second') } })
    return send(live.editor, 'restoreTaskVersion', { params: { id, vid: 1 } })
  },
  listTaskStates: async ({ scripted }) => {
    const { task } = await withState(scripted)
    return send(scripted.admin, 'listTaskStates', { params: { id: task.id } })
  },
  deleteTaskState: async ({ scripted }) => {
    const { task } = await withState(scripted)
    const listed = await send(scripted.admin, 'listTaskStates', { params: { id: task.id } })
    const [state] = listed.body as { id: number }[] // as the contract has it
    return send(scripted.editor, 'deleteTaskState', { params: { id: task.id, stateId: state!.id } })
  },
  resolveTaskState: async ({ scripted }) => {
    const { task, state, run_id } = await withUnknownOutcome(scripted)
    const body = { run_id, committed: true }
    return send(scripted.editor, 'resolveTaskState', { params: { id: task, stateId: state }, body })
  },
  validateTask: ({ live }) => send(live.admin, 'validateTask', { body: { yaml_content: 'etl: 1\nkind: pipline\n' } }),
  previewTask: ({ live }) => send(live.editor, 'previewTask', previewOf(live)),
  getTaskSchema: ({ live }) => send(live.admin, 'getTaskSchema'),

  listConnectors: ({ live }) => send(live.admin, 'listConnectors', { query: { type: 'file' } }),
  createConnector: ({ live }) => createConnector(live),
  getConnector: ({ live }) => send(live.admin, 'getConnector', { params: { id: live.files } }),
  updateConnector: async ({ live }) =>
    send(live.admin, 'updateConnector', {
      params: { id: idOf(await createConnector(live)) },
      body: postgres(newName('renamed')),
    }),
  archiveConnector: async ({ live }) =>
    send(live.admin, 'archiveConnector', { params: { id: idOf(await createConnector(live)) } }),
  restoreConnector: ({ live }) => send(live.admin, 'restoreConnector', { params: { id: live.files } }),
  testConnectorById: ({ live }) => send(live.editor, 'testConnectorById', { params: { id: live.files } }),
  testConnector: ({ live }) =>
    send(live.admin, 'testConnector', { body: { type: 'file', config: { root: '/nowhere/at/all' } } }),
  listConnectorTypes: ({ live }) => send(live.admin, 'listConnectorTypes'),
  listResources: ({ live }) => send(live.admin, 'listResources', { params: { id: live.database } }),
  getResource: ({ live }) => send(live.admin, 'getResource', { params: { id: live.database, name: 'people' } }),

  searchRunErrors: ({ live }) => send(live.admin, 'searchRunErrors', { query: { q: 'a', limit: 2 } }),
  listRuns: ({ live }) => send(live.admin, 'listRuns', { query: { status: 'completed', limit: 1 } }),
  getRun: ({ live }) => send(live.admin, 'getRun', { params: { id: live.finished.id } }),
  triggerRun: async ({ live }) =>
    send(live.editor, 'triggerRun', {
      params: { taskId: (await live.task()).id },
      body: { arguments: { least: 3 }, connector_mapping: { files: live.files } },
    }),
  cancelRun: async ({ scripted }) => send(scripted.editor, 'cancelRun', { params: { id: (await scripted.run()).id } }),
  retryRun: ({ live }) => send(live.editor, 'retryRun', { params: { id: live.finished.id } }),
  getRunLogs: ({ live }) => send(live.admin, 'getRunLogs', { params: { id: live.finished.id } }),
  downloadRunRejects: ({ live }) => send(live.admin, 'downloadRunRejects', { params: { id: live.finished.id } }),
  downloadRunLogs: ({ live }) => send(live.admin, 'downloadRunLogs', { params: { id: live.finished.id } }),
  listRunSteps: ({ live }) => send(live.admin, 'listRunSteps', { params: { id: live.finished.id } }),
  listRunRejectGroups: ({ live }) => send(live.admin, 'listRunRejectGroups', { params: { id: live.finished.id } }),
  listRunRejects: ({ live }) => send(live.admin, 'listRunRejects', { params: { id: live.finished.id } }),

  ...rejectsSuccesses,
  ...dashboardSuccesses,
  listJobTemplates: ({ live }) => send(live.admin, 'listJobTemplates', { query: { q: 'contract', sort: 'name' } }),
  createJobTemplate: async ({ live }) => createTemplate(live, await live.task()),
  getJobTemplate: async ({ live }) => send(live.admin, 'getJobTemplate', { params: { id: await templateOf(live) } }),
  updateJobTemplate: async ({ live }) => {
    const task = await live.task()
    const { id, name } = (await createTemplate(live, task)).body as { id: number; name: string } // as the contract has it
    return send(live.editor, 'updateJobTemplate', {
      params: { id },
      body: { yaml_content: jobTemplateYaml(name, task.name, 'Changed'), tags: ['a'] },
    })
  },
  tagJobTemplate: async ({ live }) =>
    send(live.editor, 'tagJobTemplate', { params: { id: await templateOf(live) }, body: { add: ['a'] } }),
  archiveJobTemplate: async ({ live }) =>
    send(live.editor, 'archiveJobTemplate', { params: { id: await templateOf(live) } }),
  restoreJobTemplate: async ({ live }) =>
    send(live.editor, 'restoreJobTemplate', { params: { id: await templateOf(live) } }),
  listJobTemplateVersions: async ({ live }) =>
    send(live.admin, 'listJobTemplateVersions', { params: { id: await templateOf(live) }, query: { limit: 1 } }),
  getJobTemplateVersion: async ({ live }) =>
    send(live.admin, 'getJobTemplateVersion', { params: { id: await templateOf(live), vid: 1 } }),
  restoreJobTemplateVersion: async ({ live }) =>
    send(live.editor, 'restoreJobTemplateVersion', { params: { id: await templateOf(live), vid: 1 } }),
  validateJobTemplate: async ({ live }) =>
    send(live.admin, 'validateJobTemplate', {
      body: {
        yaml_content: jobTemplateYaml('never_saved', (await live.task()).name).replace('load:', 'load: {}\n  b:'),
      },
    }),
  getJobTemplateSchema: ({ live }) => send(live.admin, 'getJobTemplateSchema'),

  listJobs: async ({ live }) => {
    await live.job()
    return send(live.admin, 'listJobs', { query: { status: 'active', limit: 1 } })
  },
  listJobTemplateJobs: async ({ live }) => {
    const { job_template_id: id } = await live.job()
    return send(live.admin, 'listJobTemplateJobs', { params: { id } })
  },
  createJob: async ({ live }) =>
    send(live.editor, 'createJob', {
      params: { id: await templateOf(live) },
      body: {
        name: newName('made'),
        description: 'Made',
        connector_mapping: { lake: live.files },
        parameters: { least: 3 },
      },
    }),
  getJob: async ({ live }) => send(live.admin, 'getJob', { params: { id: (await live.job()).id } }),
  updateJob: async ({ live }) =>
    send(live.editor, 'updateJob', { params: { id: (await live.job()).id }, body: { description: 'Changed' } }),
  archiveJob: async ({ live }) => send(live.editor, 'archiveJob', { params: { id: (await live.job()).id } }),
  restoreJob: async ({ live }) => send(live.editor, 'restoreJob', { params: { id: (await live.job()).id } }),
  getJobSnapshot: async ({ live }) => {
    const { id } = await live.job()
    await send(live.editor, 'setJobTaskOverride', overrideOf(id))
    return send(live.admin, 'getJobSnapshot', { params: { id } })
  },
  setJobTaskOverride: async ({ live }) => send(live.editor, 'setJobTaskOverride', overrideOf((await live.job()).id)),
  deleteJobTaskOverride: async ({ live }) => {
    const { id } = await live.job()
    await send(live.editor, 'setJobTaskOverride', overrideOf(id))
    return send(live.editor, 'deleteJobTaskOverride', { params: { id, key: 'load' } })
  },
  upgradeJob: async ({ live }) => {
    const { id } = await live.job()
    await send(live.editor, 'setJobTaskOverride', overrideOf(id))
    return send(live.editor, 'upgradeJob', { params: { id }, body: { dry_run: true, parameters: { least: 'many' } } })
  },

  ...exchangeSuccesses,
  ...uploadSuccesses,
  ...explorerPresetSuccesses,
  ...savedViewSuccesses,
  ...aiReferenceSuccesses,
  ...metricSuccesses,
  ...aiSuccesses,
  ...jobRunSuccesses,
  ...schedulerSuccesses,
  ...triggerSuccesses,
  ...connectorPreviewSuccesses,
  ...secretsSuccesses,
  ...serverConfigSuccesses,
  ...notificationSuccesses,
  ...authSuccesses,
  ...userSuccesses,
  ...auditSuccesses,
  ...backupSuccesses,

  listExecutors: ({ live }) => send(live.admin, 'listExecutors'),
  drainExecutor: async ({ scripted }) => {
    const id = idOf(await register(scripted))
    return send(scripted.admin, 'drainExecutor', { params: { id } })
  },
  getServerInfo: ({ live }) => send(live.admin, 'getServerInfo'),
  streamEvents: async ({ live }) =>
    openStream(
      live.admin,
      live.server.url,
      'streamEvents',
      { headers: { 'last-event-id': '1' } },
      // What has happened so far is sent again.
      (text) => text.includes('run.created'),
    ),

  registerExecutor: ({ scripted }) => register(scripted),
  heartbeatExecutor: ({ scripted }) =>
    send(scripted.executor.client, 'heartbeatExecutor', { ...asExecutor(scripted), body: { running: [] } }),
  claimWork: async ({ scripted }) => {
    await scripted.run()
    const body = { slots: 100, call_slots: 1, wait_ms: 0 }
    return send(scripted.executor.client, 'claimWork', { ...asExecutor(scripted), body })
  },
  beginRuns: ({ scripted }) =>
    send(scripted.executor.client, 'beginRuns', {
      ...asExecutor(scripted),
      body: { begin: [{ run_id: 1_000_000, attempt: 1 }], give_back: [] },
    }),
  postRunState: callback('postRunState', () => ({ state: 'running', started_at: new Date().toISOString() })),
  postRunLogs: callback('postRunLogs', () => ({ seq: 1, lines: [line('One'), line('Two', 'warn', 'filter')] })),
  postRunProgress: callback('postRunProgress', () => ({ steps: [step] })),
  postRunRejects: callback('postRunRejects', () => ({
    seq: 1,
    rejects: [{ step: 'expect', reason: 'positive', row: { n: -4 } }],
  })),
  completeRun: callback('completeRun', () => ({ ...success(), ...failure(false), steps: [step] })),
  postCallResult: async ({ scripted }) => {
    const waiting = send(scripted.admin, 'testConnectorById', { params: { id: scripted.files } })
    const { calls } = await scripted.executor.claim({ slots: 0, call_slots: 1, wait_ms: 20_000 })
    const answer = await send(scripted.executor.client, 'postCallResult', {
      params: { callId: calls[0]!.call_id },
      headers: asExecutor(scripted).headers,
      body: { result: { kind: 'test', value: { ok: true, checks: [] } } },
    })
    await waiting
    return answer
  },
  ...querySuccesses,
  ...changesSuccesses,
}

/** Operations that also answer with a stream. */
export const streams: Partial<Record<OperationId, (stage: Stage) => Promise<Answer>>> = {
  getRunLogs: ({ live }) =>
    openStream(live.admin, live.server.url, 'getRunLogs', { params: { id: live.finished.id } }, (text) =>
      text.includes('event: end'),
    ),
}

const step = {
  index: 0,
  key: 'source',
  label: 'numbers.csv',
  status: 'success',
  rows_in: null,
  rows_out: 4,
  rows_rejected: 0,
  bytes: 40,
  started_at: '2026-03-01T08:30:00.000Z',
  duration_ms: 1.5,
  columns: [{ name: 'n', type: 'BIGINT' }],
}

/** A callback of an executor about a run that it has. */
function callback(id: OperationId, body: () => object) {
  return async ({ scripted }: Stage) => {
    const plan = await scripted.claimed()
    return send(scripted.executor.client, id, callbackOf(plan, body()))
  }
}

export const callbackOf = ({ run_id, attempt, lease_token }: RunPlan, body: object): Request => ({
  params: { id: run_id },
  body: { attempt, lease_token, ...body },
})

/** Successes of operations that make something answer with it. */
export const idOf = ({ body }: Answer) => (body as { id: number }).id

export const asExecutor = ({ executor }: ScriptedWorld) => ({
  params: { id: executor.id },
  headers: { 'x-executor-credential': executor.credential },
})

const createTemplate = (live: LiveWorld, task: { name: string }) =>
  send(live.editor, 'createJobTemplate', {
    body: { yaml_content: jobTemplateYaml(newName('template'), task.name), change_summary: 'First', tags: ['a'] },
  })
const templateOf = async (live: LiveWorld) => idOf(await createTemplate(live, await live.task()))
const overrideOf = (id: number): Request => ({
  params: { id, key: 'load' },
  body: { yaml_content: taskYaml('own', 'Of this job alone') },
})

async function session({ live }: Stage): Promise<Record<string, string>> {
  const answer = await send(live.server.client, 'login', { body: account })
  return { cookie: cookieOf(answer), origin: live.server.url }
}

const createApiKey = ({ admin }: LiveWorld) =>
  send(admin, 'createApiKey', {
    body: { name: 'k', role: 'viewer', scopes: ['read'], expires_at: '2999-01-01T00:00:00.000Z' },
  })

const postgres = (name: string) => ({
  name,
  type: 'postgres',
  config: { host: 'localhost', database: 'd', user: 'u' },
  secrets: { password: 'secret' },
  description: 'Far',
  environment: 'staging',
})
const createConnector = ({ admin }: LiveWorld) => send(admin, 'createConnector', { body: postgres(newName('made')) })

const register = ({ executor }: ScriptedWorld) =>
  send(executor.client, 'registerExecutor', { body: registration(newName('extra')) })

export const previewOf = ({ files }: { files: number }): Request => ({
  body: { yaml_content: taskYaml('preview'), connector_mapping: { files }, limit: 10 },
})

/** The plan of a run that has saved where it got to. */
/** A run that was allowed to commit, and whose worker ended without a word. */
async function withUnknownOutcome({ claimed, executor, admin }: ScriptedWorld) {
  const plan = await claimed(incrementalYaml(newName('unknown')))
  await executor.state(plan, { state: 'committing', source_state: { cursor: 3 } })
  const error = { code: 'OUTCOME_UNKNOWN', message: 'Nobody knows', retryable: false }
  await executor.complete(plan, { status: 'failed', error })
  const listed = await send(admin, 'listTaskStates', { params: { id: plan.task.id } })
  const [state] = listed.body as { id: number }[] // as the contract has it
  return { task: plan.task.id, state: state!.id, run_id: plan.run_id }
}

async function withState({ claimed, executor }: ScriptedWorld): Promise<RunPlan> {
  const plan = await claimed(incrementalYaml(newName('incremental')))
  await executor.complete(plan, { state: { cursor: 3 } })
  return plan
}
