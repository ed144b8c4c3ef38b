import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorBody } from '../../../src/contract/errors.ts'
import { passwordMistake } from '../../../src/server/features/auth/password.rules.ts'
import { signInNets } from '../../../src/server/features/auth/throttle.rules.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { cookieOf, signIn } from '../../support/sign-in.ts'
import { visitor, visitorAfter } from '../../support/totp.ts'

describe('a new password', () => {
  const known = new Set(['trustno1', 'iloveyou'])
  const mistake = (password: string, username = 'ada', minLength = 8) =>
    passwordMistake(password, { username, minLength, isKnown: (text) => known.has(text) })?.message

  test.each([
    ['short', 'must have at least 8 characters'],
    // Characters, not bytes, nor halves of them.
    ['😀😀😀😀😀😀😀', 'must have at least 8 characters'],
    // Seven letters, however many marks they are written with.
    ['\u0065\u0301'.repeat(7), 'must have at least 8 characters'],
    ['TrustNo1', 'is on the list of common passwords. Choose another one'],
    // Letters of full width are those that everybody tries.
    ['Ｔｒｕｓｔｎｏ１', 'is on the list of common passwords. Choose another one'],
    ['with\tcontrol', 'must not contain control characters'],
    ['half a \ud83d', 'must not contain half a character (a lone surrogate)'],
  ])('%j %s', (password, message) => expect(mistake(password)).toBe(message))

  test.each(['correct horse', '        ', 'päßwörter', 'пароль на всё', "' OR 1=1 --"])('%j may be', (password) =>
    expect(mistake(password)).toBeUndefined(),
  )
  test('is not the user name, in whatever spelling', () => {
    expect(mistake('ADA Lovelace ', 'ada lovelace')).toBe('must not be the username')
  })
  test('is as long as the setting says', () => {
    expect(mistake('fifteen letters', 'ada', 16)).toBe('must have at least 16 characters')
    expect(mistake('sixteen letters!', 'ada', 16)).toBeUndefined()
  })
})

let server: TestServer
let clock: TestClock
const sqlite = () => server.platform.store.sqlite
const me = (client: TestClient) => client.get('/api/auth/me')

describe('changing one’s own', () => {
  const ada = { username: 'Ada', password: 'correct horse' }
  beforeAll(async () => {
    clock = createTestClock()
    server = await startTestServer({ clock })
    await server.client.post('/api/auth/bootstrap', ada)
  })
  afterAll(() => server.close())
  const signedIn = async () => visitor(server, (await signIn(server, ada)).cookie)
  const change = (client: TestClient, current_password: string, new_password: string) =>
    client.post('/api/users/me/password', { current_password, new_password })

  test.each([
    ['wrong one', 'a better password', 'body.current_password', 'is incorrect'],
    ['correct horse', 'correct horse', 'body.new_password', 'must differ from the current password'],
    ['correct horse', 'ADA', 'body.new_password', 'must have at least 8 characters'],
    ['correct horse', 'baseball1', 'body.new_password', expect.stringContaining('common passwords')],
  ])('from %j to %j is refused', async (current, next, path, message) => {
    const client = await signedIn()
    const { status, body } = await change(client, current, next)
    expect([status, (body as ErrorBody).details]).toEqual([
      400,
      expect.arrayContaining([expect.objectContaining({ path, message })]),
    ])
    expect((await me(client)).status).toBe(200)
  })

  test('takes the current one, ends all other sessions with their streams, and replaces this one', async () => {
    const [here, elsewhere] = [await signedIn(), await signedIn()]
    const stream = await fetch(new URL('/api/events', server.url), { headers: elsewhere.headers })
    const answer = await change(here, ada.password, 'a better password')
    expect(answer).toMatchObject({ status: 200, body: { success: true } })
    // It ends: reading it comes to an end.
    await stream.text()
    expect((await me(here)).status).toBe(401)
    expect((await me(elsewhere)).status).toBe(401)
    expect((await me(visitorAfter(server, answer))).status).toBe(200)
    expect((await server.client.post('/api/auth/login', ada)).status).toBe(401)
    ada.password = 'a better password'
    expect((await server.client.post('/api/auth/login', ada)).status).toBe(200)
  })

  test('of two at once one comes true, and the account is signed in exactly there', async () => {
    const clients = [await signedIn(), await signedIn()]
    const answers = await Promise.all(clients.map((client, i) => change(client, ada.password, `password number ${i}`)))
    const right = answers.findIndex(({ status }) => status === 200)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    ada.password = `password number ${right}`
    expect((await me(visitorAfter(server, answers[right]!))).status).toBe(200)
    expect((await server.client.post('/api/auth/login', ada)).status).toBe(200)
  })

  test('guesses count like those of signing in', async () => {
    clock.advance(signInNets.pair.windowMs)
    const client = await signedIn()
    for (let i = 0; i < signInNets.pair.limit; i++) {
      expect((await change(client, 'guess', 'a password of mine')).status).toBe(400)
    }
    expect((await change(client, ada.password, 'a password of mine')).status).toBe(429)
    expect((await server.client.post('/api/auth/login', ada)).status).toBe(429)
    clock.advance(signInNets.pair.windowMs)
    expect((await server.client.post('/api/auth/login', ada)).status).toBe(200)
  })

  test('is not for API keys, and not for accounts without one', async () => {
    expect((await change(server.as('viewer'), 'x', 'a password of mine')).status).toBe(403)
    const user = server.services.users.create({ username: 'robot', role: 'viewer', passwordHash: null })
    const { sessions } = server.services
    const visit = { userId: user.id, pending: false, via: 'password', desktop: false } as const
    const { issued } = sessions.begin({ ...visit, address: null, userAgent: null }, undefined)
    expect(await change(visitor(server, `svc_session=${issued.token}`), 'x', 'a password of mine')).toMatchObject({
      status: 400,
      body: { details: [{ message: expect.stringContaining('no password') }] },
    })
  })
})

describe('a password that somebody else has given', () => {
  const bob = { username: 'bob', password: 'given by somebody' }
  let client: TestClient
  let key: TestClient
  beforeAll(async () => {
    server = await startTestServer()
    await server.client.post('/api/auth/bootstrap', { username: 'ada', password: 'correct horse' })
    const { auth, users, apiKeys } = server.services
    const passwordHash = await auth.hash(bob.password)
    const user = users.create({ username: bob.username, role: 'editor', passwordHash, passwordChangeRequired: true })
    const maker = {
      kind: 'session',
      user_id: user.id,
      username: 'bob',
      role: 'editor',
      scopes: [],
      pending: false,
    } as const
    const made = apiKeys.create({ name: 'of bob' }, { ...maker, scopes: [] })
    key = server.client.with({ authorization: `Bearer ${made.key}` })
  })
  afterAll(() => server.close())

  test('opens nothing but what it takes to change it, for keys as well, and the sign-in says so', async () => {
    const answer = await server.client.post('/api/auth/login', bob)
    expect(answer.body).toMatchObject({ authenticated: true, password_change_required: true })
    client = visitorAfter(server, answer)
    const refused = { status: 403, body: { error: 'FORBIDDEN', message: 'Change your password first.' } }
    for (const path of ['/api/tasks', '/api/events', '/api/auth/sessions', '/api/api-keys']) {
      expect(await client.get(path)).toMatchObject(refused)
      expect(await key.get(path)).toMatchObject(refused)
    }
    expect(await client.post('/api/auth/setup-totp', { password: bob.password })).toMatchObject(refused)
    expect(await client.put('/api/users/me', { display_name: 'Bob' })).toMatchObject(refused)
    expect((await me(client)).body).toMatchObject({ user: { password_change_required: true } })
    expect((await client.get('/api/users/me')).status).toBe(200)
    expect((await client.get('/api/health')).status).toBe(200)
    const { session_id } = (await me(visitor(server, (await signIn(server, bob)).cookie))).body as {
      session_id: number
    }
    expect((await client.delete(`/api/auth/sessions/${session_id}`)).status).toBe(200)
  })

  test('is changed, and all is open', async () => {
    const body = { current_password: bob.password, new_password: 'chosen by himself' }
    client = visitorAfter(server, await client.post('/api/users/me/password', body))
    expect((await client.get('/api/tasks')).status).toBe(200)
    expect((await key.get('/api/tasks')).status).toBe(200)
    expect((await me(client)).body).toMatchObject({ user: { password_change_required: false } })
  })
})

test('a password is the same however the keyboard composes it', async () => {
  server = await startTestServer()
  const composed = 'caf\u00e9 \u00fcber alles'
  await server.client.post('/api/auth/bootstrap', { username: 'ada', password: composed })
  const login = (password: string) => server.client.post('/api/auth/login', { username: 'ada', password })
  expect((await login('cafe\u0301 u\u0308ber\u00a0alles')).status).toBe(200)
  expect((await login(composed.toUpperCase())).status).toBe(401)
  expect((await login('\ud800'.repeat(9))).status).toBeGreaterThanOrEqual(400)
  await server.close()
})

test('a sign-in whose password is changed, or whose account is disabled, while it is looked at, does not get in', async () => {
  server = await startTestServer()
  const ada = { username: 'ada', password: 'correct horse' }
  await server.client.post('/api/auth/bootstrap', ada)
  const from = { address: '127.0.0.1', userAgent: null, cookie: undefined }
  const changed = server.services.auth.login(ada, from)
  const hash = sqlite().prepare('SELECT password_hash FROM users').pluck().get()
  sqlite().exec("UPDATE users SET password_hash = 'another'")
  await expect(changed).rejects.toThrow('The username or password is incorrect.')
  sqlite().prepare('UPDATE users SET password_hash = ?').run(hash)
  const disabled = server.services.auth.login(ada, from)
  sqlite().exec('UPDATE users SET disabled = 1')
  await expect(disabled).rejects.toThrow('The username or password is incorrect.')
  sqlite().exec('UPDATE users SET disabled = 0')
  expect(cookieOf(await server.client.post('/api/auth/login', ada))).toMatch(/^svc_session=./)
  await server.close()
})
