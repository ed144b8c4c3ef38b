import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditRecord } from '../../../src/contract/audit.ts'
import { exportAudit, listAudit, verifyAudit } from '../../../src/contract/audit.ts'
import { createConnector } from '../../../src/contract/connectors.ts'
import { createJobTemplate } from '../../../src/contract/job-templates.ts'
import { createJob } from '../../../src/contract/jobs.ts'
import type { Operation, QueryOf } from '../../../src/contract/operation.ts'
import { operations } from '../../../src/contract/operations.ts'
import { listRuns } from '../../../src/contract/runs.ts'
import { validateTask } from '../../../src/contract/task-preview.ts'
import { archiveTask, createTask, updateTask } from '../../../src/contract/tasks.ts'
import { isAudited, shownAt } from '../../../src/server/platform/http-audit.rules.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { signIn } from '../../support/sign-in.ts'

const account = { username: 'ada', password: 'correct horse battery staple' }
const yaml = (name: string, description = 'A task') => `etl: 1
kind: pipeline
name: ${name}
description: ${description}
connectors: {out: {type: file, access: write}}
source: {inline: {rows: [{id: 1}]}}
target: {connector: out, file: {path: o.csv}}
`

let server: TestServer
let admin: TestClient
let editor: TestClient
beforeAll(async () => {
  server = await startTestServer()
  await server.client.post('/api/auth/bootstrap', account)
  admin = server.as('admin')
  editor = server.as('editor')
})
afterAll(() => server.close())

const records = async (query: QueryOf<typeof listAudit>) => (await admin.call(listAudit, { query })).result
const newest = async (query: QueryOf<typeof listAudit> = {}) => {
  const [record] = await records({ ...query, limit: 1 })
  if (!record) throw new Error('There is no such record')
  return record
}

describe('what changes something is recorded', () => {
  test('with who, from where, what, and digests of the record before and after', async () => {
    const { id } = await editor.call(createTask, { body: { yaml_content: yaml('audited') } })
    const made = await newest({ operation: ['createTask'] })
    expect(made).toMatchObject({
      actor: 'api_key',
      username: 'editor-2',
      role: 'editor',
      address: '127.0.0.1',
      method: 'POST',
      path: '/api/tasks',
      entity: 'task',
      entity_id: id,
      entity_name: 'audited',
      outcome: 'ok',
      status: 201,
      before_digest: null,
    })
    expect(made.api_key_id).toBeGreaterThan(0)
    await editor.call(updateTask, { params: { id }, body: { yaml_content: yaml('audited', 'Changed') } })
    const changed = await newest({ operation: ['updateTask'] })
    expect(changed).toMatchObject({ entity: 'task', entity_id: id, status: 200 })
    expect(changed.before_digest).toMatch(/^[0-9a-f]{64}$/)
    expect(changed.after_digest).not.toBe(changed.before_digest)
    await editor.call(archiveTask, { params: { id } })
    // Nobody touched it in between.
    expect((await newest({ operation: ['archiveTask'] })).before_digest).toBe(changed.after_digest)
  })

  test('whatever changes a record that a GET shows has its digests, but the configuration, which is a file', () => {
    const all = Object.values<Operation>(operations)
    const records = new Set(all.filter((op) => op.method === 'GET' && !op.streams).map(({ path }) => path))
    const changing = all.filter((op) => isAudited(op) && op.method !== 'GET' && records.has(shownAt(op) ?? ''))
    expect(changing.length).toBeGreaterThan(40)
    expect(changing.filter((op) => !server.app.headgate.audit.reads(op)).map(({ id }) => id)).toEqual([
      'updateServerConfig',
    ])
  })

  test('a save that changes nothing shows as that: both digests are one', async () => {
    const { id } = await editor.call(createTask, { body: { yaml_content: yaml('same') } })
    await editor.call(updateTask, { params: { id }, body: { yaml_content: yaml('same') } })
    const { before_digest, after_digest } = await newest({ operation: ['updateTask'], entity_id: id })
    expect(after_digest).toBe(before_digest)
  })

  test('a run is never started without its record: both are one transaction', async () => {
    const { id } = await editor.call(createTask, { body: { yaml_content: yaml('recorded') } })
    const out = await admin.call(createConnector, { body: { name: 'rec', type: 'file', config: { root: '/tmp' } } })
    const { sqlite } = server.app.headgate.platform.store
    const start = () => editor.post(`/api/runs/trigger/${id}`, { connector_mapping: { out: out.id } })
    sqlite.exec("CREATE TRIGGER no_records BEFORE INSERT ON audit_records BEGIN SELECT RAISE(ABORT, 'No records'); END")
    try {
      expect((await start()).status).toBe(500)
    } finally {
      sqlite.exec('DROP TRIGGER no_records')
    }
    expect((await editor.call(listRuns, { query: { task_id: [id] } })).result).toEqual([])
    expect((await start()).status).toBe(201)
    expect(await newest({ operation: ['triggerRun'] })).toMatchObject({ outcome: 'ok', status: 201 })
  })

  test('a job is what is made within a template', async () => {
    await editor.call(createTask, { body: { yaml_content: yaml('of_the_template') } })
    const text = [
      'etl: 1\nkind: job\nname: nightly\nconnectors: {out: {type: file, access: write}}',
      'tasks: {one: {task: of_the_template, connectors: {out: out}}}\n',
    ].join('\n')
    const template = await editor.call(createJobTemplate, { body: { yaml_content: text } })
    const out = await admin.call(createConnector, { body: { name: 'o', type: 'file', config: { root: '/tmp' } } })
    const body = { name: 'Nightly in Oslo', connector_mapping: { out: out.id } }
    const job = await editor.call(createJob, { params: { id: template.id }, body })
    expect(await newest({ operation: ['createJob'] })).toMatchObject({
      entity: 'job',
      entity_id: job.id,
      entity_name: 'Nightly in Oslo',
      before_digest: null,
      after_digest: expect.any(String) as unknown,
    })
  })

  test('a refusal is recorded with its code, also one at the door', async () => {
    await server.as('viewer').post('/api/tasks', { yaml_content: yaml('no') })
    expect(await newest({ outcome: ['refused'] })).toMatchObject({
      operation: 'createTask',
      status: 403,
      error: 'FORBIDDEN',
    })
    await editor.put('/api/tasks/424242', { yaml_content: yaml('no') })
    expect(await newest({ outcome: ['refused'] })).toMatchObject({
      operation: 'updateTask',
      entity_id: 424_242,
      status: 404,
      error: 'NOT_FOUND',
    })
    await editor.patch('/api/tasks/1.5/archive')
    expect(await newest({ outcome: ['refused'] })).toMatchObject({
      operation: 'archiveTask',
      status: 400,
      entity_id: null,
    })
    await editor.patch('/api/tasks/x/archive')
    expect(await newest({ outcome: ['refused'] })).toMatchObject({
      operation: 'archiveTask',
      status: 400,
      entity_name: 'x',
    })
    for (const id of ['1.5', '1e300', '-1', '99999999999999999999']) {
      await editor.patch(`/api/tasks/${id}/archive`)
      const noted = await newest({ outcome: ['refused'] })
      expect(noted).toMatchObject({ operation: 'archiveTask', path: `/api/tasks/${id}/archive`, entity_id: null })
      expect(Number(noted.entity_name)).toBe(Number(id))
    }
  })

  test('a sign-in is, right or wrong, by the name that was given', async () => {
    await signIn(server, account)
    expect(await newest({ operation: ['login'] })).toMatchObject({
      actor: 'anonymous',
      username: 'ada',
      outcome: 'ok',
      status: 200,
    })
    expect((await newest({ operation: ['login'] })).user_id).toBe(1)
    await server.client.post('/api/auth/login', { ...account, password: 'wrong password' })
    expect(await newest({ operation: ['login'] })).toMatchObject({
      username: 'ada',
      user_id: null,
      outcome: 'refused',
      status: 401,
      error: 'AUTH_ERROR',
    })
  })

  test('what somebody does to his own account is about that account', async () => {
    const { cookie } = await signIn(server, account)
    const ada = server.client.with({ cookie, origin: server.url })
    await ada.put('/api/users/me', { display_name: 'Ada' })
    const about = { entity: 'user', entity_id: 1, entity_name: 'ada' }
    expect(await newest({ operation: ['updateOwnUser'] })).toMatchObject(about)
    await ada.post('/api/users/me/password', { current_password: 'wrong', new_password: 'a new good password' })
    expect(await newest({ operation: ['changeOwnPassword'] })).toMatchObject({ ...about, outcome: 'refused' })
    await ada.post('/api/auth/verify-totp', { code: '123456' })
    expect(await newest({ operation: ['verifyTotp'] })).toMatchObject({ ...about, outcome: 'refused' })
  })

  test('what a hook was called with stays secret', async () => {
    await server.client.post(`/api/hooks/${'g'.repeat(43)}`)
    expect(await newest({ operation: ['callHook'] })).toMatchObject({
      path: '/api/hooks/…',
      entity: 'hook',
      entity_name: null,
      status: 404,
    })
  })

  test('what the server does by itself is, too', async () => {
    server.platform.audit.system({ operation: 'scheduledBackup', entity: 'backup', entity_name: 'a.db' })
    expect(await newest()).toMatchObject({ actor: 'system', username: 'Headgate', entity_name: 'a.db', status: 0 })
  })
})

describe('what is not recorded', () => {
  test('reading, checking, and whoever says nothing of himself', async () => {
    const before = await newest()
    await editor.get('/api/tasks')
    await editor.call(validateTask, { body: { yaml_content: yaml('checked') } })
    await server.client.post('/api/tasks', { yaml_content: yaml('nobody') })
    expect((await newest()).id).toBe(before.id)
  })

  test('a stranger who floods what is open to everybody, but for the first of it', async () => {
    const total = async () => (await admin.call(listAudit, { query: { operation: ['login'], limit: 1 } })).total
    const before = await total()
    await Promise.all(Array.from({ length: 60 }, () => server.client.post('/api/auth/login', {})))
    const noted = (await total()) - before
    expect(noted).toBeGreaterThan(0)
    expect(noted).toBeLessThan(30)
    await server.client.post('/api/auth/login', { ...account, password: 'a wrong one' })
    expect(await newest({ operation: ['login'] })).toMatchObject({ status: 401, username: 'ada' })
  })

  test('a change that is rolled back leaves its refusal alone', async () => {
    await editor.call(createTask, { body: { yaml_content: yaml('taken') } })
    const before = await newest()
    expect((await editor.post('/api/tasks', { yaml_content: yaml('taken') })).status).toBe(409)
    const added = (await records({ limit: 5 })).filter(({ id }) => id > before.id)
    expect(added).toMatchObject([{ operation: 'createTask', outcome: 'refused', error: 'CONFLICT' }])
  })

  test('no secret: neither in the records nor in what they are exported as', async () => {
    const password = 'canary-of-the-audit-log'
    const config = { host: 'localhost', port: 5432, database: 'd', user: 'u' }
    await admin.call(createConnector, { body: { name: 'db', type: 'postgres', config, secrets: { password } } })
    const answer = await admin.get(exportAudit.path)
    expect(answer.status).toBe(200)
    expect(JSON.stringify(answer.body)).not.toContain(password)
  })
})

describe('the log', () => {
  test('is filtered by user, record, outcome, time and words', async () => {
    const made = await newest({ operation: ['createTask'], outcome: ['ok'] })
    const all = await records({ limit: 200 })
    const ids = async (query: QueryOf<typeof listAudit>) =>
      (await records({ ...query, limit: 200 })).map(({ id }) => id)
    const those = (wanted: (record: AuditRecord) => boolean) => all.filter(wanted).map(({ id }) => id)
    expect(await ids({ user_id: [made.user_id ?? 0] })).toEqual(those(({ user_id }) => user_id === made.user_id))
    expect(await ids({ user_id: [made.user_id ?? 0, 999] })).toEqual(those(({ user_id }) => user_id === made.user_id))
    expect(await ids({ entity: 'task', entity_id: made.entity_id ?? 0 })).toEqual(
      those(({ entity, entity_id }) => entity === 'task' && entity_id === made.entity_id),
    )
    expect(await ids({ outcome: ['refused'] })).toEqual(those(({ outcome }) => outcome === 'refused'))
    expect(await ids({ from: made.at, to: made.at })).toEqual([])
    expect(await ids({ q: 'HEADGATE' })).toEqual(those(({ username }) => username === 'Headgate'))
    server.platform.audit.system({ operation: 'test', entity_name: 'Žluťoučký kůň' })
    expect(await records({ q: 'žLUŤOUČKÝ' })).toMatchObject([{ entity_name: 'Žluťoučký kůň' }])
    expect(
      (await admin.call(listAudit, { query: { outcome: ['ok'], operation: ['createTask'], limit: 1 } })).total,
    ).toBe(those(({ outcome, operation }) => outcome === 'ok' && operation === 'createTask').length)
  })

  test('is read oldest first, page by page, where that is asked for', async () => {
    const query: QueryOf<typeof listAudit> = { order: 'asc', operation: ['createTask'], limit: 2 }
    const first = await admin.call(listAudit, { query })
    const next = await admin.call(listAudit, { query: { ...query, cursor: first.nextCursor ?? '' } })
    const newestFirst = (await records({ operation: ['createTask'], limit: 200 })).map(({ id }) => id)
    expect([...first.result, ...next.result].map(({ id }) => id)).toEqual(newestFirst.toReversed().slice(0, 4))
  })

  test('is exported whole, oldest first, and only by an admin', async () => {
    const answer = await fetch(new URL(exportAudit.path, server.url), { headers: admin.headers })
    expect(answer.headers.get('content-type')).toContain('application/x-ndjson')
    const lines = (await answer.text()).trimEnd().split('\n')
    // Each line is a record.
    const ids = lines.map((line) => (JSON.parse(line) as AuditRecord).id)
    expect(ids).toEqual(ids.map((_, index) => index + 1))
    // That it was taken out is recorded itself.
    expect(await newest()).toMatchObject({ operation: 'exportAudit', method: 'GET' })
    expect((await editor.get(exportAudit.path)).status).toBe(403)
    expect((await editor.get(listAudit.path)).status).toBe(403)
  })

  test('is unbroken after all this, and the store itself refuses to change it', async () => {
    const verdict = await admin.call(verifyAudit)
    expect(verdict).toMatchObject({ ok: true, first_broken_id: null })
    expect(verdict.records).toBe((await newest()).id)
    const { sqlite } = server.platform.store
    expect(() => sqlite.exec("UPDATE audit_records SET username = 'eve' WHERE id = 2")).toThrow('never change')
    expect(() => sqlite.exec('DELETE FROM audit_records')).toThrow('never removed')
  })

  test('says where it was changed behind its back', async () => {
    const { sqlite } = server.platform.store
    sqlite.exec('DROP TRIGGER audit_records_never_change')
    const { username } = sqlite
      .prepare<[], { username: string }>('SELECT username FROM audit_records WHERE id = 3')
      .get()!
    sqlite.exec("UPDATE audit_records SET username = 'eve' WHERE id = 3")
    expect(await admin.call(verifyAudit)).toMatchObject({
      ok: false,
      records: 2,
      first_broken_id: 3,
      reason: 'Record 3 is not what was written',
    })
    sqlite.prepare('UPDATE audit_records SET username = ? WHERE id = 3').run(username)
    expect((await admin.call(verifyAudit)).ok).toBe(true)
  })
})

test('records of many at once stand in one unbroken chain', async () => {
  await Promise.all(
    Array.from({ length: 40 }, (_, n) => editor.post('/api/tasks', { yaml_content: yaml(`parallel_${n}`) })),
  )
  expect(await admin.call(verifyAudit)).toMatchObject({ ok: true })
})
