import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'
import { startHookWorld } from './hook-world.ts'
import { channels, endOf, tell } from './notification-world.ts'
import { startHookReceiver } from './receivers.ts'

const { server, admin, hook, settled, create, deliveries, only, switchOff, reset, close } = await startHookWorld()
beforeEach(reset)
afterAll(close)

describe('a failed delivery', () => {
  test('is sent again when somebody asks, with all its attempts; one that arrived is not', async () => {
    hook.reply({ status: 410 }, { status: 204 })
    const channel = await create()
    tell(server, endOf())
    await settled()
    const { id } = await only(channel)
    const path = `/api/notifications/${channel.id}/deliveries/${id}/retry`
    expect((await admin.post(path)).body).toMatchObject({ id, status: 'pending', attempts: 0 })
    await settled()
    expect(await only(channel)).toMatchObject({ status: 'delivered', attempts: 1, error_message: null })
    expect((await admin.post(path)).body).toMatchObject({ error: 'INVALID_STATE' })
    const other = await create()
    expect((await admin.post(`/api/notifications/${other.id}/deliveries/${id}/retry`)).status).toBe(404)
    await switchOff(channel)
    expect((await admin.post(path)).body).toMatchObject({ error: 'INVALID_STATE' })
    await switchOff(other)
  })

  test('is what waits in a channel that is switched off becomes', async () => {
    hook.reply({ status: 500 })
    const channel = await create()
    tell(server, endOf())
    await settled()
    await switchOff(channel)
    expect(await only(channel)).toMatchObject({ status: 'failed', error_message: 'The channel was switched off' })
    tell(server, endOf())
    expect(await deliveries(channel)).toHaveLength(1)
  })

  test('does not keep its channel from being deleted, even while it is being sent', async () => {
    const slow = await startHookReceiver()
    slow.reply('silence')
    const channel = await channels(admin).create({ config: { url: slow.url } })
    tell(server, endOf())
    await expect.poll(() => slow.received.length).toBe(1)
    expect((await admin.delete(`/api/notifications/${channel.id}`)).status).toBe(200)
    await slow.close()
    await settled()
    expect((await admin.get(`/api/notifications/${channel.id}`)).status).toBe(404)
  })
})

test('of each channel the newest 1,000 are kept, and all that still wait', async () => {
  const slow = await startHookReceiver()
  slow.reply('silence')
  const channel = await channels(admin).create({ config: { url: slow.url } })
  const total = async () =>
    (
      (await admin.get(`/api/notifications/${channel.id}/deliveries`, { query: { limit: 1 } })).body as {
        total: number
      }
    ).total
  server.platform.store.transaction(() => {
    for (let n = 0; n < 1_010; n++) server.services.notifications.jobRunEnded(endOf())
  })
  expect(await total()).toBe(1_010)
  await switchOff(channel)
  await slow.close()
  await settled()
  await channels(admin).test(channel)
  expect(await total()).toBe(1_000)
})

test('what was not sent when the server ended is sent by the next one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'headgate-notify-'))
  const slow = await startHookReceiver()
  slow.reply('silence')
  try {
    const first = await startTestServer({ dataDir })
    const channel = await channels(first.as('admin')).create({ config: { url: slow.url } })
    const [failed, after] = [endOf(), endOf()]
    tell(first, failed)
    tell(first, after)
    // Also a test whose answer nobody has heard.
    const tested = first.as('admin').post(`/api/notifications/${channel.id}/test`)
    await expect.poll(() => slow.received.length).toBe(2)
    await Promise.all([first.close(), tested.catch(() => undefined)])
    slow.reply({ status: 204 })
    const second = await startTestServer({ dataDir })
    await second.services.notifications.settled()
    const all = await channels(second.as('superadmin')).deliveries(channel)
    expect(all.map(({ event, status, job_run_id }) => [event, status, job_run_id])).toEqual([
      ['failed', 'delivered', failed.id],
      ['failed', 'delivered', after.id],
      ['test', 'failed', null],
    ])
    // Nothing was kept of the attempt that nobody has seen the end of: the receiver knows it by its number.
    expect(all.map(({ attempts }) => attempts)).toEqual([1, 1, 0])
    const numbers = slow.received.map(({ headers }) => headers['x-headgate-delivery'])
    expect(numbers.filter((number) => number === String(all[0]!.id))).toHaveLength(2)
    await second.close()
  } finally {
    await slow.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
})
