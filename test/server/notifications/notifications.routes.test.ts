import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import { getNotification, listNotifications, updateNotification } from '../../../src/contract/notifications.ts'
import type { TestClient, TestServer } from '../../support/server.ts'
import { startTestServer } from '../../support/server.ts'
import { channelName, channels, endOf, tell } from './notification-world.ts'
import { type HookReceiver, startHookReceiver } from './receivers.ts'

let server: TestServer
let admin: TestClient
let hook: HookReceiver
const logged: string[] = []
beforeAll(async () => {
  server = await startTestServer({ onLog: (line) => logged.push(line) })
  admin = server.as('admin')
  hook = await startHookReceiver()
})
afterAll(async () => {
  await server.close()
  await hook.close()
})

const mail = { host: 'mail.example', port: 587, from: 'etl@example.com', to: ['ops@example.com'] }
const post = (body: object) => admin.post('/api/notifications', { name: channelName(), type: 'webhook', ...body })
/** What a refusal says, by path. */
async function refused(body: object): Promise<Record<string, string>> {
  const answer = await post(body)
  expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR' })
  const { details = [] } = answer.body as ErrorBody
  return Object.fromEntries(details.map(({ path, message }) => [path, message]))
}

describe('saving', () => {
  test('keeps what was given, and its answers agree', async () => {
    const name = channelName()
    const channel = await channels(admin).create({
      name: `  ${name} `,
      config: { url: hook.url, headers: { 'X-Team': 'data' } },
      secrets: { signing_secret: 'abc' },
      on: ['failed', 'late'],
    })
    expect(channel).toMatchObject({
      name,
      type: 'webhook',
      config: { url: hook.url, headers: { 'X-Team': 'data' } },
      secrets: { signing_secret: { set: true } },
      on: ['failed', 'late'],
      job_ids: null,
      enabled: 1,
      last_delivery: null,
      updated_at: null,
    })
    const params = { id: channel.id }
    expect(await admin.call(getNotification, { params })).toEqual(channel)
    expect((await admin.call(listNotifications)).result[0]).toEqual(channel)
    expect(server.services.notifications.channelNames()).toContain(name)
    const { status, created_at } = await channels(admin).test(channel)
    const { last_delivery } = await admin.call(getNotification, { params })
    expect(last_delivery).toMatchObject({ status })
    expect(last_delivery!.at >= created_at).toBe(true)
    await admin.delete(`/api/notifications/${channel.id}`)
  })

  test('changes what is given alone; a secret stays, is replaced, or is taken away by an empty text', async () => {
    const channel = await channels(admin).create({ config: { url: hook.url }, secrets: { signing_secret: 'a' } })
    const save = (body: object) => admin.call(updateNotification, { params: { id: channel.id }, body })
    expect(await save({ enabled: false, on: [] })).toMatchObject({
      name: channel.name,
      config: { url: hook.url },
      enabled: 0,
      on: [],
      secrets: { signing_secret: { set: true } },
    })
    expect(await save({ secrets: { authorization: 'b' } })).toMatchObject({
      secrets: { signing_secret: { set: true }, authorization: { set: true } },
    })
    expect((await save({ secrets: { signing_secret: '' } })).secrets).toEqual({ authorization: { set: true } })
    expect((await save({ job_ids: null, name: `${channel.name} 2` })).name).toBe(`${channel.name} 2`)
  })

  test.each([
    {
      what: 'a webhook',
      config: { url: 'https://hooks.example/a' },
      moved: { config: { url: 'https://elsewhere.example/a' } },
      near: { config: { url: 'https://hooks.example/b' } },
      secrets: { authorization: 'Bearer stored' },
    },
    {
      what: 'a webhook whose address becomes a secret',
      config: { url: 'https://hooks.example/a' },
      moved: { config: {}, secrets: { url: 'https://elsewhere.example/a' } },
      near: { config: {}, secrets: { url: 'https://hooks.example/b' } },
      secrets: { authorization: 'Bearer stored' },
    },
    {
      what: 'a chat',
      config: { format: 'slack' },
      moved: { secrets: { url: 'https://elsewhere.example/a' } },
      near: { secrets: { url: 'https://hooks.example/b' } },
      secrets: { url: 'https://hooks.example/a', authorization: 'Bearer stored' },
      again: { authorization: 'Bearer stored' },
    },
    {
      what: 'a mail server',
      type: 'email',
      config: { ...mail, user: 'etl' },
      moved: { config: { ...mail, user: 'etl', tls: 'none' } },
      near: { config: { ...mail, user: 'etl', tls: 'starttls', to: ['you@example.com'] } },
      secrets: { password: 'stored' },
    },
    {
      what: 'another mail server',
      type: 'email',
      config: { ...mail, user: 'etl' },
      moved: { config: { ...mail, user: 'etl', host: 'elsewhere.example' } },
      near: { name: 'Near' },
      secrets: { password: 'stored' },
    },
  ])('the secrets of $what go nowhere else unless they are entered again', async (given) => {
    const { what, config, moved, near, secrets, again = secrets, type = 'webhook' } = given
    const made = (await admin.post('/api/notifications', { name: channelName(), type, config, secrets, on: [] })).body
    const { id } = made as { id: number }
    const put = (body: object) => admin.put(`/api/notifications/${id}`, body)
    const before = await admin.get(`/api/notifications/${id}`)
    const refusal = await put(moved)
    expect([what, refusal.status, refusal.body]).toMatchObject([
      what,
      400,
      { details: Object.keys(again).map((name) => ({ path: `body.secrets.${name}`, code: 'secret_again' })) },
    ])
    expect((await admin.get(`/api/notifications/${id}`)).body).toEqual(before.body)
    expect((await put(near)).status).toBe(200)
    const all = { ...again, ...('secrets' in moved ? moved.secrets : {}) }
    expect((await put({ ...moved, secrets: all })).status).toBe(200)
    await admin.delete(`/api/notifications/${id}`)
  })

  test('is changed over what was read and nothing newer', async () => {
    const { id } = await channels(admin).create({ type: 'desktop', on: [] })
    const path = `/api/notifications/${id}`
    const etag = (await admin.get(path)).headers.get('etag')!
    const put = (on: string[]) => admin.put(path, { on }, { headers: { 'if-match': etag } })
    const saved = await put(['late'])
    expect(saved.status).toBe(200)
    expect((await admin.get(path)).headers.get('etag')).toBe(saved.headers.get('etag'))
    expect((await put(['failed'])).body).toMatchObject({ error: 'CONFLICT' })
    expect(await admin.call(getNotification, { params: { id } })).toMatchObject({ on: ['late'] })
    await admin.delete(path)
  })

  test('a taken name is refused, at creation and at renaming', async () => {
    const [one, two] = [
      await channels(admin).create({ type: 'desktop', on: [] }),
      await channels(admin).create({ type: 'desktop', on: [] }),
    ]
    expect((await post({ type: 'desktop', name: one.name })).body).toMatchObject({ error: 'CONFLICT' })
    expect((await admin.put(`/api/notifications/${two.id}`, { name: one.name })).status).toBe(409)
    expect((await admin.put(`/api/notifications/${two.id}`, { name: two.name })).status).toBe(200)
  })
})

describe('a mistake is told at its field', () => {
  test.each([
    ['what is missing', { type: 'webhook' }, { 'body.config.url': /missing/ }],
    ['an unknown field', { config: { url: 'http://a', header: {} } }, { 'body.config.header': /did you mean headers/ }],
    ['no web address', { config: { url: 'ftp://a/b' } }, { 'body.config.url': /http or https/ }],
    ['a path of files', { config: { url: '/etc/passwd' } }, { 'body.config.url': /http or https/ }],
    [
      'a password in the address',
      { config: { url: 'https://u:p@a' } },
      { 'body.config.url': /a username or password/ },
    ],
    [
      'headers that are ours, secret, or no headers',
      { config: { url: 'http://a', headers: { Host: 'b', Authorization: 'c', 'a b': 'd', 'X-A': 'e\r\nX-B: f' } } },
      {
        'body.config.headers.Host': /set by Headgate/,
        'body.config.headers.Authorization': /secret `authorization`/,
        'body.config.headers.a b': /valid header name/,
        'body.config.headers.X-A': /single line/,
      },
    ],
    [
      'a secret of another type',
      { config: { url: 'http://a' }, secrets: { password: 'x' } },
      { 'body.secrets.password': /not a secret of webhook/ },
    ],
    [
      'a mail of nothing',
      { type: 'email', config: { from: mail.from, port: 25 } },
      { 'body.config.host': /missing/, 'body.config.to': /missing/ },
    ],
    [
      'addresses that are none',
      { type: 'email', config: { ...mail, from: 'nobody', to: ['a@b.c', 'x <a@b>', 'a@b,c@d', 'a@b\r\nBcc: x'] } },
      {
        'body.config.from': /must be an address/,
        'body.config.to[1]': /must be an address/,
        'body.config.to[2]': /must be an address/,
        'body.config.to[3]': /must be an address/,
      },
    ],
    [
      'a host with its port, and a user without a password',
      { type: 'email', config: { ...mail, host: 'smtp://mail/', user: 'etl' } },
      { 'body.config.host': /without a port/, 'body.secrets.password': /missing/ },
    ],
    ['an unknown kind of TLS', { type: 'email', config: { ...mail, tls: 'ssl' } }, { 'body.config.tls': /one of/ }],
    ['a port', { type: 'email', config: { ...mail, port: 70_000 } }, { 'body.config.port': /65535/ }],
    ['a setting of desktops', { type: 'desktop', config: { sound: true } }, { 'body.config.sound': /not a known/ }],
    ['a job that is not there', { type: 'desktop', job_ids: [999] }, { 'body.job_ids[0]': /no job with id 999/ }],
    ['an event', { type: 'desktop', on: ['broke'] }, { 'body.on[0]': /must be one of/ }],
  ])('%s', async (_, body, expected) => {
    const details = await refused(body)
    expect(Object.keys(details).toSorted()).toEqual(Object.keys(expected).toSorted())
    for (const [path, message] of Object.entries(expected)) expect(details[path]).toMatch(message)
  })
})

test('secrets never come back: not in an answer, an event, the log or a byte of the data folder', async () => {
  const secret = 'canary-secret-5d1f0e'
  const body = { name: channelName(), type: 'webhook', config: { url: hook.url }, on: ['failed'] }
  const secrets = { signing_secret: secret, authorization: `Bearer ${secret}` }
  const key = { headers: { 'idempotency-key': 'with-a-secret' } }
  const made = await admin.post('/api/notifications', { ...body, secrets }, key)
  const { id } = made.body as { id: number }
  hook.received.length = 0
  hook.reply({ status: 500, body: secret })
  const answers = [
    made,
    await admin.post('/api/notifications', { ...body, secrets }, key),
    await admin.post('/api/notifications', { ...body, secrets }),
    await admin.put(`/api/notifications/${id}`, { secrets: { ...secrets, pasword: secret } }),
    await admin.put(`/api/notifications/${id}`, { secrets: { signing_secret: [secret] } }),
    await admin.post(`/api/notifications/${id}/test`),
  ]
  tell(server, endOf())
  await server.services.notifications.settled()
  answers.push(await admin.get(`/api/notifications/${id}`), await admin.get(`/api/notifications/${id}/deliveries`))
  // The receiver is the one who sees the one that is meant for it, and the signature of the other.
  expect(hook.received).toHaveLength(2)
  expect(hook.received[0]!.headers['authorization']).toBe(`Bearer ${secret}`)
  expect(JSON.stringify(hook.received).split(secret)).toHaveLength(3)

  const holds = (value: unknown) => JSON.stringify(value).includes(secret)
  expect(answers.filter((answer) => holds([answer.body, ...answer.headers]))).toEqual([])
  expect(server.platform.events.after(0, 10_000).filter(holds)).toEqual([])
  expect(logged.filter((line) => line.includes(secret))).toEqual([])
  const files = readdirSync(server.dataDir, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile())
  const holding = (text: string) =>
    files.filter((entry) => readFileSync(join(entry.parentPath, entry.name)).includes(Buffer.from(text)))
  expect(holding(secret)).toEqual([])
  // What is searched for would be found.
  expect(holding(body.name)).not.toEqual([])
  await admin.delete(`/api/notifications/${id}`)
})

test('a desktop is told by an event, in the transaction of the end, with where to go', async () => {
  const channel = await channels(admin).create({ type: 'desktop', on: ['failed'] })
  const end = endOf({ job_name: 'nightly', failed_task_keys: ['load', 'check'], error_message: 'The table is gone' })
  const before = server.platform.events.latestId()
  tell(server, end)
  const events = server.platform.events
    .after(before, 100)
    .filter(({ type, entity_id }) => type === 'notification.desktop' && entity_id === channel.id)
  const [delivery] = await channels(admin).deliveries(channel)
  expect(delivery).toMatchObject({ status: 'delivered', attempts: 1, job_run_id: end.id })
  expect(events).toMatchObject([
    {
      entity_id: channel.id,
      data: {
        title: 'nightly failed',
        body: 'Failed: load, check. The table is gone',
        translations: {
          de: { title: 'nightly ist fehlgeschlagen', body: 'Fehlgeschlagen: load, check. The table is gone' },
        },
        path: `/job-runs/${end.id}`,
        event: 'failed',
        job_id: end.job_id,
        job_run_id: end.id,
        delivery_id: delivery!.id,
      },
    },
  ])
  const latest = server.platform.events.latestId()
  expect(await channels(admin).test(channel)).toMatchObject({ event: 'test', status: 'delivered' })
  expect(server.platform.events.after(latest, 100)).toContainEqual(
    expect.objectContaining({
      type: 'notification.desktop',
      entity_id: channel.id,
      data: expect.objectContaining({ title: 'Test message of Headgate', path: '/settings/notifications' }) as unknown,
    }),
  )
  await admin.delete(`/api/notifications/${channel.id}`)
})

test('an end that is rolled back is news of nothing', async () => {
  const channel = await channels(admin).create({ type: 'desktop', on: ['failed'] })
  expect(() =>
    server.platform.store.transaction(() => {
      server.services.notifications.jobRunEnded(endOf())
      throw new Error('The end could not be kept')
    }),
  ).toThrow('could not be kept')
  expect(await channels(admin).deliveries(channel)).toEqual([])
  await admin.delete(`/api/notifications/${channel.id}`)
})

test('an editor sees channels and what was sent, and changes nothing', async () => {
  const channel = await channels(admin).create({ type: 'desktop', on: [] })
  const editor = server.as('editor')
  expect((await editor.get(`/api/notifications/${channel.id}/deliveries`)).status).toBe(200)
  expect((await editor.post(`/api/notifications/${channel.id}/test`)).status).toBe(403)
  expect((await editor.delete(`/api/notifications/${channel.id}`)).status).toBe(403)
})
