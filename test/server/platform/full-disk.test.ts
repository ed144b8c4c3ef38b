import { expect, test } from 'vitest'
import { startTestServer } from '../../support/server.ts'

test('on a full disk nothing is said to be saved, reading goes on, and saving works again when there is space', async () => {
  const server = await startTestServer()
  const { sqlite } = server.platform.store
  const client = server.as('editor')
  const pages = sqlite.pragma('page_count', { simple: true }) as number
  sqlite.pragma(`max_page_count = ${pages}`)
  const statuses = new Set<number>()
  let made = 0
  let refused: unknown
  for (let i = 0; i < 200 && refused === undefined; i++) {
    const answer = await client.post('/api/api-keys', { name: `key ${i} ${'x'.repeat(150)}` })
    statuses.add(answer.status)
    if (answer.status === 201) made += 1
    else refused = answer.body
  }
  expect([...statuses]).toEqual([201, 503])
  expect(refused).toMatchObject({
    error: 'UNAVAILABLE',
    message: expect.stringContaining('The disk is full, so nothing was saved.'),
  })
  // One of them is the client's own key.
  expect((await client.get('/api/api-keys?limit=1')).body).toMatchObject({ total: made + 1 })
  const parts = await Promise.allSettled(
    [1, 2].map(() =>
      server.platform.store.group(() =>
        sqlite.prepare('INSERT INTO store_meta VALUES (?, ?)').run(`k${Math.random()}`, 'x'.repeat(100_000)),
      ),
    ),
  )
  expect(parts.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  sqlite.pragma('max_page_count = 1073741823')
  expect((await client.post('/api/api-keys', { name: 'again' })).status).toBe(201)
  expect((await client.get('/api/api-keys?limit=1')).body).toMatchObject({ total: made + 2 })
  await server.close()
})
