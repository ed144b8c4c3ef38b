import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { passwordCost } from '../../../src/server/features/auth/passwords.ts'
import { signInNets } from '../../../src/server/features/auth/throttle.rules.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

const account = { username: 'Ada', password: 'correct horse' }

describe('guessing', () => {
  let server: TestServer
  let clock: TestClock
  beforeAll(async () => {
    clock = createTestClock()
    // Some are told to come back because hashing takes its time.
    server = await startTestServer({ clock, passwordCost })
    await server.client.post('/api/auth/bootstrap', account)
  })
  afterAll(() => server.close())

  test('too many wrong passwords, also at once, lock this account from here, even for the right one, and time opens it', async () => {
    const { limit, windowMs } = signInNets.pair
    const wrong = { ...account, password: 'wrong' }
    const statuses = (
      await Promise.all(Array.from({ length: limit + 3 }, () => server.client.post('/api/auth/login', wrong)))
    ).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(limit)
    expect(statuses.filter((status) => status === 429)).toHaveLength(3)
    const locked = await server.client.post('/api/auth/login', account)
    expect(locked).toMatchObject({
      status: 429,
      body: { error: 'RATE_LIMITED', message: expect.stringContaining('Try again in 15 minutes') },
    })
    expect(Number(locked.headers.get('retry-after'))).toBe(windowMs / 1000)
    clock.advance(windowMs)
    expect((await server.client.post('/api/auth/login', account)).status).toBe(200)
  })

  test('spellings of a name are one account, whether somebody has it or not', async () => {
    for (const name of ['ada', 'nobody']) {
      const statuses: number[] = []
      for (let i = 0; i <= signInNets.pair.limit; i++) {
        const username = [name, name.toUpperCase(), name.replace('a', '\uFF21').replace('n', '\uFF2E')][i % 3]!
        statuses.push((await server.client.post('/api/auth/login', { username, password: 'wrong' })).status)
      }
      expect(statuses.at(-1)).toBe(429)
    }
    clock.advance(signInNets.pair.windowMs)
  })

  test('of very many at once some are told to come back, and that counts for nobody', async () => {
    clock.advance(signInNets.account.windowMs)
    // Each of another account: nothing but the work is too much.
    const names = Array.from({ length: 40 }, (_, i) => ({ username: `nobody ${i}`, password: 'wrong' }))
    const answers = await Promise.all(names.map((body) => server.client.post('/api/auth/login', body)))
    const busy = answers.filter(({ status }) => status === 429)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]).toMatchObject({ body: { message: 'Too many people are signing in. Try again in a moment.' } })
    const counted = server.platform.store.sqlite
      .prepare("SELECT failures FROM login_failures WHERE subject LIKE 'source:%'")
      .get()
    expect(counted).toEqual({ failures: answers.length - busy.length })
  })

  test('a right password forgives the wrong ones before it', async () => {
    for (let round = 0; round < 2; round++) {
      for (let i = 0; i < signInNets.pair.limit - 1; i++) {
        expect((await server.client.post('/api/auth/login', { ...account, password: 'wrong' })).status).toBe(401)
      }
      expect((await server.client.post('/api/auth/login', account)).status).toBe(200)
    }
  })
})
