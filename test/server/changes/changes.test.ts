// What the server makes of changes: confirmations, production, unknown outcomes, the audit log. The executor is a script.
import { expect, test } from 'vitest'
import type { AuditRecord } from '../../../src/contract/audit.ts'
import type { ChangesReport, ChangesResult } from '../../../src/contract/changes.ts'
import type { Answer, TestClient } from '../../support/server.ts'
import { controlPlane, movableClock } from '../runs/control-plane.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'

const statement = 'UPDATE "t" SET "name" = ? WHERE "id" = ?'
const report = (more: Partial<ChangesReport> = {}): ChangesReport => ({
  outcome: 'reviewed',
  statements: [
    { statement, values: [{ name: 'name', type: 'text', value: 'hushed' }], rows: 1, changed: null, edit: 0 },
  ],
  rows: 1,
  changed: null,
  transaction: true,
  digest: 'a'.repeat(64),
  conflicts: [],
  problem: null,
  ...more,
})
const edits = [{ kind: 'update', original: { id: '1', name: 'old' }, values: { name: 'hushed' } }]
const body = { resource: 't', edits }

interface Work {
  kind: string
  reviewed?: string
  changes: unknown
}

async function world(options: Parameters<typeof controlPlane>[0] = {}, connector: object = {}) {
  const plane = await controlPlane(options)
  const executor = await fakeExecutor(plane)
  await executor.claim()
  const made = await plane.editor.post('/api/connectors', {
    name: 'shop',
    type: 'sqlite',
    config: { path: '/nowhere/shop.db' },
    ...connector,
  })
  const id = (made.body as { id: number }).id
  const editor = plane.as('editor')
  const post = (more: object = {}, client: TestClient = editor) =>
    client.post(`/api/connectors/${id}/changes`, { ...body, ...more })
  const taken = async () => {
    for (;;) {
      const { calls } = await executor.claim({ wait_ms: 5_000, call_slots: 5 })
      if (calls.length > 0) return calls.map(({ call_id, work }) => ({ call_id, work: work as unknown as Work }))
    }
  }
  const answer = (callId: string, result: object) =>
    executor.client.post(`/api/executor/calls/${callId}/result`, result, {
      headers: { 'x-executor-credential': executor.credential },
    })
  /** Does what was asked for, as the executor. */
  const served = async (asked: Promise<Answer>, value: ChangesReport): Promise<Answer> => {
    const [call] = await taken()
    await answer(call!.call_id, { result: { kind: call!.work.kind, value } })
    return asked
  }
  const review = async (more: object = {}) => (await served(post(more), report())).body as ChangesResult
  const audit = async () =>
    ((await plane.editor.get('/api/audit', { query: { limit: 20 } })).body as { result: AuditRecord[] }).result
  return { plane, executor, id, editor, post, taken, answer, served, review, audit }
}

const written = report({ outcome: 'written', changed: 1 })
const gone = { status: 409, body: { code: 'changes_confirmation_gone' } }

test('a confirmation works once, for its user, its connector, and its changes', async () => {
  const { plane, id, post, served, review } = await world()
  const first = await review()
  expect(first).toMatchObject({ state: 'review', rows: 1, connector_name_required: false })
  const confirmation = first.confirmation!
  const last = confirmation.endsWith('A') ? 'B' : 'A'
  for (const wrong of [`${confirmation.slice(0, -1)}${last}`, `${confirmation}A`, confirmation.toLowerCase()])
    expect(await post({ confirmation: wrong })).toMatchObject(gone)
  expect(await post({ confirmation }, plane.as('admin'))).toMatchObject(gone)
  expect(
    await plane.editor.post(`/api/connectors/${plane.mapping.out}/changes`, { ...body, confirmation }),
  ).toMatchObject(gone)
  const others = { edits: [{ ...edits[0], values: { name: 'other' } }] }
  expect(await post({ confirmation, ...others })).toMatchObject({
    status: 409,
    body: { code: 'changes_confirmation_differs' },
  })
  expect(await post({ confirmation, resource: 'u' })).toMatchObject({ body: { code: 'changes_confirmation_differs' } })
  const reordered = { edits: [{ values: { name: 'hushed' }, original: { name: 'old', id: '1' }, kind: 'update' }] }
  expect(await served(post({ confirmation, ...reordered }), written)).toMatchObject({
    status: 200,
    body: { state: 'written', changed: 1, confirmation: null },
  })
  expect(await post({ confirmation })).toMatchObject(gone)
  const viewer = await plane.as('viewer').post(`/api/connectors/${id}/changes`, body)
  expect(viewer.status).toBe(403)
})

test('of two confirmations at once one is sent, with the digest that was reviewed', async () => {
  const { post, review, taken, answer } = await world()
  const { confirmation } = await review()
  const both = [post({ confirmation }), post({ confirmation })]
  const calls = await taken()
  expect(calls).toHaveLength(1)
  expect(calls[0]?.work).toMatchObject({
    kind: 'write_changes',
    reviewed: 'a'.repeat(64),
    changes: { kind: 'edits', edits },
  })
  await answer(calls[0]!.call_id, { result: { kind: 'write_changes', value: written } })
  expect((await Promise.all(both)).map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]))
})

test('a confirmation expires, and is void once the connector has changed', async () => {
  const clock = movableClock()
  const { plane, id, post, review } = await world({ clock })
  const { confirmation, expires_at } = await review()
  expect(Date.parse(expires_at!) - clock.now().getTime()).toBeCloseTo(600_000, -4)
  clock.offset += 600_001
  expect(await post({ confirmation })).toMatchObject(gone)
  const again = await review()
  const moved = { name: 'shop', type: 'sqlite', config: { path: '/nowhere/other.db' } }
  expect((await plane.editor.put(`/api/connectors/${id}`, moved)).status).toBe(200)
  expect(await post({ confirmation: again.confirmation })).toMatchObject({
    body: { code: 'changes_connector_changed' },
  })
})

test('on production the name must be given exactly, and a wrong one uses nothing up', async () => {
  const { post, review, served } = await world({}, { environment: 'production' })
  const { confirmation, connector_name_required } = await review()
  expect(connector_name_required).toBe(true)
  for (const more of [{}, { connector_name: 'Shop' }, { connector_name: 'shop ' }]) {
    expect(await post({ confirmation, ...more })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.connector_name', code: 'changes_name_required' }] },
    })
  }
  expect((await served(post({ confirmation, connector_name: 'shop' }), written)).status).toBe(200)
})

test('what nobody knows is unknown: the executor ended, its worker ended, or it took too long', async () => {
  const { executor, post, review, taken, answer } = await world()
  const unknown = { status: 504, body: { code: 'changes_outcome_unknown' } }
  const begun = async () => {
    const { confirmation } = await review()
    const asked = post({ confirmation, timeout_s: 1 })
    const [call] = await taken()
    return { asked, callId: call!.call_id }
  }
  for (const result of [
    { error: { code: 'INTERNAL_ERROR', message: 'Something unexpected' } },
    { error: { code: 'UNAVAILABLE', message: 'The process that did this ended (signal SIGKILL)' } },
    { error: { code: 'TIMEOUT', message: 'late' } },
    { result: { kind: 'write_changes', value: report({ outcome: 'unknown' }) } },
  ]) {
    const { asked, callId } = await begun()
    await answer(callId, result)
    expect(await asked).toMatchObject(unknown)
  }
  const late = await begun()
  expect(await late.asked).toMatchObject(unknown)
  const refused = await begun()
  await answer(refused.callId, { error: { code: 'CONNECTOR_ERROR', message: 'The disk is full' } })
  expect(await refused.asked).toMatchObject({ status: 502 })
  const ended = await begun()
  await executor.client.post(
    `/api/executors/${executor.id}/heartbeat`,
    { running: [], draining: true },
    { headers: { 'x-executor-credential': executor.credential } },
  )
  expect(await ended.asked).toMatchObject(unknown)
})

test('what no executor has taken was not sent', async () => {
  const { post, review } = await world()
  const { confirmation } = await review()
  const answer = await post({ confirmation, timeout_s: 1 })
  expect(answer).toMatchObject({ status: 504, body: { code: 'call_late' } })
})

test('conflicts name the edit and the columns', async () => {
  const { post, served } = await world()
  const value = report({ outcome: 'conflict', conflicts: [{ edit: 0, problem: 'changed', fields: ['name'] }] })
  expect(await served(post(), value)).toMatchObject({
    status: 409,
    body: {
      code: 'changes_conflict',
      details: [{ path: 'body.edits[0]', code: 'changes_row_changed', params: { fields: ['name'] } }],
    },
  })
})

test('everything that is sent is in the audit log before it is sent: statements, and digests of values', async () => {
  const { plane, id, post, review, taken, answer, audit } = await world()
  const { confirmation } = await review()
  const asked = post({ confirmation })
  const [call] = await taken()
  const [before] = await audit()
  expect(before).toMatchObject({
    operation: 'sendingChanges',
    entity: 'connector',
    entity_id: id,
    entity_name: 'shop',
    outcome: 'ok',
  })
  const { statements, values_digest, rows } = JSON.parse(before!.detail!) as Record<string, unknown>
  expect([statements, rows]).toEqual([[{ statement, times: 1 }], 1])
  expect(values_digest).toMatch(/^[0-9a-f]{64}$/)
  await answer(call!.call_id, { error: { code: 'INTERNAL_ERROR', message: 'gone' } })
  await asked
  const [after] = await audit()
  expect(after).toMatchObject({
    operation: 'changeConnectorData',
    entity: 'connector',
    entity_id: id,
    outcome: 'failed',
    status: 504,
    request_id: before!.request_id,
  })
  expect(JSON.stringify(await audit())).not.toContain('hushed')
  expect((await plane.editor.get('/api/audit/verify')).body).toMatchObject({ ok: true })
})

test('requests that say too little or too much are refused', async () => {
  const { post } = await world()
  for (const [more, code] of [
    [{ definition: { mode: 'visual', action: 'delete' } }, 'changes_edits_or_definition'],
    [{ edits: undefined }, 'changes_edits_or_definition'],
    [{ resource: undefined }, 'changes_need_resource'],
    [{ edits: undefined, definition: { mode: 'visual' } }, 'changes_action'],
    [{ edits: undefined, definition: { mode: 'visual', action: 'find' } }, 'changes_action'],
    [{ edits: undefined, definition: { mode: 'raw', rawQuery: ' ' } }, 'changes_raw_empty'],
    [{ edits: undefined, definition: { mode: 'raw', rawQuery: 'DELETE FROM t\0 WHERE no' } }, 'query_has_nul'],
    [{ resource: 't\0' }, 'query_has_nul'],
  ] as const) {
    expect(await post(more)).toMatchObject({ status: 400, body: { details: [{ code }] } })
  }
})
