import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { startHookWorld } from './hook-world.ts'
import { channels, endOf, tell } from './notification-world.ts'
import { type Received, startHookReceiver } from './receivers.ts'

const minute = 60_000
const { clock, server, admin, hook, settled, create, deliveries, only, switchOff, reset, close } =
  await startHookWorld()
beforeEach(reset)
afterAll(close)

/** As docs/notifications.md tells receivers to. */
function verified({ headers, body }: Received, secret: string): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-headgate-signature'])) ?? []
  return v1 === createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
}

describe('a webhook', () => {
  test('is told in JSON, signed, with the number of its delivery', async () => {
    const channel = await create({
      secrets: { signing_secret: 'märz 31' },
      config: { url: hook.url, headers: { 'X-Team': 'data' } },
    })
    const end = endOf({ job_name: 'näch"tly\u2028\u0000 🚂', failed_task_keys: ['load', 'check'] })
    tell(server, end)
    await settled()
    const delivery = await only(channel)
    expect(delivery).toMatchObject({
      event: 'failed',
      job_id: end.job_id,
      job_run_id: end.id,
      status: 'delivered',
      attempts: 1,
      next_attempt_at: null,
      error_message: null,
    })
    const [got] = hook.received
    expect(got!.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-headgate-event': 'failed',
      'x-headgate-delivery': String(delivery.id),
      'x-team': 'data',
    })
    expect(verified(got!, 'märz 31')).toBe(true)
    expect(verified({ ...got!, body: got!.body.replace('load', 'lo4d') }, 'märz 31')).toBe(false)
    expect(hook.bodies()[0]).toEqual({
      event: 'failed',
      job: { id: end.job_id, name: end.job_name },
      job_run: {
        id: end.id,
        status: 'failed',
        logical_date: end.logical_date,
        trigger_type: 'cron',
        started_at: end.started_at,
        completed_at: end.completed_at,
        duration_ms: 300_000,
        path: `/job-runs/${end.id}`,
      },
      failed_task_keys: ['load', 'check'],
      error_message: end.error_message,
      occurred_at: end.completed_at,
      delivery_id: delivery.id,
    })
    await switchOff(channel)
  })

  test('without a signing secret carries no signature; the secret authorization is its header', async () => {
    const channel = await create({ secrets: { authorization: 'Bearer abc' } })
    expect(await channels(admin).test(channel)).toMatchObject({ event: 'test', status: 'delivered', attempts: 1 })
    expect(hook.received[0]!.headers).toMatchObject({ authorization: 'Bearer abc', 'x-headgate-event': 'test' })
    expect(hook.received[0]!.headers).not.toHaveProperty('x-headgate-signature')
    await switchOff(channel)
  })

  test('that answers 500 is asked again after 1, 2, 4 … minutes, under the same number, and then has failed', async () => {
    hook.reply({ status: 500 })
    const channel = await create()
    tell(server, endOf())
    await settled()
    for (let attempt = 1; attempt < 8; attempt++) {
      const due = new Date(clock.now().getTime() + minute * 2 ** (attempt - 1)).toISOString()
      expect(await only(channel)).toMatchObject({ status: 'pending', attempts: attempt, next_attempt_at: due })
      clock.advance(minute * 2 ** (attempt - 1) - 1)
      await settled()
      expect(hook.received).toHaveLength(attempt)
      clock.advance(1)
      await settled()
    }
    expect(await only(channel)).toMatchObject({
      status: 'failed',
      attempts: 8,
      next_attempt_at: null,
      error_message: 'The receiver answered 500',
    })
    clock.advance(24 * 60 * minute)
    await settled()
    expect(hook.received).toHaveLength(8)
    expect(new Set(hook.received.map(({ headers }) => headers['x-headgate-delivery'])).size).toBe(1)
    expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1)
    await switchOff(channel)
  })

  test.each([
    'http://169.254.169.254/latest',
    'http://[::ffff:169.254.169.254]/',
    'http://0251.0376.0251.0376/',
    'http://[64:ff9b::a9fe:a9fe]/',
    'http://metadata.google.internal/',
  ])('nothing is sent to %s, where clouds give out credentials', async (url) => {
    const channel = await create({ config: { url } })
    tell(server, endOf({}))
    await settled()
    expect(await only(channel)).toMatchObject({
      status: 'pending',
      attempts: 1,
      error_params: { reason: 'receiver_address_refused' },
    })
    await switchOff(channel)
  })

  test.each([
    { status: 410, final: true },
    { status: 404, final: true },
    { status: 401, final: true },
    { status: 408, final: false },
    { status: 429, final: false },
    { status: 503, final: false },
    { status: 302, headers: { location: '/elsewhere' }, final: false },
  ])('that answers $status: is that for good? $final', async ({ final, ...reply }) => {
    hook.reply(reply)
    const channel = await create()
    tell(server, endOf())
    await settled()
    expect(await only(channel)).toMatchObject({ status: final ? 'failed' : 'pending', attempts: 1 })
    expect(hook.received.map(({ path }) => path)).toEqual(['/hooks/headgate'])
    await switchOff(channel)
  })

  test.each([
    ['600', 600_000],
    ['10', minute],
    ['99999999', 24 * 60 * minute],
    ['Sun, 01 Mar 2099 08:00:00 GMT', 24 * 60 * minute],
    ['nonsense', minute],
  ])('that asks with Retry-After %s to wait is asked again then, within a minute and a day', async (after, ms) => {
    hook.reply({ status: 429, headers: { 'retry-after': after } })
    const channel = await create()
    tell(server, endOf())
    await settled()
    const { next_attempt_at } = await only(channel)
    expect(Date.parse(next_attempt_at!) - clock.now().getTime()).toBe(ms)
    await switchOff(channel)
  })

  test('that hangs up, or is not there, is tried again, and the reason is told', async () => {
    hook.reply('hang up')
    const channel = await create()
    const nobody = await startHookReceiver()
    await nobody.close()
    const gone = await channels(admin).create({ config: { url: nobody.url } })
    tell(server, endOf())
    await settled()
    expect(await only(channel)).toMatchObject({
      status: 'pending',
      error_message: 'The other side closed the connection',
    })
    expect(await only(gone)).toMatchObject({
      status: 'pending',
      error_message: 'Nothing is listening on this address and port',
    })
    await switchOff(channel)
    await switchOff(gone)
  })

  test('with an answer that is huge has been told all the same', async () => {
    hook.reply({ status: 200, body: 'x'.repeat(5_000_000) })
    const channel = await create()
    expect(await channels(admin).test(channel)).toMatchObject({ status: 'delivered' })
    await switchOff(channel)
  })

  test('that is slow keeps no other channel waiting, and its own deliveries come in their order', async () => {
    const slow = await startHookReceiver()
    slow.reply('silence')
    const stuck = await channels(admin).create({ config: { url: slow.url } })
    const channel = await create()
    const ends = [endOf(), endOf(), endOf()]
    for (const end of ends) tell(server, end)
    await expect.poll(() => hook.received.length).toBe(3)
    expect(hook.bodies().map(({ job_run }) => (job_run as { id: number }).id)).toEqual(ends.map(({ id }) => id))
    await expect.poll(() => slow.received.length).toBe(1)
    // It hangs up, and so does everybody who waits for it.
    await slow.close()
    await settled()
    expect((await deliveries(stuck)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending'])
    await switchOff(stuck)
    await switchOff(channel)
  })
})
