import { describe, expect, it } from 'vitest'
import { flow } from '../engine/run-task.ts'
import { runSteps } from './step-runs.ts'

describe('flatten', () => {
  const nested = [
    '{"id": 1, "address": {"city": "Oslo", "geo": {"lat": 59.9, "lon": 10.7}}, "tags": ["a"]}',
    '{"id": 2, "address": {"city": "Bergen", "geo": null}, "tags": []}',
    '{"id": 3, "address": null, "tags": null}',
  ]

  /** Objects in files are JSON; these have types of their own. */
  const typed = {
    derive: {
      address: 'CAST(address AS STRUCT(city VARCHAR, geo STRUCT(lat DOUBLE, lon DOUBLE)))',
      tags: 'CAST(tags AS VARCHAR[])',
    },
  }

  it('takes typed objects apart at every level and leaves lists', async () => {
    const { rows, columns, run } = await runSteps([typed, { flatten: true }], { lines: nested })
    expect(columns).toEqual([
      'id BIGINT',
      'address_city VARCHAR',
      'address_geo_lat DOUBLE',
      'address_geo_lon DOUBLE',
      'tags VARCHAR[]',
    ])
    expect(rows).toEqual([
      { id: 1, address_city: 'Oslo', address_geo_lat: 59.9, address_geo_lon: 10.7, tags: ['a'] },
      { id: 2, address_city: 'Bergen', address_geo_lat: null, address_geo_lon: null, tags: [] },
      { id: 3, address_city: null, address_geo_lat: null, address_geo_lon: null, tags: null },
    ])
    expect(flow(run)).toBe('source 3→3 | derive 3→3 | flatten 3→3 | target 3→3')
  })

  it('stops at the depth it is given, and joins names with the separator', async () => {
    const { columns } = await runSteps([typed, { flatten: { columns: ['address'], depth: 1, separator: '.' } }], {
      lines: nested,
    })
    expect(columns).toEqual([
      'id BIGINT',
      'address.city VARCHAR',
      'address.geo STRUCT(lat DOUBLE, lon DOUBLE)',
      'tags VARCHAR[]',
    ])
  })

  it('finds the keys of JSON over all rows, in the order of their first appearance, typed by all values', async () => {
    const { rows, columns } = await runSteps([{ flatten: true }], {
      rows: [
        { doc: { z: 1, a: { x: 'one' }, mixed: 1, list: [1, { k: 2 }] } },
        { doc: null },
        { doc: { b: true, z: 2.5, a: { x: null, y: 7 }, mixed: 'text', empty: {} } },
        { doc: { a: null, list: null } },
      ],
    })
    expect(columns).toEqual([
      'doc_z DOUBLE',
      'doc_a_x VARCHAR',
      'doc_a_y BIGINT',
      'doc_mixed VARCHAR',
      'doc_list JSON',
      'doc_b BOOLEAN',
      'doc_empty JSON',
    ])
    expect(rows).toEqual([
      {
        doc_z: 1,
        doc_a_x: 'one',
        doc_a_y: null,
        doc_mixed: '1',
        doc_list: [1, { k: 2 }],
        doc_b: null,
        doc_empty: null,
      },
      { doc_z: null, doc_a_x: null, doc_a_y: null, doc_mixed: null, doc_list: null, doc_b: null, doc_empty: null },
      { doc_z: 2.5, doc_a_x: null, doc_a_y: 7, doc_mixed: 'text', doc_list: null, doc_b: true, doc_empty: {} },
      { doc_z: null, doc_a_x: null, doc_a_y: null, doc_mixed: null, doc_list: null, doc_b: null, doc_empty: null },
    ])
  })

  it('takes what a flatten before it has left, level by level', async () => {
    const { rows, columns } = await runSteps([{ flatten: { columns: ['doc'], depth: 1 } }, { flatten: 'doc_a' }], {
      rows: [{ doc: { a: { x: 1 }, b: 2 } }, { doc: { a: { y: 3 } } }],
    })
    expect(columns).toEqual(['doc_a_x BIGINT', 'doc_a_y BIGINT', 'doc_b BIGINT'])
    expect(rows).toEqual([
      { doc_a_x: 1, doc_a_y: null, doc_b: 2 },
      { doc_a_x: null, doc_a_y: 3, doc_b: null },
    ])
  })

  it('finds the keys in the order of the rows, also where a column of the data is called rowid', async () => {
    const { columns } = await runSteps([{ flatten: 'doc' }], {
      rows: [
        { ROWID: 3, doc: { first: 1 } },
        { ROWID: 2, doc: { second: 1 } },
        { ROWID: 1, doc: { third: 1 } },
      ],
    })
    expect(columns).toEqual(['ROWID BIGINT', 'doc_first BIGINT', 'doc_second BIGINT', 'doc_third BIGINT'])
  })

  it('keeps every digit of JSON numbers, and odd keys', async () => {
    const documents = [
      '{"big": 9223372036854775807, "bigger": 18446744073709551615, "huge": 1234567890123456789012345678901234567890, "wide": 9007199254740993, "a/b~c": "é😀", "": 5, "q\\"": "\\u0000"}',
      '{"big": -1, "bigger": 1, "huge": 1, "wide": 0.5}',
    ]
    const { rows, columns, run } = await runSteps([{ cast: { doc: 'json' } }, { flatten: 'doc' }], {
      rows: documents.map((doc) => ({ doc })),
    })
    expect(run.error).toBeUndefined()
    expect(columns).toEqual([
      'doc_big BIGINT',
      'doc_bigger DECIMAL(38,0)',
      'doc_huge VARCHAR',
      'doc_wide DECIMAL(38,1)',
      'doc_a/b~c VARCHAR',
      'doc_ BIGINT',
      'doc_q" VARCHAR',
    ])
    expect(rows[0]).toMatchObject({
      doc_huge: '1234567890123456789012345678901234567890',
      doc_wide: '9007199254740993.0',
      'doc_a/b~c': 'é😀',
      doc_: 5,
      'doc_q"': '\0',
    })
  })

  it(
    'keeps every digit of fractions, also in what stays a document, over 200,000 rows',
    { timeout: 240_000 },
    async () => {
      const document = (n: string): string =>
        `{"price":${n}.1234567890123,"same":1.10,"short":0.5,"text":"1.10 and 12345678901234567890","code 10":[1.10,{"a":${n}.1234567890123,"e":1e400}],"exp":1e400}`
      const { rows, columns, run } = await runSteps(
        [
          {
            sql: `SELECT CAST(replace('${document('@')}', '@', CAST(1234567890 + i AS VARCHAR)) AS JSON) AS doc, i FROM range(200000) AS r(i)`,
          },
          { flatten: 'doc' },
          {
            derive: {
              p: 'CAST(doc_price AS VARCHAR)',
              s: 'CAST(doc_same AS VARCHAR)',
              l: 'CAST("doc_code 10" AS VARCHAR)',
            },
          },
          { filter: 'i = 199999' },
        ],
        { rows: [{ one: 1 }] },
      )
      expect(run.error).toBeUndefined()
      expect(columns).toEqual([
        'doc_price DECIMAL(38,13)',
        'doc_same DOUBLE',
        'doc_short DOUBLE',
        'doc_text VARCHAR',
        'doc_code 10 JSON',
        'doc_exp VARCHAR',
        'i BIGINT',
        'p VARCHAR',
        's VARCHAR',
        'l VARCHAR',
      ])
      expect(rows).toMatchObject([
        {
          p: '1234767889.1234567890123',
          s: '1.1',
          l: '[1.10,{"a":1234767889.1234567890123,"e":1e400}]',
          doc_text: '1.10 and 12345678901234567890',
          doc_exp: '1e400',
        },
      ])
    },
  )

  it('leaves columns that hold other things, unless they are named', async () => {
    const rows = [
      { id: 1, doc: { a: 1 } },
      { id: 2, doc: [1] },
    ]
    const left = await runSteps([{ flatten: true }], { rows })
    expect(left.columns).toEqual(['id BIGINT', 'doc JSON'])
    const named = await runSteps([{ flatten: ['doc'] }], { rows })
    expect(named.run.error).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'Column `doc` holds [1], which is not an object',
      step: 'flatten',
    })
    const number = await runSteps([{ flatten: 'id' }], { rows })
    expect(number.run.error).toMatchObject({
      code: 'VALUE_INVALID',
      message: 'Column `id` is BIGINT: it holds no objects',
    })
  })

  it('takes odd names of fields, and JSON inside of typed objects', async () => {
    const sql = `SELECT {'we"i''rd': 1, 'doc': '{"a": {"b": 2}}'::JSON} AS s, MAP {'k': 1} AS m, [{'x': 1}] AS l FROM stream`
    const { rows, columns } = await runSteps([{ sql }, { flatten: true }], { rows: [{ x: 1 }] })
    expect(columns).toEqual([
      `s_we"i'rd INTEGER`,
      's_doc_a_b BIGINT',
      'm MAP(VARCHAR, INTEGER)',
      'l STRUCT(x INTEGER)[]',
    ])
    expect(rows[0]).toMatchObject({ [`s_we"i'rd`]: 1, s_doc_a_b: 2 })
  })

  it('refuses two columns of one name', async () => {
    const { run } = await runSteps([{ flatten: true }], { rows: [{ a_B: 1, a: { b: 2 } }] })
    expect(run.error).toMatchObject({ code: 'COLUMN_DUPLICATE', step: 'flatten' })
    expect(run.error?.hint).toContain('separator')
  })

  it('refuses objects whose keys are data', async () => {
    const { run } = await runSteps([{ flatten: true }], {
      rows: Array.from({ length: 2001 }, (_, index) => ({ doc: { [`user${index}`]: 1 } })),
      columns: { doc: 'json' },
    })
    expect(run.error).toMatchObject({ code: 'VALUE_INVALID' })
    expect(run.error?.message).toContain('more than 2,000 keys')
  })

  it('keeps columns without any value', async () => {
    const { columns, rows } = await runSteps([{ flatten: true }], {
      rows: [{ id: 1, doc: null }],
      columns: { doc: 'json' },
    })
    expect(columns).toEqual(['id BIGINT', 'doc JSON'])
    expect(rows).toEqual([{ id: 1, doc: null }])
  })
})
