import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { type Connector, testConnectorById, updateConnector } from '../../../src/contract/connectors.ts'
import { createNotification, testNotification } from '../../../src/contract/notifications.ts'
import { type Run, getRun, triggerRun } from '../../../src/contract/runs.ts'
import { createTask } from '../../../src/contract/tasks.ts'
import { fakeExecutor } from '../runs/fake-executor.ts'
import { type SecretsWorld, secretsFolder } from './secrets-world.ts'

const yaml_content = `etl: 1
kind: pipeline
name: lost.key
connectors:
  db: {type: postgres, access: read}
  out: {type: file, access: write}
source: {connector: db, sql: {query: SELECT 1 AS n}}
target: {connector: out, file: {path: orders.csv}}
`
const config = { host: '127.0.0.1', port: 9, database: 'sales', user: 'etl' }

/** A start with a connector, a task and a channel that have secrets, then another one without their key. */
async function lost() {
  const folder = secretsFolder()
  const first = await folder.start()
  const connector = await first.connector('warehouse', { password: 'p' })
  const out = await first.root.post('/api/connectors', { name: 'out', type: 'file', config: { root: tmpdir() } })
  const task = await first.root.call(createTask, { body: { yaml_content } })
  const hook = { url: 'http://127.0.0.1:9/' }
  const channel = await first.root.call(createNotification, {
    body: { name: 'hook', type: 'webhook', config: hook, secrets: { signing_secret: 's3cret' } },
  })
  const sealed = first.sealedOf('warehouse')
  await folder.stop()
  const key = readFileSync(folder.keyFile, 'utf8')
  rmSync(folder.keyFile)
  const logged: string[] = []
  const world = await folder.start({ onLog: (line) => logged.push(line) })
  // Just made.
  const mapping = { db: connector.id, out: (out.body as Connector).id }
  return { folder, world, connector, task, channel, mapping, sealed, key, logged }
}
const save = ({ root }: SecretsWorld, { id }: Connector, body: object) =>
  root.put(`/api/connectors/${id}`, { name: 'warehouse', type: 'postgres', config, ...body })

test('the server starts, says which secrets are lost and what to do, and everything else is there', async () => {
  const { folder, world, connector, channel, logged } = await lost()
  const state = await world.state()
  expect(state).toMatchObject({
    key_place: 'file',
    sealed: 2,
    lost: [
      { kind: 'connector', id: connector.id, name: 'warehouse', secrets: ['password'] },
      { kind: 'notification', id: channel.id, name: 'hook', secrets: ['signing_secret'] },
    ],
  })
  expect(state.remedy).toBe(
    `Put the key back on its own line in ${folder.keyFile} and start Headgate again, or enter them again.`,
  )
  const warning = logged.find((line) => line.includes('Secrets cannot be read'))
  expect(warning).toContain('connector warehouse: password')
  const page = (await world.root.get('/api/connectors?q=warehouse')).body as { result: Connector[] }
  expect(page.result[0]!.secrets).toEqual({ password: { set: false } })
  const { db } = world.server.platform.store
  expect(db.all(sql`SELECT data FROM events WHERE type = 'server.changed'`)).toContainEqual({
    data: '{"what":"secrets"}',
  })
})

test('whatever needs a lost secret fails with a message that names it, never with an internal error', async () => {
  const { world, connector, task, channel, mapping } = await lost()
  const message =
    'password of the connector warehouse can’t be read because the key they were encrypted with is missing. Enter them again.'
  const tested = await world.root.call(testConnectorById, { params: { id: connector.id } })
  expect(tested).toMatchObject({ ok: false, checks: [{ name: 'secrets', ok: false }] })
  expect(tested.checks[0]!.message).toContain('password cannot be read')
  const resources = await world.root.get(`/api/connectors/${connector.id}/resources`)
  expect([resources.status, resources.body]).toMatchObject([502, { error: 'CONNECTOR_ERROR', message }])
  const run = await world.root.call(triggerRun, { params: { taskId: task.id }, body: { connector_mapping: mapping } })
  const executor = await fakeExecutor(world.server)
  expect((await executor.claim()).runs).toEqual([])
  const ended: Run = await world.root.call(getRun, { params: { id: run.id } })
  expect(ended).toMatchObject({ status: 'failed', error_code: 'CONNECTOR_ERROR', error_message: message })
  const delivery = await world.root.call(testNotification, { params: { id: channel.id } })
  expect(delivery).toMatchObject({ status: 'failed' })
  expect(delivery.error_message).toContain('signing_secret of the channel hook can’t be read')
})

test('what is saved without touching lost secrets keeps them; entering them again heals', async () => {
  const { world, connector, sealed } = await lost()
  expect((await save(world, connector, { description: 'Changed' })).status).toBe(200)
  expect(world.sealedOf('warehouse')).toBe(sealed)
  const healed = await world.root.call(updateConnector, {
    params: { id: connector.id },
    body: { name: 'warehouse', type: 'postgres', config, secrets: { password: 'again' } },
  })
  expect(healed.secrets).toEqual({ password: { set: true } })
  expect(world.secretsOf(connector.id)).toEqual({ password: 'again' })
  expect((await world.state()).lost.map(({ name }) => name)).toEqual(['hook'])
})

test('a save that would drop a lost secret unsaid is refused at its name; null takes it away', async () => {
  const { world, connector } = await lost()
  const refused = await save(world, connector, { secrets: {} })
  expect(refused.body).toMatchObject({
    error: 'VALIDATION_ERROR',
    details: [
      { path: 'request' },
      { path: 'body.secrets.password', message: expect.stringContaining('Enter it again') as string },
    ],
  })
  const taken = await save(world, connector, { secrets: { password: null } })
  expect(taken.body).toMatchObject({ secrets: {} })
  expect((await world.state()).lost.map(({ name }) => name)).toEqual(['hook'])
})

test('a new key replaces the one of this start, and what is lost stays as it is', async () => {
  const { world, sealed } = await lost()
  expect((await world.rotate()).lost).toHaveLength(2)
  expect(world.sealedOf('warehouse')).toBe(sealed)
})

test('a key that is put back opens them again, beside what was sealed meanwhile', async () => {
  const { folder, world, connector, key } = await lost()
  const other = await world.connector('other', { password: 'new' })
  await folder.stop()
  appendFileSync(folder.keyFile, key)
  const again = await folder.start()
  expect((await again.state()).lost).toEqual([])
  expect([again.secretsOf(connector.id), again.secretsOf(other.id)]).toEqual([{ password: 'p' }, { password: 'new' }])
  await again.rotate()
  expect([again.secretsOf(connector.id), again.secretsOf(other.id)]).toEqual([{ password: 'p' }, { password: 'new' }])
})

test('a file that holds no key stops the start', async () => {
  const { folder } = await lost()
  await folder.stop()
  writeFileSync(folder.keyFile, 'no key\n')
  await expect(folder.start()).rejects.toThrow(/does not hold keys/)
})
