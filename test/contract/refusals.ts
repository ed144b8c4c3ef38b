import type { ErrorCode } from '../../src/contract/errors.ts'
import type { OperationId } from '../../src/contract/operations.ts'
import { policies } from '../../src/contract/policy.ts'
import { scopes } from '../../src/contract/roles.ts'
import { line, registration, success } from '../server/runs/fake-executor.ts'
import type { Answer, TestClient, TestServer } from '../support/server.ts'
import { cookieOf } from '../support/sign-in.ts'
import { type Stage, asExecutor, callbackOf, idOf, previewOf } from './successes.ts'
import { type Request, operationOf, send, sendRaw } from './support/send.ts'
import { backupRefusals } from './backups.ts'
import { connectorPreviewRefusals, unsavedPreview } from './connector-preview.ts'
import { aiRefusals } from './ai.ts'
import { aiReferenceRefusals } from './ai-references.ts'
import { rejectsRefusals } from './rejects.ts'
import { savedViewRefusals } from './saved-views.ts'
import { explorerPresetRefusals } from './explorer-presets.ts'
import { metricRefusals } from './metrics.ts'
import { exchangeRefusals } from './exchange.ts'
import { uploadRefusals } from './uploads.ts'
import { dashboardRefusals } from './dashboards.ts'
import { changesRefusals, explained, reviewOf } from './changes.ts'
import { opened, queryRefusals, toArchived } from './queries.ts'
import { jobRunBodies, jobRunRefusals } from './job-runs.ts'
import { notificationRefusals } from './notifications.ts'
import { serverConfigRefusals } from './server-config.ts'
import { triggerRefusals } from './triggers.ts'
import { authRefusals } from './auth.ts'
import { userBodies, userRefusals } from './users.ts'
import {
  type createEndingServer,
  type createExhaustedServer,
  type createFaultyServer,
  type ScriptedWorld,
  account,
  jobTemplateYaml,
  newName,
  taskYaml,
} from './support/worlds.ts'

export interface RefusalStage extends Stage {
  exhausted: Awaited<ReturnType<typeof createExhaustedServer>>
  faulty: Awaited<ReturnType<typeof createFaultyServer>>
  ending: Awaited<ReturnType<typeof createEndingServer>>
}

type Provoke = (stage: RefusalStage) => Promise<Answer>

/** Errors that take more than a bad request, by operation. Those that every operation shares are below. */
export const ownRefusals: Partial<Record<OperationId, Partial<Record<ErrorCode, Provoke>>>> = {
  bootstrap: { CONFLICT: ({ live }) => send(live.server.client, 'bootstrap', { body: account }) },
  login: {
    AUTH_ERROR: ({ live }) => send(live.server.client, 'login', { body: { username: 'eve', password: 'guess' } }),
  },
  launch: { AUTH_ERROR: ({ live }) => send(live.server.client, 'launch', { body: { token: 'guess' } }) },
  logout: {
    async FORBIDDEN({ live }) {
      const cookie = cookieOf(await send(live.server.client, 'login', { body: account }))
      return send(live.server.client, 'logout', { headers: { cookie, origin: 'http://evil.example' } })
    },
  },

  getLineage: { NOT_FOUND: ({ live }) => send(live.admin, 'getLineage', { query: { dataset: 'file /gone.csv' } }) },
  createTask: {
    async CONFLICT({ live }) {
      const { yaml_content } = await live.task()
      return send(live.editor, 'createTask', { body: { yaml_content } })
    },
  },
  updateTask: {
    async CONFLICT({ live }) {
      const { id, name } = await live.task()
      const body = { yaml_content: taskYaml(name, 'Changed') }
      return send(live.editor, 'updateTask', { params: { id }, headers: { 'if-match': '"older"' }, body })
    },
  },
  restoreTaskVersion: {
    async CONFLICT({ live }) {
      const { id, yaml_content } = await live.task()
      await send(live.editor, 'updateTask', { params: { id }, body: { yaml_content: taskYaml(newName('renamed')) } })
      await live.task(yaml_content)
      return send(live.editor, 'restoreTaskVersion', { params: { id, vid: 1 } })
    },
  },
  previewTask: {
    CONNECTOR_ERROR: ({ scripted }) => waiting(scripted, 'previewTask', previewOf(scripted), 'CONNECTOR_ERROR'),
    TIMEOUT: ({ scripted }) => waiting(scripted, 'previewTask', previewOf(scripted), 'TIMEOUT'),
    UNAVAILABLE: ({ exhausted }) => withoutExecutor(exhausted, 'previewTask', { body: inlinePreview }),
  },

  createConnector: {
    CONFLICT: ({ live }) => send(live.admin, 'createConnector', { body: { ...fileConnector, name: 'files' } }),
  },
  updateConnector: {
    CONFLICT: ({ live }) =>
      send(live.admin, 'updateConnector', {
        params: { id: live.files },
        body: { ...fileConnector, name: 'database' },
      }),
  },
  testConnectorById: {
    TIMEOUT: ({ scripted }) => waiting(scripted, 'testConnectorById', { params: { id: scripted.files } }, 'TIMEOUT'),
  },
  testConnector: {
    NOT_FOUND: ({ live }) =>
      send(live.admin, 'testConnector', { body: { type: 'file', config: { root: '/' }, connector_id: 999_999 } }),
    TIMEOUT: ({ scripted }) =>
      waiting(scripted, 'testConnector', { body: { type: 'file', config: { root: '/' } } }, 'TIMEOUT'),
    UNAVAILABLE: ({ exhausted }) =>
      withoutExecutor(exhausted, 'testConnector', { body: { type: 'file', config: { root: '/' } } }),
  },
  previewConnector: {
    ...connectorPreviewRefusals.previewConnector,
    CONNECTOR_ERROR: ({ scripted }) => waiting(scripted, 'previewConnector', unsavedPreview, 'CONNECTOR_ERROR'),
    TIMEOUT: ({ scripted }) => waiting(scripted, 'previewConnector', unsavedPreview, 'TIMEOUT'),
    UNAVAILABLE: ({ exhausted }) => withoutExecutor(exhausted, 'previewConnector', unsavedPreview),
  },
  listResources: {
    async CONNECTOR_ERROR({ live }) {
      const body = { ...fileConnector, name: newName('gone'), config: { root: '/nowhere/at/all' } }
      const id = idOf(await send(live.admin, 'createConnector', { body }))
      return send(live.admin, 'listResources', { params: { id } })
    },
    TIMEOUT: ({ scripted }) => waiting(scripted, 'listResources', { params: { id: scripted.files } }, 'TIMEOUT'),
  },
  getResource: {
    NOT_FOUND: ({ live }) => send(live.admin, 'getResource', { params: { id: live.files, name: 'gone.csv' } }),
    CONNECTOR_ERROR: ({ live }) =>
      send(live.admin, 'getResource', { params: { id: live.files, name: '../outside.csv' } }),
    TIMEOUT: ({ scripted }) =>
      waiting(scripted, 'getResource', { params: { id: scripted.files, name: 'a.csv' } }, 'TIMEOUT'),
  },

  ...dashboardRefusals,
  createJobTemplate: {
    async CONFLICT({ live }) {
      const task = await live.task()
      const body = { yaml_content: jobTemplateYaml(newName('template'), task.name) }
      await send(live.editor, 'createJobTemplate', { body })
      return send(live.editor, 'createJobTemplate', { body })
    },
  },
  updateJobTemplate: {
    async CONFLICT({ live }) {
      const { job_template_id: id, job_template_name } = await live.job()
      const body = { yaml_content: jobTemplateYaml(job_template_name, (await live.task()).name) }
      return send(live.editor, 'updateJobTemplate', { params: { id }, headers: { 'if-match': '"older"' }, body })
    },
  },
  restoreJobTemplateVersion: {
    async CONFLICT({ live }) {
      const { job_template_id: id, job_template_name } = await live.job()
      const { name } = await live.task()
      const renamed = { yaml_content: jobTemplateYaml(newName('renamed'), name) }
      await send(live.editor, 'updateJobTemplate', { params: { id }, body: renamed })
      await send(live.editor, 'createJobTemplate', { body: { yaml_content: jobTemplateYaml(job_template_name, name) } })
      return send(live.editor, 'restoreJobTemplateVersion', { params: { id, vid: 1 } })
    },
  },
  createJob: {
    async INVALID_STATE({ live }) {
      const { job_template_id: id } = await live.job()
      await send(live.editor, 'archiveJobTemplate', { params: { id } })
      return send(live.editor, 'createJob', { params: { id }, body: { name: newName('job') } })
    },
    async CONFLICT({ live }) {
      const { job_template_id: id, name } = await live.job()
      return send(live.editor, 'createJob', {
        params: { id },
        body: { name, connector_mapping: { lake: live.files } },
      })
    },
  },
  updateJob: {
    async CONFLICT({ live }) {
      const [{ id }, { name }] = [await live.job(), await live.job()]
      return send(live.editor, 'updateJob', { params: { id }, body: { name } })
    },
  },
  setJobTaskOverride: {
    CONFLICT: async ({ live }) =>
      send(live.editor, 'setJobTaskOverride', {
        params: { id: (await live.job()).id, key: 'load' },
        headers: { 'if-match': '"older"' },
        body: { yaml_content: taskYaml('own') },
      }),
  },
  upgradeJob: {
    async INVALID_STATE({ live }) {
      const { id, job_template_id } = await live.job()
      await send(live.editor, 'archiveJobTemplate', { params: { id: job_template_id } })
      return send(live.editor, 'upgradeJob', { params: { id } })
    },
    CONFLICT: async ({ live }) =>
      send(live.editor, 'upgradeJob', { params: { id: (await live.job()).id }, headers: { 'if-match': '"older"' } }),
  },

  triggerRun: {
    async INVALID_STATE({ live }) {
      const { id } = await live.task()
      await send(live.editor, 'archiveTask', { params: { id } })
      return send(live.editor, 'triggerRun', {
        params: { taskId: id },
        body: { connector_mapping: { files: live.files } },
      })
    },
    async CONFLICT({ scripted }) {
      const { id: taskId } = await scripted.task()
      const request = { params: { taskId }, headers: { 'idempotency-key': newName('key') } }
      const body = { connector_mapping: { files: scripted.files } }
      await send(scripted.editor, 'triggerRun', { ...request, body })
      return send(scripted.editor, 'triggerRun', { ...request, body: { ...body, arguments: { least: 3 } } })
    },
  },
  cancelRun: {
    INVALID_STATE: ({ live }) => send(live.editor, 'cancelRun', { params: { id: live.finished.id } }),
  },
  retryRun: {
    INVALID_STATE: async ({ scripted }) =>
      send(scripted.editor, 'retryRun', { params: { id: (await scripted.run()).id } }),
    async CONFLICT({ scripted }) {
      const headers = { 'idempotency-key': newName('key') }
      const ids = [await cancelled(scripted), await cancelled(scripted)] as const
      await send(scripted.editor, 'retryRun', { params: { id: ids[0] }, headers })
      return send(scripted.editor, 'retryRun', { params: { id: ids[1] }, headers })
    },
  },
  drainExecutor: {
    async INVALID_STATE({ scripted }) {
      const { client } = scripted.executor
      const answer = await send(client, 'registerExecutor', { body: registration(newName('leaving')) })
      // The answer of a registration.
      const { id, credential } = answer.body as { id: number; credential: string }
      await send(client, 'heartbeatExecutor', {
        params: { id },
        headers: { 'x-executor-credential': credential },
        body: { running: [], draining: true },
      })
      return send(scripted.admin, 'drainExecutor', { params: { id } })
    },
  },

  ...exchangeRefusals,
  ...uploadRefusals,
  ...explorerPresetRefusals,
  ...savedViewRefusals,
  ...rejectsRefusals,
  ...aiReferenceRefusals,
  ...aiRefusals,
  ...metricRefusals,
  ...jobRunRefusals,
  ...backupRefusals,
  ...serverConfigRefusals,
  ...triggerRefusals,
  ...notificationRefusals,
  ...authRefusals,
  ...userRefusals,

  registerExecutor: {
    CONFLICT: ({ scripted }) =>
      send(scripted.executor.client, 'registerExecutor', { body: registration('fake', 'another process') }),
    UNAVAILABLE: ({ scripted }) =>
      readOnly(scripted, () =>
        send(scripted.executor.client, 'registerExecutor', { body: registration(newName('late')) }),
      ),
  },
  heartbeatExecutor: {
    NOT_FOUND: ({ scripted }) =>
      send(scripted.executor.client, 'heartbeatExecutor', {
        headers: asExecutor(scripted).headers,
        body: { running: [] },
      }),
    CONFLICT: ({ scripted }) =>
      send(scripted.executor.client, 'heartbeatExecutor', {
        ...asExecutor(scripted),
        headers: { 'x-executor-credential': 'older' },
        body: { running: [] },
      }),
    // Merely being alive is heard all the same; leaving has to be written down.
    UNAVAILABLE: ({ scripted }) =>
      readOnly(scripted, () =>
        send(scripted.executor.client, 'heartbeatExecutor', {
          ...asExecutor(scripted),
          body: { running: [], draining: true },
        }),
      ),
  },
  claimWork: {
    NOT_FOUND: ({ scripted }) =>
      send(scripted.executor.client, 'claimWork', { headers: asExecutor(scripted).headers, body: claim }),
    CONFLICT: ({ scripted }) =>
      send(scripted.executor.client, 'claimWork', {
        ...asExecutor(scripted),
        headers: { 'x-executor-credential': 'older' },
        body: claim,
      }),
    UNAVAILABLE: ({ ending }) =>
      send(ending.executor.client, 'claimWork', {
        params: { id: ending.executor.id },
        headers: { 'x-executor-credential': ending.executor.credential },
        body: claim,
      }),
  },
  beginRuns: {
    NOT_FOUND: ({ scripted }) =>
      send(scripted.executor.client, 'beginRuns', { headers: asExecutor(scripted).headers, body: nothingAhead }),
    CONFLICT: ({ scripted }) =>
      send(scripted.executor.client, 'beginRuns', {
        ...asExecutor(scripted),
        headers: { 'x-executor-credential': 'older' },
        body: nothingAhead,
      }),
    async UNAVAILABLE({ scripted }) {
      const { client } = scripted.executor
      const asked = await send(client, 'registerExecutor', { body: registration(newName('ahead')) })
      // The answer of a registration.
      const { id, credential } = asked.body as { id: number; credential: string }
      const as = { params: { id }, headers: { 'x-executor-credential': credential } }
      await scripted.run()
      const claimed = await send(client, 'claimWork', { ...as, body: { ...claim, slots: 0, ahead: 100 } })
      const { runs } = claimed.body as { runs: { run_id: number; attempt: number; lease_token: string }[] }
      const give_back = runs.map(({ run_id, attempt, lease_token }) => ({ run_id, attempt, lease_token }))
      const refused = await readOnly(scripted, () =>
        send(client, 'beginRuns', { ...as, body: { begin: [], give_back } }),
      )
      await send(client, 'beginRuns', { ...as, body: { begin: [], give_back } })
      return refused
    },
  },
  ...callbackRefusals('postRunState', () => ({ state: 'running', started_at: new Date().toISOString() })),
  ...callbackRefusals('postRunLogs', () => ({ seq: 1, lines: [line('One')] })),
  ...callbackRefusals('postRunProgress', () => ({
    steps: [
      {
        index: 0,
        key: 'source',
        label: 'source',
        status: 'running',
        rows_in: null,
        rows_out: 1,
        rows_rejected: null,
        bytes: null,
        started_at: null,
        duration_ms: null,
        columns: [],
      },
    ],
  })),
  ...callbackRefusals('postRunRejects', () => ({ seq: 1, rejects: [{ step: 's', reason: 'r', row: {} }] })),
  ...callbackRefusals('completeRun', success),
  ...queryRefusals,
  listQueryHistory: {
    NOT_FOUND: ({ live }) => send(live.admin, 'listQueryHistory', { params: { id: 999_999 } }),
  },
  profileColumn: {
    NOT_FOUND: ({ live }) => send(live.admin, 'profileColumn', { body: { field: 0 } }),
    CONFLICT: ({ live }) =>
      send(live.admin, 'profileColumn', { params: { id: live.files, queryId: 'unknown' }, body: { field: 0 } }),
    CONNECTOR_ERROR: ({ scripted }) => profileRefused(scripted, 'CONNECTOR_ERROR'),
    TIMEOUT: ({ scripted }) => profileRefused(scripted, 'TIMEOUT'),
  },
  deleteQueryHistoryEntry: {
    NOT_FOUND: ({ live }) =>
      send(live.admin, 'deleteQueryHistoryEntry', { params: { id: live.files, entryId: 999_999 } }),
  },
  clearQueryHistory: {
    NOT_FOUND: ({ live }) => send(live.admin, 'clearQueryHistory', { params: { id: 999_999 } }),
  },
  explainQuery: {
    NOT_FOUND: ({ live }) => send(live.admin, 'explainQuery', { params: { id: 999_999 }, body: explained }),
    CONFLICT: ({ live }) => toArchived(live, 'explainQuery', explained),
    CONNECTOR_ERROR: ({ scripted }) =>
      waiting(scripted, 'explainQuery', { params: { id: scripted.files }, body: explained }, 'CONNECTOR_ERROR'),
    TIMEOUT: ({ scripted }) =>
      waiting(scripted, 'explainQuery', { params: { id: scripted.files }, body: explained }, 'TIMEOUT'),
  },
  changeConnectorData: {
    ...changesRefusals,
    CONNECTOR_ERROR: ({ scripted }) =>
      waiting(scripted, 'changeConnectorData', reviewOf(scripted.files), 'CONNECTOR_ERROR'),
    TIMEOUT: ({ scripted }) => waiting(scripted, 'changeConnectorData', reviewOf(scripted.files), 'TIMEOUT'),
  },
  postCallResult: {
    NOT_FOUND: ({ scripted }) =>
      send(scripted.executor.client, 'postCallResult', {
        params: { callId: 'unknown' },
        headers: asExecutor(scripted).headers,
        body: {},
      }),
    CONFLICT: ({ scripted }) =>
      send(scripted.executor.client, 'postCallResult', {
        params: { callId: 'unknown' },
        headers: { 'x-executor-credential': 'older' },
        body: {},
      }),
  },
}

/** Errors that an operation shares with others: how to provoke them follows from what it is. */
const sharedRefusals: Partial<Record<ErrorCode, (stage: RefusalStage, id: OperationId) => Promise<Answer>>> = {
  VALIDATION_ERROR({ live }, id) {
    const { body, params, path } = operationOf(id)
    const client = entitled(live, id)
    if (body) return send(client, id, { body: '["no object"]', params: anyParams(path) })
    if (params) return send(client, id, { params: { id: 'abc', taskId: '1.5' } })
    return send(client, id, { query: { no_such_field: 1 } })
  },
  AUTH_ERROR: ({ live }, id) => send(live.server.client, id, anyRequest(id)),
  FORBIDDEN({ live }, id) {
    const policy = policies[id]
    if (policy.access !== 'role') {
      return send(live.server.client, id, { ...anyRequest(id), headers: { origin: 'http://evil.example' } })
    }
    const others = scopes.filter((scope) => scope !== policy.scope)
    return send(live.server.as('superadmin', others), id, anyRequest(id))
  },
  NOT_FOUND({ live }, id) {
    const body = knownBodies[id]
    return send(entitled(live, id), id, body ? { body } : {})
  },
  PAYLOAD_TOO_LARGE({ live }, id) {
    const { bodyLimit = 1_048_576, path } = operationOf(id)
    const client = entitled(live, id)
    // The announced length is enough: nothing of it is read.
    const headers = { 'content-type': 'application/json', 'content-length': String(bodyLimit + 1) }
    return sendRaw(live.server.url, id, { params: anyParams(path), headers: { ...client.headers, ...headers } })
  },
  UNSUPPORTED_MEDIA_TYPE({ live }, id) {
    const headers = { 'content-type': 'text/plain' }
    return send(entitled(live, id), id, { params: anyParams(operationOf(id).path), body: 'a=b', headers })
  },
  MISDIRECTED_REQUEST: ({ live }, id) =>
    sendRaw(live.server.url, id, { headers: { ...entitled(live, id).headers, host: 'evil.example' } }),
  RATE_LIMITED({ exhausted }, id) {
    const { access } = policies[id]
    const nobody = exhausted.client.with(access === 'executor' ? { authorization: 'Bearer guess' } : {})
    return send(access === 'public' || access === 'executor' ? nobody : exhausted.superadmin, id, anyRequest(id))
  },
  UNAVAILABLE: ({ ending }, id) => send(ending.superadmin, id, anyRequest(id)),
  async INTERNAL_ERROR({ faulty }, id) {
    const client =
      policies[id].access === 'executor' ? faulty.client.with({ authorization: 'Bearer guess' }) : faulty.superadmin
    return send(client, id, anyRequest(id))
  },
}

/** Brings an operation to an error that it is said to give. Throws when no row says how. */
export function provoke(stage: RefusalStage, id: OperationId, code: ErrorCode): Promise<Answer> {
  const row = ownRefusals[id]?.[code] ?? sharedRefusals[code]
  if (!row) throw new Error(`There is no row that provokes ${code} of ${id}`)
  return row(stage, id)
}

const claim = { slots: 0, call_slots: 0, wait_ms: 0 }
const nothingAhead = { begin: [], give_back: [] }
const fileConnector = { name: 'other', type: 'file', config: { root: '/tmp' } }
const inlinePreview = {
  yaml_content: `etl: 1
kind: pipeline
name: preview
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{a: 1}]}}
target: {connector: out, file: {path: out.csv}}
`,
}
/** Bodies that are right, for operations whose refusal comes later. */
const knownBodies: Partial<Record<OperationId, unknown>> = {
  updateTask: { yaml_content: taskYaml('of_nothing') },
  tagTask: { add: ['a'] },
  tagJobTemplate: { add: ['a'] },
  tagDashboardTemplate: { add: ['a'] },
  ...jobRunBodies,
  ...userBodies,
  rerunRejects: { rows: [{ id: 1 }] },
  resolveTaskState: { run_id: 1, committed: true },
  updateTrigger: {},
  updateEventTrigger: {},
  updateNotification: {},
  updateConnector: fileConnector,
  updateJobTemplate: { yaml_content: 'of nothing' },
  updateDashboardTemplate: { yaml_content: 'of nothing' },
  updateDashboard: { state: {} },
  createJob: { name: 'of nothing' },
  updateJob: { name: 'of nothing' },
  setJobTaskOverride: { yaml_content: taskYaml('of_nothing') },
}

function anyParams(path: string): Request['params'] {
  return Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name!, 1]))
}
const anyRequest = (id: OperationId): Request => ({
  params: anyParams(operationOf(id).path),
  ...(operationOf(id).body && { body: {} }),
})

/** Somebody who may perform it. */
function entitled({ server, admin }: { server: TestServer; admin: TestClient }, id: OperationId): TestClient {
  const policy = policies[id]
  if (policy.access === 'executor') return server.asExecutor().with({ 'x-executor-credential': 'any' })
  if (policy.access === 'role' && policy.role === 'superadmin') return server.as('superadmin')
  return policy.access === 'public' ? server.client : admin
}

async function profileRefused(scripted: ScriptedWorld, code: string): Promise<Answer> {
  const { query, done } = await opened(scripted)
  const asked = send(scripted.editor, 'profileColumn', { ...query, body: { field: 0 } })
  return done(await scripted.failing(asked, code))
}

const waiting = (world: ScriptedWorld, id: OperationId, request: Request, code: string) =>
  world.failing(send(world.admin, id, request), code)

/** The bucket of the one caller is empty: somebody else asks. */
const withoutExecutor = (server: TestServer, id: OperationId, request: Request) =>
  send(server.as('superadmin'), id, request)

async function cancelled(world: ScriptedWorld): Promise<number> {
  const { id } = await world.run()
  await send(world.editor, 'cancelRun', { params: { id } })
  return id
}

/** Meanwhile the store takes no writes, as when its disk cannot be written. */
async function readOnly(world: ScriptedWorld, request: () => Promise<Answer>): Promise<Answer> {
  const { sqlite } = world.server.platform.store
  sqlite.pragma('query_only = ON')
  try {
    return await request()
  } finally {
    sqlite.pragma('query_only = OFF')
  }
}

function callbackRefusals(id: OperationId, body: () => object): typeof ownRefusals {
  return {
    [id]: {
      NOT_FOUND: ({ scripted }: RefusalStage) =>
        send(scripted.executor.client, id, { body: { attempt: 1, lease_token: 'any', ...body() } }),
      CONFLICT: async ({ scripted }: RefusalStage) => {
        const plan = { ...(await scripted.claimed()), lease_token: 'older' }
        return send(scripted.executor.client, id, callbackOf(plan, body()))
      },
      UNAVAILABLE: async ({ scripted }: RefusalStage) => {
        const plan = await scripted.claimed()
        return readOnly(scripted, () => send(scripted.executor.client, id, callbackOf(plan, body())))
      },
    },
  }
}
