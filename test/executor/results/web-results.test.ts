// Queries of HTTP APIs and OData services through server, executor and worker.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startODataServer, type ODataServer } from '../../support/odata-service.ts'
import { markMistake, startResultWorld, type ResultWorld } from './result-world.ts'

let world: ResultWorld
beforeAll(async () => {
  world = await startResultWorld()
})
afterAll(() => world?.close())

type Entity = Record<string, unknown>
type Page = Entity[] | (() => Promise<Entity[]>)

/** A service whose pages say what its description does not: no real one does. */
async function oddService(pages: Page[], work: (connector: number) => Promise<void>): Promise<void> {
  const properties =
    '<Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Int64"/><Property Name="name" Type="Edm.String"/>'
  const model = `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
    <Schema Namespace="n" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Thing">${properties}</EntityType>
    <EntityType Name="Loose" OpenType="true">${properties}</EntityType>
    <EntityContainer Name="c"><EntitySet Name="Things" EntityType="n.Thing"/><EntitySet Name="Open" EntityType="n.Loose"/></EntityContainer>
    </Schema></edmx:DataServices></edmx:Edmx>`
  const answer = async ({ url = '' }: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (url.includes('$metadata')) return void response.setHeader('content-type', 'application/xml').end(model)
    const number = Number(new URL(url, 'http://x').searchParams.get('page') ?? 0)
    const page = pages[number] ?? []
    const next = number + 1 < pages.length ? { '@odata.nextLink': `Things?page=${number + 1}` } : {}
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ value: typeof page === 'function' ? await page() : page, ...next }))
  }
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // listens on TCP
  try {
    await work(
      await world.connect({
        type: 'odata',
        config: { base_url: `http://127.0.0.1:${port}/odata`, allow_private: true },
        secrets: {},
      }),
    )
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

describe('OData', () => {
  let server: ODataServer
  let id: number
  beforeAll(async () => {
    server = await startODataServer()
    id = await world.connect({ type: 'odata', config: { base_url: server.url, allow_private: true }, secrets: {} })
  })
  afterAll(() => server?.stop())

  test('a mistake is told in the words of the service, at its place', async () => {
    const queries = [
      'Orders?$filter=▮totl gt 0',
      'Orders?$select=ID,▮totl',
      'Orders?$orderby=ID asc▮c&$filter=total gt 0',
      'Orders?$filter=total gt▮t 0',
      '▮Ordrs?$top=1',
    ]
    for (const query of queries) expect(await markMistake(world, id, query)).toBe(query)
    const { body } = await world.ask(id, 'Orders?$filter=totl gt 0')
    expect(JSON.stringify(body)).toContain('400 Bad Request: “Property \\"totl\\" does not exist in \\"Shop.Orders\\"”')
  })

  test('a query is the path and its options, with values exact and every page read', async () => {
    const whole = async (...asked: [string, Parameters<typeof world.run>[2]?]) => {
      const first = await world.run(id, ...asked)
      const rows = [...first.rows]
      for (let cursor = first.nextCursor; cursor !== null;) {
        const page = await world.next(id, first.query_id, cursor)
        rows.push(...page.rows)
        cursor = page.nextCursor
      }
      return { fields: first.fields, rows }
    }
    const all = await whole('Orders?$orderby=ID')
    expect(all.rows).toHaveLength(7)
    const at = (name: string) => all.fields.findIndex((field) => field.name === name)
    expect(
      ['number', 'total', 'updated_at', 'data'].map((name) => [all.fields[at(name)]?.type, all.rows[0]?.[at(name)]]),
    ).toEqual([
      ['bigint', '9007199254740993'],
      ['decimal', '1234567.8901'],
      ['datetime', '2024-01-01T10:00:00.123'],
      ['bytes', expect.any(String)],
    ])
    const some = await whole(
      'Orders?$filter=note eq :note or total gt 0.4 and ID gt 1&$select=ID,total&$orderby=ID desc',
      {
        parameters: { note: "it's" },
      },
    )
    expect(some.fields.map(({ name }) => name)).toEqual(['ID', 'total'])
    expect(some.rows.map(([n]) => n)).toEqual(['7', '6', '5', '4', '2', '1'])
    expect((await world.run(id, 'Orders?$top=2&$skip=1&$select=ID&$orderby=ID')).rows).toEqual([['2'], ['3']])
    expect((await world.run(id, 'Orders?%24top=1&$filter=ID%20eq%202&$select=ID')).rows).toEqual([['2']])
    const { rows } = await world.run(id, 'Orders(1)?$expand=items($select=qty;$orderby=qty)&$select=ID')
    expect(rows).toEqual([['1', expect.stringContaining('9007199254740993')]])
    expect((await world.run(id, 'Nothing')).fields.map(({ name }) => name)).toContain('guid')
  })

  test('values that are not of the type that the service describes keep their own, page by page', async () => {
    const pages = [[{ id: 1, name: 'a' }, { id: 2 }], [{ id: '99999999999999999999', name: 7, '@odata.etag': 'x' }]]
    await oddService(pages, async (odata) => {
      const rows: unknown[] = []
      const { fields } = await world.all(odata, 'Things', (page) => void rows.push(...page.rows))
      expect(fields.map(({ name, type }) => [name, type])).toEqual([
        ['id', 'bigint'],
        ['name', 'text'],
      ])
      expect(rows).toEqual([
        ['1', 'a'],
        ['2', null],
        [{ text: '99999999999999999999' }, { bigint: '7' }],
      ])
    })
  })

  test('rows of the first page are there before the second one is sent', async () => {
    const gate = Promise.withResolvers<void>()
    const pages = [[{ id: 1, name: 'first' }], () => gate.promise.then(() => [{ id: 2, name: 'second' }])]
    await oddService(pages, async (odata) => {
      const first = await world.run(odata, 'Things')
      expect(first.rows).toEqual([['1', 'first']])
      gate.resolve()
      expect(first.nextCursor).not.toBeNull()
      const second = await world.next(odata, first.query_id, first.nextCursor ?? '')
      expect(second).toMatchObject({ rows: [['2', 'second']], nextCursor: null })
    })
  })

  test('a property that is described nowhere ends the result with its name, and is never left out', async () => {
    await oddService([[{ id: 1, name: 'a' }], [{ id: 2, name: 'b', surprise: 1 }]], async (odata) => {
      const all = (query: string) => world.all(odata, query, () => undefined)
      await expect(all('Things')).rejects.toThrow('surprise')
      expect((await all('Things?$select=id,name')).fields).toHaveLength(2)
      expect((await all('Open')).fields.map(({ name }) => name)).toEqual(['id', 'name', 'surprise'])
    })
  })

  test('what is no query, and what leads out of the service, is refused', async () => {
    for (const text of [
      'Missing',
      '../other/Orders',
      'Orders?$filter=ID eq :none',
      '/../../Orders',
      'Orders\nCustomers',
      'https://example.com/Orders',
    ]) {
      expect([text, (await world.ask(id, text)).status]).toEqual([
        text,
        expect.toSatisfy((status: number) => status === 400 || status === 502),
      ])
    }
  })
})

describe('HTTP', () => {
  let server: Server
  let id: number
  let asked: string[]
  let left: Promise<void>
  const answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void> = {
    '/v1/orders': (_, response) =>
      response.end('[{"id": 9007199254740993, "total": 1.10, "in": {"a": 1}}, {"id": 2, "total": 3}]'),
    '/v1/wrapped': (_, response) => response.end('{"data": {"items": [{"id": 1}, {"id": 2}]}, "more": false}'),
    '/v1/empty': (_, response) => response.end('[]'),
    '/v1/metadata': (_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
    '/v1/file': (_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    '/secret': (_, response) => response.end('[{"secret": 1}]'),
  }
  const portOf = (of: Server): number => (of.address() as AddressInfo).port
  beforeAll(async () => {
    asked = []
    const gone = Promise.withResolvers<void>()
    left = gone.promise
    server = createServer((request, response) => {
      const path = (request.url ?? '').replace(/\?.*/, '')
      asked.push(`${request.method} ${request.url}`)
      response.setHeader('content-type', 'application/json')
      if (path === '/v1/endless') {
        response.write('[')
        response.once('close', gone.resolve)
      } else (answers[path] ?? ((_, none) => none.writeHead(404).end()))(request, response)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const config = { base_url: `http://127.0.0.1:${portOf(server)}/v1`, allow_private: true }
    id = await world.connect({ type: 'http', config, secrets: {} })
  })
  afterAll(() => {
    server?.closeAllConnections()
    server?.close()
  })

  test('rows are found as a source of a task finds them, with every digit', async () => {
    const { fields, rows, statement } = await world.run(id, '/orders?status=open')
    expect(fields.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'bigint'],
      ['total', 'double'],
      ['in', 'json'],
    ])
    expect(rows).toEqual([
      ['9007199254740993', 1.1, '{"a":1}'],
      ['2', 3, null],
    ])
    expect(statement).toBe('GET /orders?status=open')
    expect(asked).toContain('GET /v1/orders?status=open')
    expect((await world.run(id, 'GET wrapped\nrecords: data.items')).rows).toEqual([['1'], ['2']])
    expect((await world.run(id, '/empty')).rows).toEqual([])
  })

  test('values of parameters are one part of the address each, and lead nowhere else', async () => {
    const parameters = { kind: 'orders', status: 'a&b=/../c d', none: null }
    const { rows } = await world.run(id, '/:kind?status=:status&at=12:30&none=:none', { parameters })
    expect(rows).toHaveLength(2)
    const sent = new URL(asked.at(-1)?.replace('GET ', '') ?? '', 'http://api')
    expect([sent.pathname, ...sent.searchParams]).toEqual([
      '/v1/orders',
      ['status', 'a&b=/../c d'],
      ['at', '12:30'],
      ['none', ''],
    ])
    for (const kind of ['..', '.', '', null, '../secret', 'orders/../../secret'])
      expect([kind, (await world.ask(id, '/:kind', { parameters: { kind } })).status]).toEqual([
        kind,
        expect.toSatisfy((status: number) => status === 400 || status === 502),
      ])
    expect((await world.ask(id, '/:kind')).status).toBe(400)
    expect(asked.filter((line) => !line.startsWith('GET /v1/'))).toEqual([])
  })

  test('nothing but GET below the base URL is sent, and redirects lead nowhere else', async () => {
    const before = asked.length
    const attempts = [
      '../secret',
      '/../secret',
      '/%2e%2e/secret',
      'POST /orders',
      'DELETE /orders',
      '/orders /secret',
      '/orders\nrecords: a b',
      '/orders\npaginate: x',
      '//example.com/x',
      'https://example.com/x',
      '/metadata',
      '/file',
    ]
    const through: unknown[] = []
    for (const text of attempts) {
      const answer = await world.ask(id, text)
      if (![400, 502].includes(answer.status)) through.push([text, answer.status, answer.body])
    }
    expect(through).toEqual([])
    expect(asked.slice(before).filter((line) => !line.startsWith('GET /v1/'))).toEqual([])
    const config = { base_url: `http://127.0.0.1:${portOf(server)}/v1` }
    const open = await world.connect({ type: 'http', config, secrets: {} })
    expect(await world.ask(open, '/orders')).toMatchObject({ status: 502 })
  })

  test('a client that leaves ends the request', async () => {
    const leaving = new AbortController()
    const asking = fetch(new URL(`/api/connectors/${id}/query`, world.server.url), {
      method: 'POST',
      headers: { ...world.editor.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ definition: { mode: 'raw', rawQuery: '/endless' } }),
      signal: leaving.signal,
    }).catch((error: unknown) => error)
    await expect.poll(() => asked).toContain('GET /v1/endless')
    const began = performance.now()
    leaving.abort()
    await asking
    await left
    expect(performance.now() - began).toBeLessThan(5_000)
  })
})
