/** A database file that is taken away from under a running server: nothing that is answered with success is lost. */
import { copyFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startTestServer } from '../../support/server.ts'

const patience = { timeout: 60_000, interval: 100 }

async function start() {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const admin = server.as('admin')
  const health = async () => (await server.client.get('/api/health')).body
  const write = (n: number) => admin.put(`/api/pools/pool_${n}`, { slots: 2 })
  return { server, health, write, file: join(server.dataDir, 'headgate.db') }
}

const moved = { status: 'degraded', message: expect.stringContaining('was moved, replaced, or removed') }

describe.each<[string, (file: string) => void]>([
  [
    'replaced by something else',
    (file) => (writeFileSync(`${file}.new`, 'id,name\n'), renameSync(`${file}.new`, file)),
  ],
  ['replaced by a copy of itself', (file) => (copyFileSync(file, `${file}.new`), renameSync(`${file}.new`, file))],
  ['removed', (file) => rmSync(file)],
  ['without its log', (file) => rmSync(`${file}-wal`)],
])('a store that is %s', (_name, harm) => {
  test('is told by health, and takes nothing that would be lost', async () => {
    const { health, write, file } = await start()
    expect((await write(1)).status).toBeLessThan(300)
    expect(await health()).toMatchObject({ checks: { database: { status: 'ok' } } })
    harm(file)
    expect(await write(2)).toMatchObject({ status: 503, body: { error: 'UNAVAILABLE', message: moved.message } })
    expect(await health()).toMatchObject({ status: 'degraded', checks: { database: moved } })
  })
})

test('health notices it before anything is written', async () => {
  const { health, file } = await start()
  renameSync(file, `${file}.gone`)
  expect(await health()).toMatchObject({
    status: 'degraded',
    checks: { database: moved, disk: { status: 'degraded' } },
  })
})

test('a store that is put back is written again', async () => {
  const { server, health, write, file } = await start()
  const admin = server.as('admin')
  renameSync(file, `${file}.gone`)
  expect((await write(1)).status).toBe(503)
  expect((await admin.get('/api/pools')).status).toBe(200)
  renameSync(`${file}.gone`, file)
  await vi.waitFor(async () => expect((await write(2)).status).toBeLessThan(300), patience)
  await vi.waitFor(
    async () =>
      expect(await health()).toMatchObject({ checks: { database: { status: 'ok' }, disk: { status: 'ok' } } }),
    patience,
  )
  const { body } = await admin.get('/api/pools')
  expect((body as { name: string }[]).map(({ name }) => name)).toContain('pool_2')
})
