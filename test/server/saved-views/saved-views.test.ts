import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from '../../../src/contract/saved-views.ts'
import { type TestServer, startTestServer } from '../../support/server.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())

test('a view belongs to who saved it, at any role: others neither see nor change it', async () => {
  const viewer = server.as('viewer')
  const admin = server.as('admin')
  const body = { list: 'runs', name: 'Failed today', address: 'status=failed&last=24&columns=status%2Ctask' } as const
  const made = await viewer.call(createSavedView, { body })
  expect(made).toMatchObject(body)
  expect(await viewer.call(listSavedViews, { query: { list: 'runs' } })).toEqual([made])
  expect(await admin.call(listSavedViews)).toEqual([])
  for (const [method, sent] of [
    ['PUT', { name: 'Mine' }],
    ['DELETE', undefined],
  ] as const)
    expect((await admin.request(method, `/api/saved-views/${made.id}`, { body: sent })).status).toBe(404)
  const changed = await viewer.call(updateSavedView, { params: { id: made.id }, body: { address: 'status=success' } })
  expect(changed).toMatchObject({ name: 'Failed today', address: 'status=success' })
  await viewer.call(deleteSavedView, { params: { id: made.id } })
  expect(await viewer.call(listSavedViews)).toEqual([])
})

test('a name is taken whatever its case, in that list alone, and by name they are listed', async () => {
  const editor = server.as('editor')
  const create = (list: 'tasks' | 'jobs', name: string) =>
    editor.request('POST', '/api/saved-views', { body: { list, name, address: '' } })
  expect((await create('tasks', 'nightly')).status).toBe(201)
  expect(await create('tasks', 'Nightly ')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('"Nightly"') as unknown },
  })
  expect((await create('jobs', 'Nightly')).status).toBe(201)
  expect((await create('tasks', 'Always')).status).toBe(201)
  expect((await editor.call(listSavedViews, { query: { list: 'tasks' } })).map(({ name }) => name)).toEqual([
    'Always',
    'nightly',
  ])
})

test.each(['/tasks', '//evil.example', 'a b', '#x', '?q=1', 'q=\\'])(
  '%j is no query of an address',
  async (address) => {
    const answer = await server
      .as('editor')
      .request('POST', '/api/saved-views', { body: { list: 'tasks', name: 'Bad', address } })
    expect(answer.status).toBe(400)
  },
)
