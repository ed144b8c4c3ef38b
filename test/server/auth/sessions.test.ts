import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import type { Role } from '../../../src/contract/roles.ts'
import type { Session } from '../../../src/contract/sessions.ts'
import { type TestClock, createTestClock } from '../../support/platform.ts'
import { type Answer, type TestClient, type TestServer, startTestServer } from '../../support/server.ts'
import { visitor } from '../../support/totp.ts'

const HOUR = 3_600_000
let server: TestServer
let clock: TestClock
const people = new Map<Role | 'other admin', number>()
beforeAll(async () => {
  clock = createTestClock()
  server = await startTestServer({ clock })
  const make = (username: string, role: Role) => server.services.users.create({ username, role, passwordHash: null }).id
  for (const role of ['viewer', 'editor', 'admin', 'superadmin'] as const) people.set(role, make(`a ${role}`, role))
  people.set('other admin', make('another admin', 'admin'))
})
beforeEach(() => server.platform.store.sqlite.exec('DELETE FROM sessions'))
afterAll(() => server.close())

interface Visit {
  id: number
  client: TestClient
}
/** A browser in which somebody is signed in. */
function visit(who: Role | 'other admin', more: { pending?: boolean; userAgent?: string } = {}): Visit {
  const { issued } = server.services.sessions.begin(
    {
      userId: people.get(who)!,
      pending: false,
      via: 'password',
      desktop: false,
      address: '127.0.0.1',
      userAgent: null,
      ...more,
    },
    undefined,
  )
  return { id: issued.id, client: visitor(server, `svc_session=${issued.token}`) }
}
const list = async (client: TestClient, query: Record<string, string | number> = {}) =>
  (await client.get('/api/auth/sessions', { query })).body as Paginated<Session> // as the contract has it
const ids = ({ result }: Paginated<Session>) => result.map(({ id }) => id)
const end = (client: TestClient, id: number): Promise<Answer> => client.delete(`/api/auth/sessions/${id}`)
const isIn = async ({ client }: Visit) => (await client.get('/api/auth/me')).status === 200

describe('the list', () => {
  test('has one’s own, the newest first, with where they are and when they end', async () => {
    const old = visit('editor', { userAgent: 'Firefox' })
    visit('viewer')
    const now = visit('editor')
    clock.advance(HOUR)
    const page = await list(now.client)
    expect(ids(page)).toEqual([now.id, old.id])
    expect(page.total).toBe(2)
    const began = new Date(clock.now().getTime() - HOUR)
    expect(page.result[0]).toEqual({
      id: now.id,
      user_id: people.get('editor'),
      username: 'a editor',
      via: 'password',
      current: true,
      pending: false,
      address: '127.0.0.1',
      user_agent: null,
      created_at: began.toISOString(),
      last_seen_at: clock.iso(),
      idle_until: new Date(clock.now().getTime() + 12 * HOUR).toISOString(),
      expires_at: new Date(began.getTime() + 30 * 24 * HOUR).toISOString(),
    })
    expect(page.result[1]).toMatchObject({ current: false, user_agent: 'Firefox', last_seen_at: began.toISOString() })
  })

  test('shows one that waits for its code', async () => {
    const waiting = visit('editor', { pending: true })
    const { result } = await list(visit('editor').client)
    expect(result.find(({ id }) => id === waiting.id)).toMatchObject({ pending: true })
  })

  test('pages both ways', async () => {
    const made = Array.from({ length: 5 }, () => visit('editor'))
    const { client } = made[0]!
    const first = await list(client, { limit: 2 })
    const second = await list(client, { limit: 2, cursor: first.nextCursor! })
    const back = await list(client, { limit: 2, cursor: second.prevCursor! })
    const newestFirst = made.map(({ id }) => id).toReversed()
    expect([...ids(first), ...ids(second)]).toEqual(newestFirst.slice(0, 4))
    expect(ids(back)).toEqual(ids(first))
    expect((await client.get('/api/auth/sessions', { query: { cursor: 'nonsense' } })).status).toBe(400)
  })

  test('has one that was used just now, however long before the store was told of it', async () => {
    const [long, now] = [visit('editor'), visit('editor')]
    clock.advance(11 * HOUR)
    expect(await isIn(long)).toBe(true)
    expect(await isIn(now)).toBe(true)
    clock.advance(2 * HOUR)
    expect(ids(await list(now.client))).toEqual([now.id, long.id])
    clock.advance(11 * HOUR)
    expect(ids(await list(now.client))).toEqual([now.id])
  })

  test('never has one that is over, and the store forgets it', async () => {
    visit('editor')
    clock.advance(12 * HOUR)
    const now = visit('editor')
    expect(ids(await list(now.client))).toEqual([now.id])
    server.services.sessions.flush()
    expect(server.platform.store.sqlite.prepare('SELECT id FROM sessions').all()).toEqual([{ id: now.id }])
  })

  test('the store forgets them also when nobody signs in', async () => {
    visit('editor')
    clock.advance(12 * HOUR)
    server.services.sessions.flush()
    expect(server.platform.store.sqlite.prepare('SELECT id FROM sessions').all()).toEqual([])
  })
})

describe('those of others', () => {
  test.each([
    ['viewer', 'editor', false],
    ['editor', 'viewer', false],
    ['admin', 'editor', true],
    ['admin', 'viewer', true],
    ['admin', 'other admin', false],
    ['admin', 'superadmin', false],
    ['superadmin', 'admin', true],
  ] as const)('%s sees and ends those of %s: %s', async (who, whose, may) => {
    const theirs = visit(whose)
    const { client } = visit(who)
    const answer = await client.get('/api/auth/sessions', { query: { user_id: people.get(whose)! } })
    expect(answer).toMatchObject(
      may ? { status: 200, body: { result: [{ id: theirs.id }], total: 1 } } : { status: 404 },
    )
    expect((await end(client, theirs.id)).status).toBe(may ? 200 : 404)
    expect(await isIn(theirs)).toBe(!may)
  })

  test('who is not there has none', async () => {
    const { client } = visit('superadmin')
    expect((await client.get('/api/auth/sessions', { query: { user_id: 999_999 } })).status).toBe(404)
    expect((await end(client, 999_999)).status).toBe(404)
  })
})

describe('ending', () => {
  test('one ends it at once, with the streams that it has open; twice is a 404', async () => {
    const [here, there] = [visit('editor'), visit('editor')]
    const stream = await fetch(new URL('/api/events', server.url), { headers: there.client.headers })
    expect((await end(here.client, there.id)).status).toBe(200)
    await stream.text()
    expect(await isIn(there)).toBe(false)
    expect((await end(here.client, there.id)).status).toBe(404)
  })

  test('this very one takes the cookie away', async () => {
    const here = visit('editor')
    const answer = await end(here.client, here.id)
    expect(answer.headers.get('set-cookie')).toMatch(/^svc_session=; Max-Age=0;/)
    expect(await isIn(here)).toBe(false)
  })

  test('all others leaves this one, and whatever others have', async () => {
    const [here, there, waiting] = [visit('editor'), visit('editor'), visit('editor', { pending: true })]
    const somebody = visit('viewer')
    const stream = await fetch(new URL('/api/events', server.url), { headers: there.client.headers })
    expect(await here.client.delete('/api/auth/sessions')).toMatchObject({ status: 200, body: { ended: 2 } })
    await stream.text()
    expect([await isIn(here), await isIn(there), await isIn(waiting), await isIn(somebody)]).toEqual([
      true,
      false,
      false,
      true,
    ])
  })
})
