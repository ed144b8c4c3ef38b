import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoundConnector } from '../../../src/contract/executor-protocol.ts'
import { runCall } from '../../../src/executor/engine/calls.ts'
import { answer, json, startMisbehavingHttp, type MisbehavingHttp } from '../../support/misbehaving-http.ts'
import { startODataServer, type ODataServer } from '../../support/odata-service.ts'
import { webConnector } from './http-connector.ts'
import { fileConnector, runTask, temporaryFolder, type RunOptions } from './run-task.ts'

let shop: ODataServer
beforeAll(async () => {
  shop = await startODataServer()
})
afterAll(() => shop.stop())

const odata = (url: string): BoundConnector => webConnector(url, {}, {}, 'odata')

async function read(
  source: string,
  { url = shop.url, args = '{}', ...options }: RunOptions & { url?: string; args?: string } = {},
) {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {erp: {type: odata}, out: {type: file, access: write}}
args: ${args}
source: {connector: erp, odata: {${source}}}
target: {connector: out, file: {path: rows.jsonl}}
`,
    { erp: odata(url), out: fileConnector(out) },
    options,
  )
  const lines = (): string[] => readFileSync(join(out, 'rows.jsonl'), 'utf8').trimEnd().split('\n')
  const rows = (): Record<string, unknown>[] => lines().map((line) => JSON.parse(line) as Record<string, unknown>) // objects, one a line
  return { ...run, lines, rows, types: run.steps[0]?.columns.map(({ name, type }) => `${name} ${type}`) }
}

const idsOf = (run: { rows(): Record<string, unknown>[] }): unknown[] => run.rows().map(({ ID }) => ID)

describe('entities of a service', () => {
  it('keep their types and every digit, over all pages', async () => {
    const run = await read('entity: Orders, order_by: ID')
    expect(run.error).toBeUndefined()
    expect(run.types).toEqual([
      'ID BIGINT',
      'guid UUID',
      'number BIGINT',
      'total DECIMAL(18,4)',
      'free DECIMAL(38,1)',
      'rate DOUBLE',
      'paid BOOLEAN',
      'day DATE',
      'at TIME',
      'updated_at TIMESTAMP',
      'note VARCHAR',
      'data BLOB',
      'never BIGINT',
      'customer_code VARCHAR',
    ])
    expect(run.lines()[0]).toBe(
      '{"ID":1,"guid":"3f2b1c1e-7b1a-4c7e-9d56-0c2c6f3f0a11","number":9007199254740993,"total":1234567.8901,"free":1.5,"rate":2.0,"paid":true,"day":"2024-02-29","at":"10:11:12","updated_at":"2024-01-01 10:00:00.123","note":"it\'s","data":"\\\\x0001ff","never":null,"customer_code":"O\'Hara"}',
    )
    expect(idsOf(run)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(run.log.filter(({ level }) => level === 'debug')).toHaveLength(3)
  })

  it('that are none are an empty table with all columns', async () => {
    const run = await read('entity: Nothing')
    expect(run.error).toBeUndefined()
    expect(run.types).toEqual(['guid UUID', 'total DECIMAL(10,2)', 'free DECIMAL(38,10)'])
    expect(run.steps[0]?.rows_out).toBe(0)
    const chosen = await read('entity: Nothing, select: [total], columns: {total: number}')
    expect(chosen.types).toEqual(['total DOUBLE'])
  })

  it('come as chosen, with what hangs on them', async () => {
    const run = await read(
      'entity: Orders, select: [note, ID], expand: ["items($orderby=ID)", customer], filter: "ID le 2", order_by: ID desc',
    )
    expect(run.error).toBeUndefined()
    expect(run.types).toEqual(['note VARCHAR', 'ID BIGINT', 'items JSON', 'customer JSON'])
    expect(run.lines()[1]).toBe(
      '{"note":"it\'s","ID":1,"items":[{"ID":1,"order_ID":1,"qty":9007199254740993,"price":9.90},{"ID":2,"order_ID":1,"qty":2,"price":1.00}],"customer":{"code":"O\'Hara","name":"Ada 😀","address_city":"Oslo","address_zip":"0150"}}',
    )
    const path = await read(`entity: "Customers('O''Hara')/Orders"`)
    expect(path.error?.code).toBe('REQUEST_REFUSED')
    const one = await read('entity: Orders(1)/items')
    expect(idsOf(one)).toEqual([1, 2])
  })

  it.each([
    ['note eq :text', '{text: {type: string, default: "it\'s"}}', [1]],
    ['contains(note, :text)', '{text: {type: string, default: "2024-01"}}', [2]],
    ['note eq :text', '{text: {type: string, default: "2024-01-01"}}', [2]],
    ["note eq :text or note eq ''", '{text: {type: string, default: "x\' or true or note eq \'"}}', []],
    ['updated_at ge :since', '{since: {type: datetime, default: "2024-02-05"}}', [5, 6, 7]],
    [':since le updated_at', '{since: {type: datetime, default: "2024-02-06T02:00:00+02:00"}}', [6, 7]],
    ['day eq :day', '{day: {type: date, default: "2024-02-29"}}', [1]],
    ['number eq :n', '{n: {type: string, default: "9007199254740993"}}', [1]],
    ['total eq :n', '{n: {type: number, default: 0.5}}', [2]],
    ['guid eq :id', '{id: {type: string, default: "3f2b1c1e-7b1a-4c7e-9d56-0c2c6f3f0a11"}}', [1]],
    ['paid eq :yes', '{yes: {type: boolean, default: true}}', [1]],
    ['guid eq :nothing and ID lt 4', '{nothing: {type: string}}', [2, 3]],
    ['ID in (:a,:b)', '{a: {type: integer, default: 4}, b: {type: integer, default: 6}}', [4, 6]],
    ['ID in :all', '{all: {type: list, items: integer, default: [1, 7]}}', [1, 7]],
    ['customer/code eq :code and ID lt 5', '{code: {type: string, default: "O\'Hara"}}', [1, 4]],
    ['items/any(i:i/qty gt :least)', '{least: {type: integer, default: 6}}', [1, 2]],
  ])('are filtered: %s', async (filter, args, ids) => {
    const run = await read(`entity: Orders, order_by: ID, filter: "${filter}"`, { args })
    expect(run.error).toBeUndefined()
    expect(ids.length === 0 ? run.steps[0]?.rows_out : idsOf(run)).toEqual(ids.length === 0 ? 0 : ids)
  })

  it('a value that cannot be compared is refused before it is sent', async () => {
    const run = await read('entity: Orders, filter: "updated_at gt :since"', {
      args: '{since: {type: string, default: "x or true"}}',
    })
    expect(run.error).toMatchObject({
      code: 'VALUE_INVALID',
      message: '`:since` of the filter is “x or true”, but is compared with a moment',
    })
  })

  it('incremental tasks read on where they were', async () => {
    const yaml = (out: string) => `etl: 1
kind: pipeline
name: more
connectors: {erp: {type: odata}, out: {type: file, access: write}}
state: {cursor: {field: updated_at, type: datetime, initial: "2024-02-01T00:00:00Z"}}
source: {connector: erp, odata: {entity: Orders, filter: "updated_at gt :since", params: {since: "\${{ state.cursor }}"}}}
target: {connector: out, file: {path: ${out}}}
`
    const connectors = { erp: odata(shop.url), out: fileConnector(temporaryFolder()) }
    const first = await runTask(yaml('a.jsonl'), connectors)
    expect(first.error).toBeUndefined()
    expect(first.item_count).toBe(4)
    expect(first.state?.cursor).toContain('2024-02-07T00:00:00')
    const second = await runTask(yaml('b.jsonl'), connectors, { state: first.state })
    expect(second.error).toBeUndefined()
    expect(second.item_count).toBe(0)
  })

  it('that are not there are an error of the service', async () => {
    expect((await read('entity: Orderz')).error).toMatchObject({
      code: 'REQUEST_REFUSED',
      message: expect.stringContaining('404') as string,
    })
  })

  it('a preview asks for no more than it shows', async () => {
    const result = await runCall(
      {
        kind: 'preview',
        yaml_content:
          'etl: 1\nkind: pipeline\nname: p\nconnectors: {erp: {type: odata}, out: {type: file, access: write}}\nsource: {connector: erp, odata: {entity: Orders}}\ntarget: {connector: out, file: {path: o.csv}}\n',
        arguments: {},
        connectors: { erp: odata(shop.url), out: fileConnector(temporaryFolder()) },
        step: 0,
        limit: 4,
      },
      { signal: new AbortController().signal, tempDir: temporaryFolder() },
    )
    expect(result).toMatchObject({ value: { sampled_rows: 4, stages: [{ row_count: 4 }] } })
    const single = await read('entity: Orders(1)')
    expect(idsOf(single)).toEqual([1])
  })
})

describe('an OData connector', () => {
  const io = () => ({ signal: new AbortController().signal, tempDir: temporaryFolder() })

  it('is tested stage by stage, up to the description of the service', async () => {
    const good = await runCall({ kind: 'test', connector: odata(shop.url) }, io())
    expect(good).toMatchObject({ value: { ok: true } })
    const wrong = await runCall({ kind: 'test', connector: odata(shop.url.replace('/shop', '/nothing')) }, io())
    expect(wrong).toMatchObject({
      value: { ok: false, checks: [{ ok: true }, { ok: true }, { ok: true }, { name: 'read_probe', ok: false }] },
    })
  })

  it('lists its entity sets, their columns and some rows', async () => {
    expect(await runCall({ kind: 'list_resources', connector: odata(shop.url), q: 'ER' }, io())).toEqual({
      kind: 'list_resources',
      value: {
        resources: ['Customers', 'Orders'].map((name) => ({
          name,
          kind: 'entity_set',
          row_estimate: null,
          bytes: null,
        })),
        truncated: false,
      },
    })
    const detail = await runCall({ kind: 'get_resource', connector: odata(shop.url), name: 'Items' }, io())
    expect(detail).toMatchObject({
      value: {
        kind: 'entity_set',
        row_estimate: 3,
        columns: [
          { name: 'ID', type: 'Edm.Int32', primary_key: true, nullable: false },
          { name: 'order_ID', type: 'Edm.Int32' },
          { name: 'qty', type: 'Edm.Int64' },
          { name: 'price', type: 'Edm.Decimal(9,2)' },
        ],
        sample: {
          rows: [
            [1, 1, '9007199254740993', '9.90'],
            [2, 1, 2, '1.00'],
            [3, 2, 7, '0.10'],
          ],
        },
      },
    })
    await expect(
      runCall({ kind: 'get_resource', connector: odata(shop.url), name: 'Nope' }, io()),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('services that do things their own way', () => {
  let server: MisbehavingHttp
  beforeEach(async () => {
    server = await startMisbehavingHttp()
  })
  afterEach(() => server.stop())

  const metadata = (version = '4.01') =>
    answer(
      `<?xml version="1.0"?><!-- a service --><edmx:Edmx Version="${version}" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
<Schema Namespace="my.space" Alias="SELF" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EnumType Name="Color"><Member Name="Red"/></EnumType>
<TypeDefinition Name="Money" UnderlyingType="Edm.Decimal"/>
<EntityType Name="Base" Abstract="true"><Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Int64" Nullable="false"/></EntityType>
<EntityType Name="Thing" BaseType="SELF.Base" OpenType="true"><Property Name="color" Type="SELF.Color"/><Property Name="price" Type="SELF.Money"/>
<Property Name="at" Type="Edm.DateTimeOffset"/><Property Name="size" Type="Edm.Double"/><NavigationProperty Name="parts" Type="Collection(SELF.Thing)"/></EntityType>
<EntityType Name="File" BaseType="SELF.Base"><Property Name="data" Type="Edm.Binary"/></EntityType>
<EntityContainer Name="C"><EntitySet Name="Files" EntityType="SELF.File"/><EntitySet Name="Things" EntityType="SELF.Thing"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`,
      { headers: { 'content-type': 'application/xml' } },
    )

  it('floating point stays such where a value has many digits', async () => {
    server.on('/$metadata', metadata())
    server.on('/Things', answer('{"@odata.context":"$metadata#Things","value":[{"id":1,"size":9007199254740994.0}]}'))
    const run = await read('entity: Things, select: [id, size]', { url: server.url })
    expect(run.error).toBeUndefined()
    expect(run.types).toEqual(['id BIGINT', 'size DOUBLE'])
    expect(run.rows()).toEqual([{ id: 1, size: 9007199254740994 }])
  })

  it('half characters are counted, on every page and in answers about nested lists', async () => {
    server.on('/$metadata', metadata())
    server.on(
      '/Things',
      answer(
        '{"value":[{"id":1,"color":"a\\ud83d","parts":[],"parts@odata.nextLink":"Parts"}],"@odata.nextLink":"More"}',
      ),
    )
    server.on('/Parts', answer('{"value":[{"id":3,"color":"\\udc00\\ud83d\\ude00"}]}'))
    server.on('/More', answer('{"value":[{"id":2,"color":"\\ud83d\\ude00"}]}'))
    const run = await read('entity: Things, select: [id, color, parts]', { url: server.url })
    expect(run.error).toBeUndefined()
    expect(run.rows()).toEqual([
      { id: 1, color: 'a\ufffd', parts: [{ id: 3, color: '\ufffd😀' }] },
      { id: 2, color: '😀', parts: null },
    ])
    const change = 'half a character (a lone surrogate), read as U+FFFD'
    expect(run.steps[0]?.changes).toMatchObject([
      { column: 'color', change, count: 1 },
      { column: 'parts', change, count: 1 },
    ])
    expect(run.log.map(({ message }) => message)).toContain(`Column \`color\`, 1 value: ${change}`)
  })

  it('bytes that are no base64 stay the text that they are', async () => {
    server.on('/$metadata', metadata())
    server.on(
      '/Files',
      answer('{"value":[{"id":1,"data":"AP8="},{"id":2,"data":"not base64!"},{"id":3,"data":"AP-_"}]}'),
    )
    const run = await read('entity: Files', { url: server.url })
    expect(run.error).toBeUndefined()
    expect(run.rows().map(({ data }) => data)).toEqual(['AP8=', 'not base64!', 'AP+/'])
  })

  it('inherited types, aliases, numbers as numbers, seconds left out, open types, blanks as %20', async () => {
    server.on('/$metadata', metadata())
    server.on('/Things', (response, request, count) => {
      expect(request.headers['prefer']).toBe('odata.maxpagesize=1000')
      answer(
        '{"@odata.context":"$metadata#Things","value":[{"@odata.etag":"x","id":9007199254740993,"color":"Red","price":12345678901234567890.12,"at":"2024-01-01T10:00+02:00","size":"INF","extra":"é","parts@odata.count":0}]}',
      )(response, request, count)
    })
    const run = await read('entity: Things, filter: "color eq :c and note eq \'a b\'"', {
      url: `${server.url}/?client=1`,
      args: '{c: {type: string, default: Red}}',
    })
    expect(run.error).toBeUndefined()
    expect(run.types).toEqual([
      'id BIGINT',
      'color VARCHAR',
      'price DECIMAL(38,2)',
      'at TIMESTAMP',
      'size DOUBLE',
      'extra VARCHAR',
    ])
    expect(run.lines()).toEqual([
      '{"id":9007199254740993,"color":"Red","price":"12345678901234567890.12","at":"2024-01-01 08:00:00","size":"inf","extra":"é"}',
    ])
    expect(server.seen.at(-1)?.query.get('client')).toBe('1')
    expect(server.seen.at(-1)?.query.get('$filter')).toBe("color eq my.space.Color'Red' and note eq 'a b'")
  })

  it('lists inside of entities that come in pages are read to their end', async () => {
    server.on('/$metadata', metadata())
    server.on(
      '/Things',
      json({ value: [{ id: '1', parts: [{ id: '2' }], 'parts@odata.nextLink': 'Things(1)/parts?$skip=1' }] }),
    )
    server.on('/Things(1)/parts', json({ value: [{ id: '3' }] }))
    const run = await read('entity: Things, expand: [parts]', { url: server.url })
    expect(run.error).toBeUndefined()
    expect(run.rows()[0]?.['parts']).toEqual([{ id: 2 }, { id: 3 }])
  })

  it('a list inside of an entity that is all on a page of its own is read, too', async () => {
    server.on('/$metadata', metadata())
    server.on('/Things', json({ value: [{ id: '1', 'parts@odata.nextLink': 'Things(1)/parts' }] }))
    server.on('/Things(1)/parts', json({ value: [{ id: '3' }] }))
    const whole = await read('entity: Things, expand: [parts]', { url: server.url })
    expect(whole.rows()[0]?.['parts']).toEqual([{ id: 3 }])
  })

  it.each([
    ['no page at all', answer('')],
    ['an empty object', json({})],
    ['annotations alone', json({ '@odata.context': '$metadata#Things' })],
    ['the beginning of a page', answer('{"value":[{"id":"1"}')],
  ])('%s in place of a page is no end of the pages', async (_, page) => {
    server.on('/$metadata', metadata())
    const ask = async () => (await read('entity: Things, expand: [parts]', { url: server.url })).error
    server.on('/Things', page)
    expect(await ask()).toMatchObject({ code: 'RESPONSE_INVALID' })
    // As the second page, and as one of a list inside of an entity.
    server.on('/Things', json({ value: [{ id: '1' }], '@odata.nextLink': 'More' }))
    server.on('/More', page)
    expect(await ask()).toMatchObject({ code: 'RESPONSE_INVALID' })
    server.on('/Things', json({ value: [{ id: '1', parts: [], 'parts@odata.nextLink': 'More' }] }))
    expect(await ask()).toMatchObject({ code: 'RESPONSE_INVALID' })
  })

  it('a page that holds an entity in place of a list is refused', async () => {
    server.on('/$metadata', metadata())
    server.on('/Things', json({ value: [{ id: '1' }], '@odata.nextLink': 'More' }))
    server.on('/More', json({ id: '2' }))
    expect((await read('entity: Things', { url: server.url })).error).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('is a page without `value`') as string,
    })
  })

  it.each([
    ['204 in place of a page', 'PAGES_INVALID', answer('', { status: 204 })],
    ['null in place of a page', 'RESPONSE_INVALID', json({ value: null })],
    ['202 in place of a page', 'REQUEST_FAILED', json({ value: [] }, { status: 202 })],
    ['a page that comes again', 'PAGES_INVALID', json({ value: [{ id: '1' }], '@odata.nextLink': 'Last' })],
  ])('%s fails the run', async (_, code, page) => {
    server.on('/$metadata', metadata())
    server.on('/Last', json({ value: [{ id: '3' }] }))
    server.on('/Things', json({ value: [{ id: '1' }], '@odata.nextLink': 'More' }))
    server.on('/More', page)
    expect((await read('entity: Things', { url: server.url })).error?.code).toBe(code)
  })

  it('pages of equal entities are read where their keys were not asked for', async () => {
    server.on('/$metadata', metadata())
    server.on('/Things', json({ value: [{ color: 'Red' }], '@odata.nextLink': 'More' }))
    server.on('/More', json({ value: [{ color: 'Red' }] }))
    const run = await read('entity: Things, select: [color]', { url: server.url })
    expect(run.error).toBeUndefined()
    expect(run.rows()).toHaveLength(2)
  })

  it('pages without end, links to other servers, other versions and no service at all are errors', async () => {
    server.on('/$metadata', metadata())
    server.on('/Things', json({ value: [{ id: '1' }], '@odata.nextLink': 'Things?$skiptoken=1' }))
    expect((await read('entity: Things', { url: server.url })).error?.code).toBe('PAGES_INVALID')
    server.on('/Things', json({ value: [], '@odata.nextLink': 'http://example.com/Things' }))
    expect((await read('entity: Things', { url: server.url })).error?.message).toContain('another server')
    server.on('/$metadata', metadata('1.0'))
    expect((await read('entity: Things', { url: server.url })).error?.message).toContain('OData of version 1.0')
    server.on('/$metadata', answer('<html><body>Sign in</body>', { headers: { 'content-type': 'text/html' } }))
    expect((await read('entity: Things', { url: server.url })).error).toMatchObject({ code: 'RESPONSE_INVALID' })
    server.on('/$metadata', answer('<!DOCTYPE x [<!ENTITY a "aaaa">]><x>&a;</x>'))
    expect((await read('entity: Things', { url: server.url })).error?.message).toContain('document type')
  })
})
