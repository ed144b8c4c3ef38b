import { afterAll, describe, expect, test } from 'vitest'
import type { User } from '../../../src/contract/auth.ts'
import type { Paginated } from '../../../src/contract/common.ts'
import { newName, own, password, pathOf, startUsersWorld } from './users-world.ts'

const { server, superadmin, admin, person, list, presented, signIn } = await startUsersWorld()
afterAll(() => server.close())

describe('a new user', () => {
  test('is told with all but what is secret, and is to change the password that was given', async () => {
    const body = { username: '  Grace  ', password, role: 'editor', display_name: ' Grace Hopper ', email: '' }
    const answer = await admin.post('/api/users', body)
    expect(answer).toMatchObject({
      status: 201,
      body: {
        username: 'Grace',
        display_name: 'Grace Hopper',
        email: null,
        role: 'editor',
        disabled: false,
        totp_enabled: false,
        password_change_required: true,
        last_login_at: null,
        updated_at: null,
      },
    })
    expect(JSON.stringify(answer.body)).not.toMatch(/hash|argon|key|sealed|revision|search/)
    const user = answer.body as User
    expect(answer.headers.get('etag')).toBe((await admin.get(pathOf(user))).headers.get('etag'))
    expect((await admin.get(pathOf(user))).body).toEqual(user)
    expect((await signIn('GRACE')).body).toMatchObject({ password_change_required: true })
  })

  test('has a name that nobody else has in any spelling', async () => {
    const { username } = person('viewer', { username: 'Ärger' })
    expect(username).toBe('Ärger')
    for (const taken of ['ärger', 'ÄRGER ', 'A\u0308rger', 'Ａ\u0308rger'])
      expect(await admin.post('/api/users', { username: taken, password, role: 'viewer' })).toMatchObject({
        status: 409,
        body: { details: [{ path: 'body.username', message: 'is already taken' }] },
      })
  })

  test.each([
    [{ username: 'a\u0000b' }, 'body.username'],
    [{ username: '\ud800' }, 'body.username'],
    [{ username: '\u200b\u2060' }, 'body.username'],
    [{ username: ' ' }, 'body.username'],
    [{ display_name: 'a\nb' }, 'body.display_name'],
    [{ email: 'nobody' }, 'body.email'],
    [{ email: 'a b@c' }, 'body.email'],
    [{ role: 'owner' }, 'body.role'],
    [{ role: 'admin' }, 'body.role'],
    [{ role: 'superadmin' }, 'body.role'],
    [{ password: 'short' }, 'body.password'],
  ])('with %j is refused at %s', async (wrong, at) => {
    const answer = await admin.post('/api/users', { username: newName(), password, role: 'viewer', ...wrong })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: at }] } })
  })

  test('may have a name in any script, which is kept as it is', async () => {
    for (const username of ['аdmin', 'מחק', "'; DROP TABLE users; --", '../../etc', '<b>', '🚂', 'e\u0301']) {
      const user = person('viewer', { username })
      expect(((await admin.get(pathOf(user))).body as User).username).toBe(username)
    }
  })
})

describe('the list', () => {
  test('searches names and addresses in any case, filters, sorts and pages both ways', async () => {
    const [a, b, c] = [
      person('viewer', { username: 'Zoë-1', email: 'first@list.example' }),
      person('editor', { username: 'zoë-2', display_name: 'ÖZGÜR' }),
      person('viewer', { username: 'ZOË-3' }),
    ]
    expect((await list('q=ZOË')).map(({ id }) => id)).toEqual([a.id, b.id, c.id])
    expect((await list('q=özgür')).map(({ id }) => id)).toEqual([b.id])
    expect((await list('q=LIST.example')).map(({ id }) => id)).toEqual([a.id])
    expect((await list('q=zoë&role=viewer&order=desc&sort=id')).map(({ id }) => id)).toEqual([c.id, a.id])
    await superadmin.put(pathOf(c), { disabled: true })
    expect((await list('q=zoë&disabled=true')).map(({ id }) => id)).toEqual([c.id])
    for (const sort of ['id', 'username', 'last_login_at']) {
      const first = (await admin.get(`/api/users?q=zoë&limit=2&sort=${sort}`)).body as Paginated<User>
      const query = `/api/users?q=zoë&limit=2&sort=${sort}&cursor=`
      const second = (await admin.get(query + first.nextCursor)).body as Paginated<User>
      expect([first.total, first.result.length, second.result.length]).toEqual([3, 2, 1])
      const back = (await admin.get(query + second.prevCursor)).body as Paginated<User>
      expect(back.result).toEqual(first.result)
    }
  })
})

describe('a change', () => {
  test('keeps what it leaves out, and loses nothing of somebody else', async () => {
    const user = person('viewer', { display_name: 'Old', email: 'old@example.com' })
    const before = await admin.get(pathOf(user))
    const etag = before.headers.get('etag')!
    const first = await admin.put(pathOf(user), { display_name: 'New' }, { headers: { 'if-match': etag } })
    expect(first).toMatchObject({
      status: 200,
      body: { display_name: 'New', email: 'old@example.com', role: 'viewer' },
    })
    const late = await admin.put(pathOf(user), { email: null }, { headers: { 'if-match': etag } })
    expect(late).toMatchObject({ status: 409, body: { error: 'CONFLICT' } })
    const again = { headers: { 'if-match': first.headers.get('etag')! } }
    expect(await admin.put(pathOf(user), { email: null }, again)).toMatchObject({ status: 200, body: { email: null } })
    expect((await list('q=old@example')).length).toBe(0)
  })

  test('of the name keeps it one for all, and lets its owner spell it otherwise', async () => {
    const [user, other] = [person(), person()]
    expect((await admin.put(pathOf(user), { username: other.username.toUpperCase() })).status).toBe(409)
    const upper = user.username.toUpperCase()
    expect((await admin.put(pathOf(user), { username: upper })).body).toMatchObject({ username: upper })
  })

  test('that is refused changes nothing', async () => {
    const user = person('viewer', { email: 'same@example.com' })
    const answer = await admin.put(pathOf(user), { email: 'x@example.com', role: 'admin' })
    expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.role' }] } })
    expect((await admin.get(pathOf(user))).body).toEqual(await presented(user.id))
    expect(await presented(user.id)).toMatchObject({ email: 'same@example.com', role: 'viewer', updated_at: null })
  })
})

test('one’s own account: what may be changed, and no more', async () => {
  const client = server.as('viewer')
  const before = await client.get('/api/users/me')
  const changed = await client.put('/api/users/me', { display_name: ' Vi ', email: 'vi@example.com' })
  expect(changed).toMatchObject({ status: 200, body: { display_name: 'Vi', email: 'vi@example.com' } })
  expect((await client.put('/api/users/me', { role: 'superadmin' })).body).toMatchObject({
    details: [{ path: 'body.role' }],
  })
  const stale = { headers: { 'if-match': before.headers.get('etag')! } }
  expect((await client.put('/api/users/me', { email: null }, stale)).status).toBe(409)
  expect(await own(client)).toEqual(changed.body)
})
