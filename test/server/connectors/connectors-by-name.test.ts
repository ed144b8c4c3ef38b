import { expect, onTestFinished, test, vi } from 'vitest'
import type { Paginated } from '../../../src/contract/common.ts'
import { type Connector, createConnector } from '../../../src/contract/connectors.ts'
import { startTestServer } from '../../support/server.ts'

test('connectors come by name in any case of letters, each page read from an index in its order', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const admin = server.as('admin')
  for (const name of ['bravo', 'Alpha', 'Charlie', 'delta'])
    await admin.call(createConnector, { body: { name, type: 'file', config: { root: '/data' } } })
  const { sqlite } = server.platform.store
  const prepared = vi.spyOn(sqlite, 'prepare')
  onTestFinished(() => prepared.mockRestore())
  const page = async (cursor?: string) => {
    const { body } = await admin.get('/api/connectors', {
      query: { sort: 'name', limit: 2, ...(cursor && { cursor }) },
    })
    return body as Paginated<Connector>
  }
  const first = await page()
  const second = await page(first.nextCursor!)
  expect([...first.result, ...second.result].map(({ name }) => name)).toEqual(['Alpha', 'bravo', 'Charlie', 'delta'])

  const texts = prepared.mock.calls.map(([one]) => one).filter((one) => /from "connectors".*order by/.test(one))
  expect(texts.length).toBeGreaterThanOrEqual(2)
  for (const text of texts) {
    const values = [...text.matchAll(/\?/g)].map(() => 1)
    const plan = sqlite.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text}`).all(...values)
    const details = plan.map(({ detail }) => detail).join('\n')
    expect(details).toMatch(/INDEX connectors_by_name\b/)
    expect(details).not.toMatch(/TEMP B-TREE/)
  }
})
