// Conditions over REST, through server, executor and worker: OData, HTTP, and files, and what is refused.
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QueryResult } from '../../../src/contract/queries.ts'
import { startODataServer, type ODataServer } from '../../support/odata-service.ts'
import { startResultWorld, type ResultWorld } from './result-world.ts'

let world: ResultWorld
beforeAll(async () => {
  world = await startResultWorld()
})
afterAll(() => world?.close())

const ask = (id: number, resource: string | undefined, definition: object, parameters?: object) =>
  world.editor.post(`/api/connectors/${id}/query`, {
    definition: { mode: 'visual', ...definition },
    resource,
    parameters,
  })
const filter = (field: string, operator: string, value = '', valueType?: string) => ({
  field,
  operator,
  value,
  valueType,
})

describe('OData', () => {
  let service: ODataServer
  let id: number
  beforeAll(async () => {
    service = await startODataServer()
    id = await world.connect({ type: 'odata', config: { base_url: service.url, allow_private: true }, secrets: {} })
  }, 60_000)
  afterAll(() => service?.stop())

  const ids = async (...filters: object[]) => {
    const { body } = await ask(id, 'Orders', { filters, columns: ['ID'], sort: 'ID' })
    const { query_id, rows, ...first } = body as QueryResult // else the test fails below
    const all = [...(rows ?? [first])]
    for (let cursor = first.nextCursor ?? null; cursor !== null;) {
      const page = await world.next(id, query_id, cursor)
      all.push(...page.rows)
      cursor = page.nextCursor
    }
    return all.map((row) => (Array.isArray(row) ? Number(row[0]) : row))
  }

  test('filters with values of the types that the service describes', async () => {
    expect(await ids(filter('note', '=', "it's"))).toEqual([1])
    expect(await ids(filter('number', '>=', '9007199254740993'))).toEqual([1])
    expect(await ids(filter('number', 'in', '-5, 4'))).toEqual([2, 4])
    expect(await ids(filter('number', 'not in', '-5, 4'))).toEqual([1, 5, 6, 7])
    expect(await ids(filter('number', 'is null'))).toEqual([3])
    expect(await ids(filter('paid', '!=', 'true'))).toEqual([2])
    expect(await ids(filter('updated_at', '<', '2024-01-02', 'date'))).toEqual([1])
    expect(await ids(filter('note', 'contains', "'"))).toEqual([1])
    expect(await ids(filter('note', 'not contains', "'"))).toEqual([2])
    expect(await ids(filter('customer/name', 'starts with', 'Ada'), filter('ID', '>', '4'))).toEqual([5, 6, 7])
  })

  test('counts at the service', async () => {
    const { body } = await ask(id, 'Orders', { action: 'count', filters: [filter('number', '>', '4', 'number')] })
    expect(body).toMatchObject({ statement: 'Orders/$count?$filter=number gt :number', rows: [['4']], complete: true })
    expect(await ask(id, 'Orders', { action: 'count' })).toMatchObject({ body: { rows: [['7']] } })
  })

  test('a name can’t bring an expression along', async () => {
    const names = ['ID eq 1 or ID', 'ID)', "ID','", 'ID?$top=1', '']
    for (const field of names) {
      const answer = await ask(id, 'Orders', { filters: [filter(field, '=', '1')] })
      expect(answer).toMatchObject({ status: 400, body: { details: [{ path: 'body.definition.filters[0].field' }] } })
    }
    expect(await ask(id, 'Orders?$top=1', {})).toMatchObject({
      status: 400,
      body: { details: [{ path: 'body.resource' }] },
    })
  })
})

test('HTTP sends conditions as parameters of the address, and refuses what it can’t do', async () => {
  const asked: string[] = []
  const server = createServer(({ url = '' }, response) => {
    asked.push(url)
    response.setHeader('content-type', 'application/json').end(JSON.stringify([{ id: 1 }]))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    const { port } = server.address() as AddressInfo // listens on TCP
    const config = { base_url: `http://127.0.0.1:${port}/api`, allow_private: true }
    const id = await world.connect({ type: 'http', config, secrets: {} })
    const { status } = await ask(id, 'orders', {
      filters: [filter('state', '=', 'a&b=c/../:x'), filter('q y', '=', '5')],
    })
    expect([status, asked]).toEqual([200, ['/api/orders?state=a%26b%3Dc%2F..%2F%3Ax&q+y=5']])
    for (const [part, definition] of Object.entries({
      'filters[0].operator': { filters: [filter('a', '>', '1')] },
      action: { action: 'count' },
      columns: { columns: ['a'] },
      sort: { sort: 'a' },
      limit: { limit: '5' },
    })) {
      expect(await ask(id, 'orders', definition)).toMatchObject({
        status: 400,
        body: { details: [{ path: `body.definition.${part}` }] },
      })
    }
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

describe('files', () => {
  let id: number
  const name = `in/or'd "ers.csv`
  beforeAll(async () => {
    const root = join(world.folder, 'files')
    mkdirSync(join(root, 'in'), { recursive: true })
    writeFileSync(join(root, name), `id,name,total\n1,O'Hara,1.5\n2,"100%",20\n3,,\n4,{{who}},7\n`)
    id = await world.connect({ type: 'file', config: { root }, secrets: {} })
  })

  const rows = async (definition: object, parameters?: object) => {
    const { body } = await ask(id, name, { columns: ['id'], sort: 'id', ...definition }, parameters)
    return (body as { rows: unknown[][] }).rows?.map(([one]) => Number(one)) ?? body
  }

  test('are filtered like tables', async () => {
    expect(await rows({ filters: [filter('total', '>', '1.5')] })).toEqual([2, 4])
    expect(await rows({ filters: [filter('name', 'ends with', '%')] })).toEqual([2])
    expect(await rows({ filters: [filter('name', 'is null')] })).toEqual([3])
    expect(await rows({ action: 'count', columns: [], sort: '' })).toEqual([4])
    const { body } = await ask(id, name, { filters: [filter('name', '=', "O'Hara")], limit: '5' })
    expect(body).toMatchObject({
      statement: `SELECT *\nFROM 'in/or''d "ers.csv'\nWHERE "name" = :name\nLIMIT 5`,
      rows: [['1', "O'Hara", 1.5]],
    })
  })

  const who = { name: 'who', label: 'Who', type: 'string' }
  test('a value is expanded once, wherever it comes from', async () => {
    const filters = [filter('name', '=', '{{who}}')]
    expect(await rows({ filters, parameters: [who] }, { who: '{{who}}' })).toEqual([4])
    expect(await rows({ filters, parameters: [who] }, { who: "' OR 1=1 --" })).toEqual([])
    const listed = [filter('name', 'in', '{{who}}, 100%')]
    expect(await rows({ filters: listed, parameters: [who] }, { who: "O'Hara, 100%" })).toEqual([2])
  })

  test('what is wrong is refused with its place', async () => {
    const wrong: [object, string, object?][] = [
      [{ filters: [filter('total', '>', 'much', 'number')] }, 'definition.filters[0].value'],
      [{ filters: [filter('total', '>', '2024-02-30', 'date')] }, 'definition.filters[0].value'],
      [{ filters: [filter('total', 'or 1=1', '1')] }, 'definition.filters[0].operator'],
      [
        { filters: [filter('total', '{{who}}', '1')], parameters: [who] },
        'definition.filters[0].operator',
        { who: '=' },
      ],
      [{ filters: [filter('name', '=', '{{who}}')] }, 'definition.filters[0].value', {}],
      [{ filters: [filter('name', '=', '{{who}}')], parameters: [who] }, 'parameters.who', {}],
      [{ filters: [filter('name', '=', '{{who}}')], parameters: [who] }, 'parameters.who', { who: { $ne: 1 } }],
      [{}, 'parameters.other', { other: '1' }],
      [{ limit: '5; DROP' }, 'definition.limit'],
      [{ action: 'delete' }, 'definition.action'],
      [{ mode: 'raw' }, 'definition.rawQuery'],
    ]
    for (const [definition, path, parameters] of wrong) {
      const answer = await ask(id, name, definition, parameters)
      expect([answer.status, (answer.body as { details: { path: string }[] }).details[0]?.path]).toEqual([
        400,
        `body.${path}`,
      ])
    }
    expect(await ask(id, undefined, {})).toMatchObject({ status: 400, body: { details: [{ path: 'body.resource' }] } })
    expect((await ask(id, 'nowhere.csv', { filters: [filter('a', '=', '1')] })).status).toBe(404)
    expect(await ask(id, '../app.csv', {})).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ code: 'path_leads_out' }, { code: 'PATH_OUTSIDE_FOLDER' }] },
    })
  })
})
