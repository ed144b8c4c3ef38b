import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Run } from '../../../src/contract/runs.ts'
import { isGone } from '../../support/processes.ts'
import { openSse } from '../../support/sse.ts'
import { callYaml, createFolder, keyHolder, startHeldCalls, timesReady } from './server-world.ts'

const patient = { timeout: 120_000 }

test('a server starts anew in its process, where it was; its executor stays and the run under way ends well', async () => {
  const { start } = createFolder()
  const calls = await startHeldCalls()
  const server = start()
  const client = await keyHolder(server)
  const { url } = await server.ready
  const made = await client.post('/api/connectors', {
    name: 'held',
    type: 'http',
    config: { base_url: calls.url, allow_private: true },
  })
  const { id: api } = made.body as { id: number }
  const { id: task } = (await client.post('/api/tasks', { yaml_content: callYaml })).body as { id: number }
  const run = await client.post(`/api/runs/trigger/${task}`, { connector_mapping: { api } })
  const { id } = run.body as Run
  await expect.poll(calls.waiting, patient).toBe(1)
  const events = await openSse(`${url}/api/events`, client.headers)
  const executors = () =>
    server.stderr.flatMap((line) =>
      line.includes('local executor is ready') ? [(JSON.parse(line) as { pid: number }).pid] : [],
    )
  const [executor] = executors()

  expect(await client.post('/api/server/restart')).toMatchObject({ status: 200, body: { success: true } })
  await events.ended
  await expect.poll(() => timesReady(server), patient).toBe(2)
  expect(JSON.parse(server.stdout[1]!)).toMatchObject({ url, pid: server.pid })
  const again = await openSse(`${url}/api/events`, client.headers)
  expect(again.status).toBe(200)
  calls.release()
  const status = async () => ((await client.get(`/api/runs/${id}`)).body as Run).status
  await expect.poll(status, patient).toBe('success')
  expect((await client.get(`/api/runs/${id}`)).body).toMatchObject({ attempt: 1 })
  expect(executors()).toEqual([executor])
  expect(isGone(executor!)).toBe(false)
  again.close()
  server.kill('SIGTERM')
  expect(await server.exited).toEqual({ code: 0, signal: null })
  await expect.poll(() => isGone(executor!)).toBe(true)
}, 300_000)

test('settings hold as they are written; with a mistake in them the server says so and stays up', async () => {
  const { dataDir, start } = createFolder()
  const server = start(['--no-executor'])
  const client = await keyHolder(server)
  const settings = (text: string) => writeFileSync(join(dataDir, 'config.yaml'), text)
  settings('auth:\n  totp_required: perhaps\n')
  expect(await client.post('/api/server/restart')).toMatchObject({
    status: 400,
    body: { error: 'INVALID_STATE', message: expect.stringContaining('config.yaml:2:18 auth.totp_required') },
  })
  expect((await client.get('/api/server/info')).body).toMatchObject({ totp_required: false })
  settings('auth:\n  totp_required: true\n')
  expect((await client.post('/api/server/restart')).status).toBe(200)
  await expect.poll(() => timesReady(server), patient).toBe(2)
  expect((await client.get('/api/server/info')).body).toMatchObject({ totp_required: true })
}, 300_000)

test('settings with which it turns out not to start are left for those from before', async () => {
  const { dataDir, start } = createFolder()
  const server = start(['--no-executor'])
  const client = await keyHolder(server)
  // A known form, but no address of this computer.
  writeFileSync(join(dataDir, 'config.yaml'), 'server:\n  host: 203.0.113.7\n')
  expect((await client.post('/api/server/restart')).status).toBe(200)
  await expect.poll(() => timesReady(server), patient).toBe(2)
  expect((await client.get('/api/health')).status).toBe(200)
  expect(server.stderr.join('\n')).toContain('continues with the previous ones')
}, 300_000)

test('an owner hears of each start with the same executor key, and a drain in the middle of one ends it', async () => {
  const { start } = createFolder()
  const server = start(['--no-executor'], { ipc: true })
  const client = await keyHolder(server)
  const ready = () => server.messages.filter(({ event }) => event === 'ready')
  await client.post('/api/server/restart')
  server.child.send({ type: 'launch-token', id: 1 })
  await expect.poll(() => ready().length, patient).toBe(2)
  expect(ready()[1]).toEqual(ready()[0])
  await expect
    .poll(() => server.messages.find(({ event }) => event === 'launch-token'), patient)
    .toMatchObject({ id: 1, token: expect.any(String) })
  await client.post('/api/server/restart')
  server.child.send({ type: 'drain' })
  expect(await server.exited).toEqual({ code: 0, signal: null })
}, 300_000)
