// Every text that an operation takes, as it should never be: it is stored exactly, or refused with its path, and nothing
// else is touched.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/contract/operation.ts'
import type { ErrorBody } from '../../src/contract/errors.ts'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import { createValidatorCompiler } from '../../src/server/platform/http-validation.ts'
import type { Answer } from '../support/server.ts'
import { pendingVisitor } from '../support/totp.ts'
import { chunkType } from '../../src/contract/executor-results.ts'
import { failure, line, success } from '../server/runs/fake-executor.ts'
import { executorOf, opened } from './queries.ts'
import { type Stage, asExecutor, callbackOf, successes } from './successes.ts'
import { badTexts } from './support/bad-texts.ts'
import { type Bystanders, makeBystanders } from './support/bystanders.ts'
import { type Sent, intercept, withField } from './support/intercept.ts'
import { operationOf, send } from './support/send.ts'
import { type StringField, at, pathOfSteps, stringFieldsOf } from './support/string-fields.ts'
import { account, createLiveWorld, createScriptedWorld, newName } from './support/worlds.ts'

const names = Object.keys(badTexts)
let used = 1_000

const ids = Object.keys(operations).map((id) => id as OperationId)
const fields = ids.flatMap((id) => stringFieldsOf(operationOf(id)).map((field) => ({ id, field, path: field.path })))

let stage: Stage
let bystanders: Bystanders
let before: unknown
const faults: string[] = []
const note = (line: string) => void (line.includes('"level":"error"') && faults.push(line))

beforeAll(async () => {
  const options = { config: { limits: { requestsPerSecond: 100_000, burst: 100_000 } }, onLog: note }
  stage = { live: await createLiveWorld(options), scripted: await createScriptedWorld(options) }
  bystanders = await makeBystanders(stage)
  before = bystanders.rows()
}, 120_000)
afterAll(async () => {
  await stage?.live.close()
  await stage?.scripted.close()
})

/** Rows that send more of an operation than its success needs. */
const fuller: Partial<Record<OperationId, (stage: Stage) => Promise<Answer>>> = {
  // There is an account: whatever is right is a conflict.
  bootstrap: ({ live }) =>
    send(live.server.client, 'bootstrap', { body: { ...account, username: 'eve', display_name: 'Eve' } }),
  async verifyTotp({ live: { server } }) {
    const { id } = server.services.users.create({ username: newName('user'), role: 'viewer', passwordHash: null })
    const client = pendingVisitor(server, id)
    await send(client, 'setupTotp')
    return send(client, 'verifyTotp', { body: { code: '123456' } })
  },
  async completeRun({ scripted }) {
    const plan = await scripted.claimed()
    const logs = { seq: 1, lines: [line('One', 'info', 'filter')] }
    const body = {
      ...success(),
      ...failure(false),
      steps: [],
      logs,
      outputs: {},
      metrics: {},
      state: { cursor: 'a', files: {} },
    }
    return send(scripted.executor.client, 'completeRun', callbackOf(plan, body))
  },
  async postCallResult({ scripted }) {
    const waiting = send(scripted.admin, 'testConnectorById', { params: { id: scripted.files } })
    const { calls } = await scripted.executor.claim({ slots: 0, call_slots: 1, wait_ms: 20_000 })
    const details = [{ path: 'connector', message: 'Refused', code: 'E', name: 'Error' }]
    const request = {
      params: { callId: calls[0]!.call_id },
      headers: asExecutor(scripted).headers,
      body: { error: { code: 'CONNECTOR_ERROR', message: 'Refused', details } },
    }
    const answer = await send(scripted.executor.client, 'postCallResult', request)
    // Whoever waits shall not wait in vain.
    if (answer.status >= 400) await send(stage.scripted.executor.client, 'postCallResult', request)
    await waiting
    return answer
  },
  // Whoever opened a query ends it: its place is needed.
  async cancelQuery({ scripted }) {
    const { query, done } = await opened(stage.scripted)
    return done(await send(scripted.editor, 'cancelQuery', query))
  },
  // Their rows send with a client of their own.
  postResultChunk: ({ scripted }) => {
    const { params, headers } = executorOf(stage.scripted, 'unknown')
    const request = { params, headers: { ...headers, 'content-type': chunkType }, body: '{"seq":1,"rows":0}\n' }
    return send(scripted.executor.client, 'postResultChunk', request)
  },
  attendResult: ({ scripted }) =>
    send(scripted.executor.client, 'attendResult', { ...executorOf(stage.scripted, 'unknown'), body: { seen: 0 } }),
}
const perform = (id: OperationId, on: Stage) => (fuller[id] ?? successes[id])(on)

const compile = createValidatorCompiler()
/** Whether the schema alone refuses it, whatever the state of the record. */
function refusedBySchema(op: Operation, { part }: StringField, { options }: Sent): boolean {
  const schema = op[part]
  if (part === 'params' || !schema) return false
  // The compiler looks at these alone.
  const validate = compile({ schema, httpPart: part === 'query' ? 'querystring' : part } as Parameters<
    typeof compile
  >[0])
  const result = validate(structuredClone(part === 'body' ? options.body : (options.query ?? {}))) as { error?: Error }
  return result.error !== undefined
}

const credentials = new Set<OperationId>([
  'login',
  'launch',
  'verifyTotp',
  'setupTotp',
  'restartTotpSetup',
  'disableTotp',
  'renewRecoveryCodes',
  'changeOwnPassword',
])
/** What is wrong with the refusal; it says which text it does not like. */
function complaintsOfRefusal(id: OperationId, field: StringField, base: Sent, { status, body }: Answer): string[] {
  const { part, path } = field
  // Too much for the door already.
  if (status === 413 || status === 431) return []
  // Who is not known, or what is not there: saying more would say too much.
  if (credentials.has(id) && [401, 403, 429].includes(status)) return []
  if (part === 'params' && [404, 405].includes(status)) return []
  if (part === 'query' && status === 404) return []
  if (path === 'body.lease_token' && status === 409) return []
  if (id === 'bootstrap' && status === 409) return []
  // Of a result that has ended, and of one that is somebody else's.
  if ((path === 'params.queryId' || ['getQueryPage', 'getQueryCell'].includes(id)) && status === 409) return []
  const told = `${status} ${JSON.stringify(body)?.slice(0, 600)}`
  const { error, details = [] } = body as ErrorBody
  if (status >= 500) return operationOf(id).errors.some((code) => code === error) ? [] : [told]
  const place = namedBy(field, base)
  // Keys with dots in them are quoted.
  const paths = details.map((detail) => detail.path.replaceAll(/\["(.+?)"\]/g, '.$1'))
  return paths.some((named) => isWithin(named, place) || isWithin(place, named)) ? [] : [told]
}
const isWithin = (inner: string, outer: string) =>
  inner === outer || (outer !== 'body' && (inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`)))

/** The field; or what was made for its sake, and lacks other things that belong there. */
function namedBy({ part, steps, path }: StringField, base: Sent): string {
  if (part !== 'body') return path
  const ways = steps.map((_, count) => steps.slice(0, count)).slice(1)
  const made = ways.find((way) => at(base.options.body, way) === undefined)
  return made === undefined ? path : pathOfSteps(part, made)
}

/** What a text may have become: itself, or where names are trimmed, without what stands around it. */
const mayBe = (text: string): unknown[] => [text, text.trim(), ...(text.trim() === '' ? [null] : [])]
function complaintsOfSuccess({ steps }: StringField, text: string, answers: Answer[]): string[] {
  return answers.flatMap(({ body }) => {
    const stored = at(body, steps)
    const isTold = stored === undefined || (typeof stored === 'object' && stored !== null)
    return isTold || mayBe(text).includes(stored) ? [] : [`became ${JSON.stringify(stored)?.slice(0, 200)}`]
  })
}

/** The record as it is read: of what was made, or changed. */
async function readBack(op: Operation, { client, path }: Sent, { body }: Answer): Promise<Answer[]> {
  if (op.method === 'GET' || op.method === 'DELETE') return []
  const has = (wanted: string) =>
    Object.values<Operation>(operations).some((one) => one.method === 'GET' && one.path === wanted)
  const { id } = (body ?? {}) as { id?: number }
  if (has(op.path)) return [await client.get(path)]
  return id !== undefined && has(`${op.path}/{id}`) ? [await client.get(`${path}/${id}`)] : []
}

async function tried(id: OperationId, field: StringField, text: string): Promise<string[]> {
  const op = operationOf(id)
  const change = withField(op, field, text)
  const base = await baseOf(id)
  let answer: Answer
  let sent: Sent | undefined = change(base)
  // What reads or replaces needs no new record each time. A backup takes seconds.
  const isRepeatable = op.method === 'GET' || op.method === 'PUT' || id === 'deleteBackup'
  if (isRepeatable || refusedBySchema(op, field, sent))
    answer = await sent.client.request(op.method, sent.path, sent.options)
  else {
    const intercepted = intercept(stage, op, change)
    answer = await perform(id, intercepted.stage)
    sent = intercepted.sent.at(-1)
    if (!sent) return [`${id} was not sent`]
  }
  if (answer.status >= 400) return complaintsOfRefusal(id, field, base, answer)
  // Its names are made safe for every file system, which its answer tells.
  if (id === 'uploadFile') return []
  return complaintsOfSuccess(field, text, [answer, ...(await readBack(op, sent, answer))])
}

const bases = new Map<OperationId, Sent>()
/** The right request, as the row of the operation sends it. */
async function baseOf(id: OperationId): Promise<Sent> {
  const known = bases.get(id)
  if (known) return known
  const { stage: intercepted, sent } = intercept(stage, operationOf(id), (one) => one)
  const answer = await perform(id, intercepted)
  const base = sent.at(-1)
  if (!base) throw new Error(`The row of ${id} does not send it: ${answer.status}`)
  bases.set(id, base)
  return base
}

describe('a text that should never be', () => {
  test.each(fields)(
    '$id $path',
    async ({ id, field }) => {
      const found: Record<string, string[]> = {}
      for (const name of names) {
        const text = badTexts[name]!(++used)
        // An address cannot hold half a character.
        if (field.part !== 'body' && !text.isWellFormed()) continue
        const complaints = await tried(id, field, text)
        if (complaints.length > 0) found[name] = complaints
      }
      expect(found).toEqual({})
    },
    120_000,
  )
})

test('nothing else was touched, and nothing has failed inside', () => {
  expect(bystanders.rows()).toEqual(before)
  for (const { server } of [stage.live, stage.scripted]) {
    expect(server.platform.store.sqlite.pragma('integrity_check', { simple: true })).toBe('ok')
    expect(server.platform.store.sqlite.pragma('foreign_key_check')).toEqual([])
  }
  expect(faults).toEqual([])
})
