import { executorProtocolVersion } from '../../../src/contract/executor-lifecycle.ts'
import { expect, test } from 'vitest'
import { LOW_DISK_BYTES, diskCheck, executorsCheck, overall } from '../../../src/server/features/health/health.rules.ts'
import { startTestServer } from '../../support/server.ts'

test('health is public, names each part, and is degraded while no executor is online', async () => {
  const server = await startTestServer()
  expect(await server.client.get('/api/health')).toMatchObject({
    status: 200,
    body: {
      status: 'degraded',
      version: server.platform.version,
      uptime_ms: expect.any(Number),
      checks: {
        database: { status: 'ok' },
        scheduler: { status: 'ok' },
        executors: { status: 'degraded', message: 'No executor is online: runs wait' },
        disk: { status: 'ok' },
      },
    },
  })
  const body = {
    name: 'one',
    version: '1',
    protocol: executorProtocolVersion,
    capabilities: [],
    slots: 1,
    instance: 'i',
  }
  expect((await server.asExecutor().post('/api/executors/register', body)).status).toBe(200)
  expect((await server.client.get('/api/health')).body).toMatchObject({
    status: 'ok',
    checks: { executors: { status: 'ok' } },
  })
  await server.close()
})

test('little space and lost executors are told with their amount', () => {
  expect(diskCheck(LOW_DISK_BYTES, null)).toEqual({ status: 'ok' })
  expect(diskCheck(LOW_DISK_BYTES - 1, null)).toEqual({
    status: 'degraded',
    message: 'Only 199 MiB are free in the data folder',
  })
  expect(executorsCheck({ online: 1, lost: 0 })).toEqual({ status: 'ok' })
  expect(executorsCheck({ online: 1, lost: 2 })).toEqual({ status: 'degraded', message: '2 executors are lost' })
  expect(overall([{ status: 'ok' }, { status: 'degraded' }])).toBe('degraded')
  expect(overall([{ status: 'ok' }])).toBe('ok')
})

test('server info tells admins where the data are and how large, and holds no secret', async () => {
  const server = await startTestServer({
    config: {
      ai: {
        provider: 'openai',
        baseUrl: null,
        model: null,
        apiKey: 'canary-ai-key',
        rows: 'never',
        dailyTokens: 0,
        prices: new Map(),
        currency: 'USD',
      },
    },
  })
  const { body, status } = await server.as('admin').get('/api/server/info')
  expect(status).toBe(200)
  expect(body).toMatchObject({
    version: server.platform.version,
    interface_version: '1.0.0',
    data_dir: server.dataDir,
    // Beside the data folder: no connector may reach into it.
    demo_database: `${server.dataDir}-demo.db`,
    pid: process.pid,
    node: process.versions.node,
    ai_configured: true,
    totp_required: false,
    database: { path: server.platform.databaseFile, schema_version: server.platform.schemaVersion },
  })
  const { memory_bytes, database } = body as { memory_bytes: number; database: { bytes: number } }
  expect(memory_bytes).toBeGreaterThan(1_000_000)
  expect(database.bytes).toBeGreaterThan(100_000)
  expect(JSON.stringify(body)).not.toContain('canary')
  await server.close()
})
