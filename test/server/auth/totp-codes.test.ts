import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { codeNets } from '../../../src/server/features/auth/throttle.rules.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type Answer, type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { restartTestServer } from '../../support/restart.ts'
import { codeAt, enrol, pendingVisitor, visitorAfter, wrongCode } from '../../support/totp.ts'

const account = { username: 'Ada', password: 'correct horse' }
const tooMany = { error: 'RATE_LIMITED', message: 'Too many failed TOTP attempts. Try again later.' }

let server: TestServer
let clock: TestClock
const pending = () => pendingVisitor(server)
const verify = (client: TestClient, code: string) => client.post('/api/auth/verify-totp', { code })
const code = (secret: string, steps = 0) => codeAt(secret, clock.now(), steps)
const statusOf = ({ status }: Answer) => status
const sqlite = () => server.platform.store.sqlite
/** Time enough for codes and failures before to be forgotten. */
const later = () => clock.advance(codeNets.day.windowMs)

describe('codes', () => {
  let secret: string
  let recoveryCodes: string[]
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock, config: { totpRequired: true } })
    const first = visitorAfter(server, await server.client.post('/api/auth/bootstrap', account))
    const enrolled = await enrol(server, first)
    secret = enrolled.secret
    recoveryCodes = enrolled.recoveryCodes
  })
  beforeEach(later)
  afterAll(() => server.close())

  test.each([-1, 0, 1])('the code %i steps from now is right', async (steps) => {
    expect((await verify(pending(), code(secret, steps))).status).toBe(200)
  })
  test.each([-2, 2])('the code %i steps from now is not', async (steps) => {
    expect(await verify(pending(), code(secret, steps))).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        message: 'Invalid input',
        details: [{ path: 'request' }, { path: 'body.code' }],
      },
    })
  })

  test('a used one is never right again, nor is one before it, not after a restart either', async () => {
    const used = code(secret)
    expect((await verify(pending(), used)).status).toBe(200)
    expect((await verify(pending(), used)).status).toBe(400)
    expect((await verify(pending(), code(secret, -1))).status).toBe(400)
    await restart()
    expect((await verify(pending(), used)).status).toBe(400)
    expect((await verify(pending(), code(secret, 1))).status).toBe(200)
  })

  test('of two at once with one code exactly one gets in', async () => {
    const two = [pending(), pending()]
    const statuses = (await Promise.all(two.map((client) => verify(client, code(secret))))).map(statusOf)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('of two at once with one session exactly one gets in', async () => {
    const client = pending()
    const codes = [code(secret), code(secret, 1)]
    const statuses = (await Promise.all(codes.map((each) => verify(client, each)))).map(statusOf)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 401])
  })

  test.each([
    (plain: string) => `${plain.slice(0, 3)} ${plain.slice(3)}`,
    (plain: string) => ` ${plain}\n`,
    (plain: string) => plain.replaceAll(/\d/g, (digit) => String.fromCharCode(0xff10 + Number(digit))),
  ])('however it is typed', async (type) => {
    expect((await verify(pending(), type(code(secret)))).status).toBe(200)
  })

  test('a recovery code gets in once, with or without dashes, in capitals, and the answer says how many are left', async () => {
    const [first, second] = recoveryCodes
    expect(await verify(pending(), first!)).toMatchObject({ status: 200, body: { recovery_codes_left: 9 } })
    expect((await verify(pending(), first!)).status).toBe(400)
    const typed = second!.replaceAll('-', ' ').replaceAll('0', 'O').toUpperCase()
    expect(await verify(pending(), typed)).toMatchObject({ status: 200, body: { recovery_codes_left: 8 } })
    expect((await verify(pending(), second!)).status).toBe(400)
  })

  test('of two at once with one recovery code exactly one gets in', async () => {
    const two = [pending(), pending()]
    const statuses = (await Promise.all(two.map((client) => verify(client, recoveryCodes[2]!)))).map(statusOf)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('new recovery codes take the password, and void the old ones', async () => {
    const full = visitorAfter(server, await verify(pending(), code(secret)))
    expect(await full.post('/api/auth/recovery-codes', { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { details: [{ path: 'request' }, { path: 'body.password', message: 'is incorrect' }] },
    })
    const answer = await full.post('/api/auth/recovery-codes', { password: account.password })
    const fresh = (answer.body as { recovery_codes: string[] }).recovery_codes
    expect(fresh).toHaveLength(10)
    expect((await verify(pending(), recoveryCodes[3]!)).status).toBe(400)
    expect((await verify(pending(), fresh[0]!)).status).toBe(200)
    recoveryCodes = fresh
  })

  test.each(['x', '12345', '1234567', '', ' ', 'O'.repeat(64), '\u0000', "' OR 1=1 --", '\ud800'])(
    'the text %j is no code, and counts as a wrong one',
    async (text) => {
      const client = pending()
      expect(await verify(client, text)).toMatchObject({ status: 400, body: { error: 'VALIDATION_ERROR' } })
    },
  )

  test('too many wrong ones, also at once, are a 429 that a right one does not open, nor a restart; time does', async () => {
    const client = pending()
    const { limit, windowMs } = codeNets.account
    const wrong = wrongCode(secret, clock.now())
    const statuses = (await Promise.all(Array.from({ length: limit + 4 }, () => verify(client, wrong)))).map(statusOf)
    expect(statuses.filter((status) => status === 400)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 429)).toHaveLength(4)
    const refused = await verify(client, code(secret))
    expect(refused).toMatchObject({ status: 429, body: tooMany })
    expect(Number(refused.headers.get('retry-after'))).toBe(windowMs / 1000)
    await restart()
    clock.advance(windowMs - 1_000)
    const soon = await verify(pending(), code(secret))
    expect(soon).toMatchObject({ status: 429, body: tooMany })
    expect(soon.headers.get('retry-after')).toBe('1')
    clock.advance(1_000)
    expect((await verify(pending(), code(secret))).status).toBe(200)
  })

  test('a right one forgives the wrong ones before it, but not those of the whole day', async () => {
    const { limit } = codeNets.account
    for (let i = 0; i < limit - 1; i++) {
      expect((await verify(pending(), wrongCode(secret, clock.now()))).status).toBe(400)
    }
    expect((await verify(pending(), code(secret))).status).toBe(200)
    expect((await verify(pending(), wrongCode(secret, clock.now()))).status).toBe(400)
    const counts = sqlite().prepare("SELECT failures FROM login_failures WHERE subject LIKE 'code-%' ORDER BY subject")
    expect(counts.all()).toEqual([{ failures: 1 }, { failures: limit }, { failures: limit }])
  })

  test('over a day, too many are too many, however often the owner gets in between', async () => {
    const { limit } = codeNets.day
    for (let wrong = 0; wrong < limit; wrong++) {
      expect((await verify(pending(), wrongCode(secret, clock.now()))).status).toBe(400)
      if (wrong % 4 < 3) continue
      expect((await verify(pending(), code(secret))).status).toBe(200)
      clock.advance(codeNets.account.windowMs)
    }
    clock.advance(codeNets.account.windowMs)
    expect(await verify(pending(), code(secret))).toMatchObject({ status: 429, body: tooMany })
    clock.advance(codeNets.day.windowMs)
    expect((await verify(pending(), code(secret))).status).toBe(200)
  })

  test('of one address, too many are too many, on however many accounts', async () => {
    const { limit, windowMs } = codeNets.source
    const perAccount = codeNets.account.limit - 1
    for (let wrong = 0; wrong < limit; wrong += perAccount) {
      const { id } = server.services.users.create({ username: `user ${wrong}`, role: 'viewer', passwordHash: null })
      await pendingVisitor(server, id).post('/api/auth/setup-totp')
      for (let i = wrong; i < Math.min(limit, wrong + perAccount); i++) {
        expect((await verify(pendingVisitor(server, id), 'wrong')).status).toBe(400)
      }
    }
    expect(await verify(pending(), code(secret))).toMatchObject({ status: 429, body: tooMany })
    clock.advance(windowMs)
    expect((await verify(pending(), code(secret))).status).toBe(200)
  })

  async function restart(): Promise<void> {
    server = await restartTestServer(server, { clock, config: { totpRequired: true } })
  }
})
