import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { selfSignedCertificate } from '../../support/certificate.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { channels, endOf, tell } from './notification-world.ts'
import { type Mail, type MailServer, startMailServer } from './receivers.ts'

const certificate = selfSignedCertificate()
const trusted = getCACertificates('default')
let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startTestServer()
  admin = server.as('admin')
  setDefaultCACertificates([...trusted, certificate.cert])
})
afterAll(async () => {
  setDefaultCACertificates(trusted)
  await server.close()
})
let mailServer: MailServer | undefined
afterEach(async () => {
  await mailServer?.close()
  mailServer = undefined
})
const start = async (options: Parameters<typeof startMailServer>[0] = {}) =>
  (mailServer = await startMailServer({ ...certificate, ...options }))

const create = ({ port }: { port: number }, config: object = {}, more: object = {}) =>
  channels(admin).create({
    type: 'email',
    on: [],
    config: { host: 'localhost', port, from: 'headgate@example.com', to: ['ops@example.com'], ...config },
    ...more,
  })

const headersOf = ({ text }: Mail) => text.slice(0, text.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ')
/** The parts of the message, decoded. */
const parts = ({ text }: Mail) =>
  text
    .split(/\r\n--[^\r\n]+\r\n/)
    .slice(1)
    .map((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n')
      const encoded = body.join('\r\n\r\n')
      const bytes = /base64/i.test(head)
        ? Buffer.from(encoded, 'base64')
        : Buffer.from(
            encoded
              .replaceAll(/=\r\n/g, '')
              .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          )
      return bytes.toString('utf8').replaceAll('\r\n', '\n')
    })

describe('an e-mail', () => {
  test('goes to everybody, over STARTTLS unless told otherwise, signed in', async () => {
    const { port, mails } = await start()
    const channel = await create(
      { port },
      { user: 'etl', to: ['ops@example.com', 'ada@example.com'] },
      { secrets: { password: 'right' }, on: ['failed'] },
    )
    expect(channel.config).toMatchObject({ tls: 'starttls' })
    const end = endOf({ failed_task_keys: ['load'] })
    tell(server, end)
    await expect.poll(() => mails.length).toBe(1)
    await server.services.notifications.settled()
    const [mail] = mails
    expect(mail).toMatchObject({
      from: 'headgate@example.com',
      to: ['ops@example.com', 'ada@example.com'],
      secure: true,
      user: 'etl',
    })
    const [delivery] = await channels(admin).deliveries(channel)
    expect(delivery).toMatchObject({ status: 'delivered', error_message: null })
    expect(headersOf(mail!)).toContain('Subject: nightly failed')
    expect(headersOf(mail!)).toContain(`X-Headgate-Delivery: ${delivery!.id}`)
    expect(headersOf(mail!)).toMatch(/Message-ID: <[0-9a-f-]{36}@headgate\.invalid>/i)
    const [text, html] = parts(mail!)
    expect(text).toContain(`Job run: ${end.id}, failed`)
    expect(text).toContain('Failed tasks: load')
    expect(html).toContain('load: the table is gone')
    await admin.delete(`/api/notifications/${channel.id}`)
  })

  test('holds names and messages of any characters, and none becomes a header or markup', async () => {
    const { port, mails } = await start()
    const channel = await create({ port }, {}, { on: ['failed'] })
    tell(
      server,
      endOf({
        job_name: 'a\r\nBcc: eve@example.com\r\n\r\n<b>näch"tly</b> 🚂',
        error_message: '<script>x</script> & "y"',
      }),
    )
    await expect.poll(() => mails.length).toBe(1)
    const [mail] = mails
    expect(mail!.to).toEqual(['ops@example.com'])
    expect(headersOf(mail!)).not.toMatch(/^Bcc:/im)
    const [text, html] = parts(mail!)
    expect(text).toContain('<script>x</script> & "y"')
    expect(html).toContain('&lt;script&gt;x&lt;/script&gt; &amp; &quot;y&quot;')
    expect(html).toContain('&lt;b&gt;näch&quot;tly&lt;/b&gt; 🚂')
    expect(html).not.toContain('<script>')
    await admin.delete(`/api/notifications/${channel.id}`)
  })

  test('goes over TLS from the first byte, or over none, as told', async () => {
    const implicit = await start({ secure: true })
    expect(await channels(admin).test(await create(implicit, { tls: 'implicit' }))).toMatchObject({
      status: 'delivered',
    })
    expect(implicit.mails[0]).toMatchObject({ secure: true })
    await implicit.close()
    const plain = await start({ hideSTARTTLS: true })
    expect(await channels(admin).test(await create(plain, { tls: 'none' }))).toMatchObject({ status: 'delivered' })
    expect(plain.mails[0]).toMatchObject({ secure: false })
    expect(parts(plain.mails[0]!)[0]).toContain('Test message of Headgate')
  })

  test('is not sent in the clear where STARTTLS was asked for and is not offered', async () => {
    const { port, mails } = await start({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    const channel = await create({ port }, { user: 'etl' }, { secrets: { password: 'right' } })
    expect(await channels(admin).test(channel)).toMatchObject({ status: 'failed' })
    expect(mails).toEqual([])
  })

  test('is not sent to a server that nobody vouches for', async () => {
    const { port, mails } = await start({ ...selfSignedCertificate() })
    const delivery = await channels(admin).test(await create({ port }))
    expect(delivery).toMatchObject({
      status: 'failed',
      error_message: expect.stringMatching(/certificate/i) as unknown,
    })
    expect(mails).toEqual([])
  })

  test('refused for good is not tried again; refused for now it is', async () => {
    let code = 550
    const { port } = await start({
      onRcptTo: (_address, _session, done) => done(Object.assign(new Error('No such mailbox'), { responseCode: code })),
    })
    const channel = await create({ port }, {}, { on: ['failed'] })
    const latest = async () => (await channels(admin).deliveries(channel)).at(-1)
    tell(server, endOf())
    await server.services.notifications.settled()
    expect(await latest()).toMatchObject({
      status: 'failed',
      error_message: expect.stringContaining('No such mailbox') as unknown,
    })
    code = 451
    tell(server, endOf())
    await server.services.notifications.settled()
    expect(await latest()).toMatchObject({ status: 'pending', attempts: 1 })
    await admin.delete(`/api/notifications/${channel.id}`)
  })

  test('that some of its readers cannot get has arrived, with a note of who', async () => {
    const { port } = await start({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone') ? new Error('No such mailbox') : null),
    })
    const channel = await create({ port }, { to: ['gone@example.com', 'ops@example.com'] })
    expect(await channels(admin).test(channel)).toMatchObject({
      status: 'delivered',
      error_message: 'The server did not take it for gone@example.com',
    })
  })

  test('with a wrong password is refused without the password being told', async () => {
    const { port } = await start()
    const channel = await create({ port }, { user: 'etl' }, { secrets: { password: 'canary-wrong' } })
    const delivery = await channels(admin).test(channel)
    expect(delivery).toMatchObject({ status: 'failed' })
    expect(JSON.stringify(delivery)).not.toContain('canary')
  })
})
