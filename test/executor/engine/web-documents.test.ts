import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { answer, json, startMisbehavingHttp, type MisbehavingHttp } from '../../support/misbehaving-http.ts'
import { parseJson } from '../../../src/executor/connectors/web/json.ts'
import { TypedText } from '../../../src/executor/sources/record-values.ts'
import { webConnector } from './http-connector.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

/** Documents of APIs stay what they were; what they hold is told by all records. */

let server: MisbehavingHttp
beforeEach(async () => {
  server = await startMisbehavingHttp()
})
afterEach(() => server.stop())

async function read(source: string, type: 'http' | 'odata' = 'http', target = 'rows.csv') {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {api: {type: ${type}}, out: {type: file, access: write}}
source: {connector: api, ${type}: {${source}}}
target: {connector: out, file: {path: ${target}}}
`,
    { api: webConnector(server.url, {}, {}, type), out: fileConnector(out) },
  )
  const lines = (): string[] => readFileSync(join(out, target), 'utf8').trimEnd().split('\n')
  return { run, lines, types: (run.steps[0]?.columns ?? []).map(({ name, type: found }) => `${name} ${found}`) }
}

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`

describe('a document of an API', () => {
  it('keeps its keys, their order and every digit', async () => {
    const document =
      '{"b":1.10,"10":9007199254740993,"2":[1e400,1E3,{"z":12345678901234567890.123456789}],"a":"\\u00e9"}'
    server.on('/rows', answer(`{"n":1,"data":[{"id":1,"p": ${document.replaceAll(',', ' ,\n ')}},{"id":2,"p":"x"}]}`))
    const { run, lines, types } = await read('path: /rows, records: data', 'http', 'rows.jsonl')
    expect(run.error).toBeUndefined()
    expect(types).toEqual(['id BIGINT', 'p JSON'])
    expect(lines()).toEqual([`{"id":1,"p":${document}}`, '{"id":2,"p":"x"}'])
  })

  it('has numbers with every digit, wherever the point stands', () => {
    const digits = '9999999999999999'
    const numbers = [...digits].slice(1).map((_, at) => `-${digits.slice(0, at + 1)}.${digits.slice(at + 1)}`)
    expect(parseJson(`[${numbers.join()}]`)).toEqual(numbers.map((written) => new TypedText('decimal', written)))
  })

  it('has the sign of a zero, however it is written', () => {
    const zero = new TypedText('number', '-0')
    expect(parseJson('{"a": -0}')).toEqual({ a: zero })
    expect(parseJson('[0, -0, 1, "-0", -0.5]')).toEqual([0, zero, 1, '-0', -0.5])
  })

  it('has numbers of as many digits as are sent, over all pages', async () => {
    server.on('/rows', (response, request, count) =>
      answer(['[{"a":1.5,"b":1}]', '[{"a":1234567890.123456789,"b":1.5}]', '[]'][count - 1] ?? '')(
        response,
        request,
        count,
      ),
    )
    const { lines, types } = await read('path: /rows, paginate: {kind: page, param: p, max_pages: 9}')
    expect(types).toEqual(['a DECIMAL(38,9)', 'b DOUBLE'])
    expect(lines()).toEqual(['a,b', '1.500000000,1.0', '1234567890.123456789,1.5'])
  })

  it('in which a key stands twice, or that is no JSON, is refused', async () => {
    server.on('/rows', answer('[{"id":1},{"id":2,"id":3}]'))
    expect((await read('path: /rows')).run.error).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('the key `id` is listed twice: {"id":2,"id":3}') as string,
    })
    server.on('/rows', answer('[{"id":NaN}]'))
    expect((await read('path: /rows')).run.error?.message).toContain('is not JSON but application/json: “[{"id":NaN}]”')
  })

  it.each(['http', 'odata'] as const)('of %s is refused where it is too deep, and read up to that', async (type) => {
    server.on(
      '/$metadata',
      answer(
        '<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices/></edmx:Edmx>',
        { headers: { 'content-type': 'application/xml' } },
      ),
    )
    const source = type === 'http' ? 'path: /rows, records: value' : 'entity: rows'
    for (const depth of [600, 5000, 20_000, 1_000_000]) {
      server.on('/rows', answer(`{"value":[{"id":1},{"p":${nested(depth)}}]}`))
      expect((await read(source, type)).run.error).toMatchObject({
        code: 'RESPONSE_INVALID',
        message: expect.stringMatching(/GET http:\S+\/rows: it is nested more than 512 deep at byte 5\d\d$/) as string,
        retryable: false,
      })
    }
    const fits = nested(type === 'http' ? 509 : 150)
    server.on('/rows', answer(`{"value":[{"id":1,"p":${fits}}]}`))
    const fine = await read(source, type)
    expect(fine.run.error).toBeUndefined()
    expect(fine.lines()[1]).toBe(`1,${fits}`)
  })
})

describe('values of an OData service', () => {
  const metadata = answer(
    `<edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices><Schema Namespace="s" xmlns="http://docs.oasis-open.org/odata/ns/edm">
<EntityType Name="T"><Key><PropertyRef Name="id"/></Key><Property Name="id" Type="Edm.Int32"/><Property Name="at" Type="Edm.DateTimeOffset"/>
<Property Name="time" Type="Edm.TimeOfDay"/><Property Name="price" Type="Edm.Decimal"/></EntityType>
<EntityContainer Name="C"><EntitySet Name="T" EntityType="s.T"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>`,
    { headers: { 'content-type': 'application/xml' } },
  )
  const readValues = async (...values: object[]) => {
    server.on('/$metadata', metadata)
    server.on('/T', json({ value: values.map((value, id) => ({ id, ...value })) }))
    return read('entity: T', 'odata')
  }

  it('keep seven digits of a second, and exponents are decimals', async () => {
    const { run, lines, types } = await readValues(
      { at: '2024-01-01T10:00:00.1234567+02:00', time: '10:00:00.1234567', price: '1E3' },
      { at: '2024-01-01T10:00:00Z', time: '10:00:00', price: '-1.5e-3' },
      { at: '2024-01-01T10:00:00.5Z', time: null, price: '12345678901234567890.12' },
    )
    expect(run.error).toBeUndefined()
    expect(types).toEqual(['id BIGINT', 'at TIMESTAMP_NS', 'time VARCHAR', 'price DECIMAL(38,4)'])
    expect(lines().slice(1)).toEqual([
      '0,2024-01-01 08:00:00.1234567,10:00:00.1234567,1000.0000',
      '1,2024-01-01 10:00:00,10:00:00,-0.0015',
      '2,2024-01-01 10:00:00.5,,12345678901234567890.1200',
    ])
  })

  it('stay text where no type keeps them all', async () => {
    const { lines, types } = await readValues(
      { at: '2024-01-01T10:00:00.1234567Z', price: '1e30' },
      { at: '0001-01-01T00:00:00Z', price: '0.123456789' },
    )
    expect(types.slice(1, 2)).toEqual(['at VARCHAR'])
    expect(types.at(-1)).toBe('price VARCHAR')
    expect(lines().slice(1)).toEqual(['0,2024-01-01T10:00:00.1234567Z,,1e30', '1,0001-01-01T00:00:00Z,,0.123456789'])
  })

  it('are moments to the microsecond as long as none is finer', async () => {
    const { types } = await readValues({ at: '2024-01-01T10:00:00.1230000Z' }, { at: '0001-01-01T00:00:00Z' })
    expect(types[1]).toBe('at TIMESTAMP')
  })
})

describe('nested values that are sent to an API', () => {
  it('have the form of those at the top', async () => {
    server.on('/rows', json({}))
    const values = `t: TIMESTAMP '2024-01-01 10:00:00.5', z: TIMESTAMPTZ '2024-01-01 10:00:00+02', d: DATE '2024-01-01', b: encode('hé'), n: CAST('nan' AS DOUBLE), i: CAST('-inf' AS FLOAT), x: 1.10::DECIMAL(30,2), f: 2.0::DOUBLE, u: NULL::INTEGER, "a ""b": 'x'`
    const steps = [
      { derive: { s: `{${values}}` } },
      {
        derive: {
          l: '[s, NULL]',
          m: "MAP {'k': s.t}",
          e: 'CAST([] AS TIMESTAMP[])',
          nested: '{j: CAST(\'{"a":1.10}\' AS JSON), none: CAST(NULL AS STRUCT(a INTEGER))}',
        },
      },
    ]
    const run = await runTask(
      `etl: 1
kind: pipeline
name: send
connectors: {api: {type: http, access: write}}
source: {inline: {rows: [{id: 1}]}}
steps: ${JSON.stringify(steps)}
target: {connector: api, http: {path: /rows}}
`,
      { api: webConnector(server.url) },
    )
    expect(run.error).toBeUndefined()
    const s =
      '{"t":"2024-01-01T10:00:00.5Z","z":"2024-01-01T08:00:00Z","d":"2024-01-01","b":"aMOp","n":"nan","i":"-inf","x":1.10,"f":2.0,"u":null,"a \\"b":"x"}'
    expect(server.seen[0]?.body).toBe(
      `{"id":1,"s":${s},"l":[${s},null],"m":{"k":"2024-01-01T10:00:00.5Z"},"e":[],"nested":{"j":{"a":1.10},"none":null}}`,
    )
  })
})
